"""Rows of a node's place in the graph that do not assume that neighbours are alike."""

from __future__ import annotations

import warnings

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import ArpackError, eigsh

from lapwing.embed import default_cache, with_unit_rows
from lapwing.embed.attributes.rows import Rows32
from lapwing.graph import Graph
from lapwing.types import Array

RANK = 64
"""Number of eigenvectors of the adjacency matrix."""
DENSE = 400
"""Up to this many nodes, the spectrum is computed in full."""
CACHED_ABOVE = 1_000


def adjacency_rows(graph: Graph) -> Array:
    """Return unit rows of the adjacency matrix's 64 largest eigenvalues by size, of either sign.

    Nodes with the same neighbours have the same row, whether or not they are joined. If the
    spectrum does not converge, all rows are zeros, with a warning.

    Examples
    --------
    The two sides of a square of four edges:

    >>> square = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 0)])
    >>> rows = adjacency_rows(square)
    >>> (rows @ rows.T).round(2).tolist()[0]
    [1.0, 0.0, 1.0, 0.0]
    """
    n = graph.n_nodes
    kept = default_cache() if n > CACHED_ABOVE else None
    key = f"adjacency 1, graph {graph.hash}, rank {RANK}" if kept else ""
    rows = kept.load(key) if kept else None
    if rows is None:
        rows = _adjacency_rows(graph)
        if kept:
            kept.store(key, rows)
    return rows


def _adjacency_rows(graph: Graph) -> Array:
    n = graph.n_nodes
    if graph.n_edges == 0:
        return np.zeros((n, 1))
    adjacency = sparse.csr_array(graph.adjacency, dtype=np.float64)
    adjacency = adjacency / float(adjacency.data.mean())
    if n <= DENSE:
        values, vectors = np.linalg.eigh(adjacency.toarray())
        largest = np.argsort(-np.abs(values), kind="stable")[:RANK]
        values, vectors = values[largest], vectors[:, largest]
    else:
        start = np.random.default_rng(0).normal(size=n)
        try:
            values, vectors = eigsh(adjacency, k=RANK, which="LM", v0=start)
        except ArpackError as failed:
            warnings.warn(f"the adjacency's spectrum is left out: {failed}", RuntimeWarning, 2)
            return np.zeros((n, 1))
    rows = vectors * np.sqrt(np.abs(values))
    rows[np.square(rows).sum(axis=1) < 1e-20] = 0.0
    return with_unit_rows(rows)


def degree_rows(graph: Graph) -> Array:
    """Return a node's log degree and its neighbours' mean, standardised, and their products.

    Examples
    --------
    >>> star = Graph.from_edges([(0, 1), (0, 2), (0, 3)])
    >>> degree_rows(star)[:2, :2].round(2).tolist()
    [[1.73, -1.73], [-0.58, 0.58]]
    """
    degrees = graph.degrees
    own = np.log1p(degrees)
    around = graph.adjacency @ own
    mean = np.divide(around, degrees, out=np.zeros_like(own), where=degrees > 0)
    both = np.stack([own, mean], axis=1)
    spread = both.std(axis=0)
    both = np.clip((both - both.mean(axis=0)) / np.where(spread > 1e-12, spread, 1.0), -3.0, 3.0)
    first, second = both.T
    return np.stack([first, second, first**2 - 1, second**2 - 1, first * second], axis=1)


def rows_beside(graph: Graph, rows: Rows32, *, own: float = 1 / 3) -> Rows32:
    """Return a node's row beside the mean rows one and two steps away, scaled to unit length.

    `own` is the share of the node itself in the square of that length; the others have half of the
    rest each.

    Examples
    --------
    >>> path = Graph.from_edges([(0, 1)])
    >>> rows_beside(path, np.array([[1.0], [-1.0]], dtype=np.float32)).round(2).tolist()
    [[0.58, -0.58, 0.58], [-0.58, 0.58, -0.58]]
    """
    parts: list[Rows32] = [rows]
    roots = np.sqrt(np.where(graph.degrees > 0, graph.degrees, 1.0)).astype(np.float32)[:, None]
    adjacency = sparse.csr_array(graph.adjacency, dtype=np.float32)
    for _ in range(2):
        spread = (adjacency @ (parts[-1] / roots)) / roots
        parts.append(np.asarray(with_unit_rows(spread), dtype=np.float32))
    shares = np.sqrt(np.array([own, (1.0 - own) / 2, (1.0 - own) / 2], dtype=np.float32))
    beside = [share * part for share, part in zip(shares, parts, strict=True)]
    return np.ascontiguousarray(with_unit_rows(np.hstack(beside)), dtype=np.float32)
