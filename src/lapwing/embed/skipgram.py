"""Skip-gram embeddings of random walks (DeepWalk, node2vec), compiled."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lapwing.checks import at_least
from lapwing.embed.walks import random_walks
from lapwing.graph import Graph
from lapwing.types import Array, Nodes

Single = NDArray[np.float32]
RATE = 0.025
"""The initial learning rate; it decreases linearly to a ten-thousandth of itself."""


def skip_gram(
    walks: NDArray[np.int32],
    n_nodes: int,
    *,
    dimension: int = 128,
    window: int = 10,
    negatives: int = 5,
    epochs: int = 1,
    seed: int = 0,
) -> Array:
    """Skip-gram with negative sampling (Mikolov et al. 2013) on walks of nodes, -1 for padding.

    Each node of a walk learns to distinguish the nodes around it, within a distance drawn from
    1..`window`, from `negatives` random nodes, drawn with probability proportional to their
    frequency to the power 3/4. The cost is ``epochs * walks.size * window * (negatives + 1) *
    dimension`` multiplications in single precision. It runs on one thread, so the same seed gives
    the same rows.
    """
    for name, value in (("dimension", dimension), ("window", window), ("epochs", epochs)):
        at_least(name, value, 1)
    rng = np.random.default_rng(seed)
    rows = ((rng.random((n_nodes, dimension)) - 0.5) / dimension).astype(np.float32)
    counts = np.bincount(walks[walks >= 0].ravel(), minlength=n_nodes)
    often = np.cumsum(counts**0.75)
    slots = np.linspace(0.0, often[-1], 1 << 20, endpoint=False)
    table = np.searchsorted(often, slots, side="right").astype(np.int32)
    _trained(walks, rows, table, window, negatives, epochs, rng)
    return rows.astype(np.float64)


def deepwalk(
    graph: Graph,
    *,
    dimension: int = 128,
    per_node: int = 10,
    length: int = 40,
    window: int = 10,
    seed: int = 0,
) -> Array:
    """DeepWalk: skip-gram on uniform random walks (Perozzi, Al-Rfou and Skiena 2014).

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> deepwalk(graph, dimension=4).shape
    (6, 4)
    """
    walks = random_walks(graph, length=length, per_node=per_node, seed=seed)
    return skip_gram(walks, graph.n_nodes, dimension=dimension, window=window, seed=seed)


def node2vec(
    graph: Graph,
    *,
    p: float = 1.0,
    q: float = 0.5,
    dimension: int = 128,
    per_node: int = 10,
    length: int = 40,
    seed: int = 0,
) -> Array:
    """node2vec: skip-gram on walks that prefer to return or to leave (Grover 2016).

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> node2vec(graph, dimension=4).shape
    (6, 4)
    """
    walks = random_walks(graph, length=length, per_node=per_node, p=p, q=q, seed=seed)
    return skip_gram(walks, graph.n_nodes, dimension=dimension, seed=seed)


@njit(cache=True, fastmath=True)
def _trained(
    walks: NDArray[np.int32],
    rows: Single,
    table: Nodes,
    window: int,
    negatives: int,
    epochs: int,
    rng: np.random.Generator,
) -> None:
    dimension = rows.shape[1]
    others = np.zeros_like(rows)
    change = np.empty(dimension, dtype=np.float32)
    total = epochs * walks.shape[0]
    done = 0
    for _ in range(epochs):
        for walk in walks:
            rate = np.float32(RATE * max(1.0 - done / total, 1e-4))
            done += 1
            for t in range(len(walk)):
                if walk[t] < 0:
                    break
                reach = 1 + int(rng.random() * window)
                for s in range(max(0, t - reach), min(len(walk), t + reach + 1)):
                    if s != t and walk[s] >= 0:
                        _pair(rows[walk[s]], others, walk[t], table, negatives, rate, change, rng)


@njit(cache=True, fastmath=True)
def _pair(
    row: Single,
    others: Single,
    near: int,
    table: Nodes,
    negatives: int,
    rate: float,
    change: Single,
    rng: np.random.Generator,
) -> None:
    """One gradient step that makes a node's row predict `near` and not random nodes."""
    change[:] = 0.0
    for k in range(negatives + 1):
        target = near if k == 0 else table[int(rng.random() * len(table))]
        if k > 0 and target == near:
            continue
        other = others[target]
        dot = np.float32(0.0)
        for d in range(len(row)):
            dot += row[d] * other[d]
        wanted = np.float32(1.0 if k == 0 else 0.0)
        pull = rate * (wanted - np.float32(1.0) / (np.float32(1.0) + np.exp(-dot)))
        for d in range(len(row)):
            change[d] += pull * other[d]
            other[d] += pull * row[d]
    for d in range(len(row)):
        row[d] += change[d]
