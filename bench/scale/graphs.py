"""The graphs on which size is measured: planted (P), skewed (S), and skewed with whiskers (W)."""

from __future__ import annotations

import numpy as np

from lapwing import Graph
from lapwing.data import planted_partition

CLASSES, BLOCKS = 10, 50
SHARES = (0.25, 0.4, 0.35)
"""Of the edges of S and W: inside a block, inside a class, anywhere."""
WHISKERS = 0.2
"""Of the nodes of W: on paths that hang on the rest."""


def made(kind: str, n: int, seed: int) -> tuple[Graph, np.ndarray]:
    """Return a graph of about five edges per node, unweighted, and one of ten classes per node."""
    if kind == "P":
        size = (n // CLASSES, n // CLASSES)
        found = planted_partition(n=n, communities=size, mean_degree=10, seed=seed)
        return found.graph, found.labels % CLASSES
    random = np.random.default_rng(seed)
    inside = n if kind == "S" else n - int(WHISKERS * n)
    tails, heads, labels = skewed(inside, random)
    if kind == "W":
        more, on = whiskers(inside, n - inside, random)
        tails, heads = np.concatenate([tails, more[0]]), np.concatenate([heads, more[1]])
        labels = np.concatenate([labels, labels[on]])
    return Graph.from_edges((tails, heads), names=range(n), parallel="max"), labels


def skewed(n: int, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw edges between ends of power-law weights (2.5), in 10 classes of 5 blocks each."""
    weight = (1.0 - random.random(n)) ** (-1.0 / 1.5)
    weight = np.minimum(weight, np.sqrt(n) * weight.mean())
    block = np.sort(random.integers(BLOCKS, size=n))
    total = np.concatenate([[0.0], np.cumsum(weight)])
    start = np.searchsorted(block, np.arange(BLOCKS + 1))
    tails = np.searchsorted(total, random.random(5 * n) * total[-1], side="right") - 1
    width = np.array([1, BLOCKS // CLASSES, BLOCKS])[random.choice(3, size=5 * n, p=SHARES)]
    first = block[tails] // width * width
    low, high = total[start[first]], total[start[first + width]]
    heads = np.searchsorted(total, low + random.random(5 * n) * (high - low), side="right") - 1
    tails, heads = np.minimum(tails, n - 1), np.minimum(heads, n - 1)
    order, apart = random.permutation(n), tails != heads
    labels = np.empty(n, dtype=np.intp)
    labels[order] = block // (BLOCKS // CLASSES)
    return order[tails[apart]], order[heads[apart]], labels


def whiskers(
    n: int, count: int, random: np.random.Generator
) -> tuple[tuple[np.ndarray, np.ndarray], np.ndarray]:
    """Return the edges of paths of 1 to 10 new nodes on random old ones, and who holds each."""
    lengths = random.integers(1, 11, size=count)
    lengths = lengths[: int(np.searchsorted(np.cumsum(lengths), count)) + 1]
    lengths[-1] -= lengths.sum() - count
    first = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    holder = random.integers(n, size=len(lengths))
    ends = n + np.arange(count)
    before = ends - 1
    before[first] = holder
    return (before, ends), np.repeat(holder, lengths)
