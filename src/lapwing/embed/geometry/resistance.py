"""Exact resistance distances, by one solve per pair or one column per node."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.linalg import LaplacianSolver, pseudoinverse
from lapwing.linalg.eigen.lanczos import Progress
from lapwing.types import Array, Nodes

WHOLE_BELOW = 4000
"""Up to this many nodes, the whole pseudoinverse is formed (128 MB at most)."""
BLOCK = 64


def resistances(graph: Graph, pairs: Nodes, *, solver: LaplacianSolver | None = None) -> Array:
    """Return the effective resistance of each pair of nodes in an ``(m, 2)`` array.

    r(p, q) = (e_p - e_q)' L+ (e_p - e_q) (Klein and Randic 1993; Herbster and Pontil 2006,
    Eq. 7): one solve per pair. Infinite between components.

    Examples
    --------
    Two edges of resistance 1 in series, parallel to a direct one.

    >>> triangle = Graph.from_edges([(0, 1), (1, 2), (2, 0)])
    >>> resistances(triangle, np.array([[0, 1], [2, 2]]))
    array([0.666667, 0. ])
    """
    pairs = np.asarray(pairs)
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise InputError(f"pairs must have shape (m, 2), got {pairs.shape}")
    ends = graph.checked(pairs.ravel()).reshape(pairs.shape)
    solver = LaplacianSolver(graph.adjacency) if solver is None else solver
    result = np.empty(len(ends))
    for start in range(0, len(ends), BLOCK):
        some = ends[start : start + BLOCK]
        each = np.arange(len(some))
        rhs = np.zeros((graph.n_nodes, len(some)))
        rhs[some[:, 0], each] += 1.0
        rhs[some[:, 1], each] -= 1.0
        x = solver.solve(rhs)
        result[start : start + BLOCK] = x[some[:, 0], each] - x[some[:, 1], each]
    apart = graph.components[ends[:, 0]] != graph.components[ends[:, 1]]
    return np.where(apart, np.inf, result)


def diagonal(graph: Graph, *, progress: Progress | None = None) -> Array:
    """Return the exact diagonal of L+: the squared length of each node's row.

    Up to 4,000 nodes it is read from the whole pseudoinverse. Larger graphs take n solves: seconds
    to minutes up to some 50,000 nodes. `ResistanceSketch` estimates it much faster.

    Examples
    --------
    >>> diagonal(Graph.from_edges([(0, 1), (1, 2), (2, 3)]))
    array([0.875, 0.375, 0.375, 0.875])
    """
    if graph.n_nodes <= WHOLE_BELOW:
        return np.diag(pseudoinverse(graph.adjacency)).copy()
    result = np.empty(graph.n_nodes)
    for nodes, columns in _all_columns(graph, progress):
        result[nodes] = columns[nodes, np.arange(len(nodes))]
    return result


def largest_resistance(graph: Graph, *, progress: Progress | None = None) -> float:
    """Return the exact resistance diameter: the largest resistance of two connected nodes.

    R_G of Herbster and Pontil 2006. Above 4,000 nodes it takes 2 n solves; see
    `resistance_diameter` for fast bounds.

    Examples
    --------
    >>> largest_resistance(Graph.from_edges([(0, 1), (1, 2), (2, 3)]))
    3.0
    """
    norms = diagonal(graph, progress=progress)
    largest = 0.0
    for nodes, columns in _all_columns(graph, progress):
        between = norms[:, None] + norms[nodes] - 2.0 * columns
        between[graph.components[:, None] != graph.components[nodes]] = 0.0
        largest = max(largest, float(between.max(initial=0.0)))
    return largest


def _all_columns(graph: Graph, progress: Progress | None) -> Iterator[tuple[Nodes, Array]]:
    """Yield all columns of L+ in blocks, with their nodes."""
    n = graph.n_nodes
    whole = pseudoinverse(graph.adjacency) if n <= WHOLE_BELOW else None
    solver = LaplacianSolver(graph.adjacency)
    for start in range(0, n, BLOCK):
        nodes = np.arange(start, min(start + BLOCK, n))
        yield nodes, solver.columns(nodes) if whole is None else whole[:, nodes]
        if progress is not None:
            progress((start + len(nodes)) / n)
