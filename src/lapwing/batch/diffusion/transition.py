"""One step of a random walk on a graph, as sparse matrices."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from lapwing.graph import Graph
from lapwing.types import Array


def inverse_degrees(graph: Graph, power: float = 1.0) -> Array:
    """Return each degree to the power -`power`; 0 for an isolated node."""
    degrees = graph.degrees
    return np.where(degrees > 0, np.where(degrees > 0, degrees, 1.0) ** -power, 0.0)


def unit_weights(graph: Graph) -> sparse.csr_array:
    """Return the adjacency with weights scaled to mean 1, so that their unit does not matter.

    Examples
    --------
    >>> unit_weights(Graph.from_edges([(0, 1, 1e-9), (1, 2, 3e-9)])).data.round(6)
    array([0.5, 0.5, 1.5, 1.5])
    """
    adjacency = graph.adjacency
    mean = float(adjacency.data.mean()) if adjacency.nnz else 1.0
    return adjacency if mean == 1.0 else sparse.csr_array(adjacency / mean)


def transition(graph: Graph) -> sparse.csr_array:
    """P = D^-1 A: P @ v averages v over each node's neighbours.

    Examples
    --------
    >>> transition(Graph.from_edges([(0, 1), (1, 2)])).toarray().tolist()
    [[0.0, 1.0, 0.0], [0.5, 0.0, 0.5], [0.0, 1.0, 0.0]]
    """
    return _scaled(graph, inverse_degrees(graph), None)


def symmetric_transition(graph: Graph) -> sparse.csr_array:
    """S = D^-1/2 A D^-1/2, symmetric, with the eigenvalues of P.

    Examples
    --------
    >>> symmetric_transition(Graph.from_edges([(0, 1), (1, 2)])).toarray().round(3)
    array([[0.   , 0.707, 0.   ],
           [0.707, 0.   , 0.707],
           [0.   , 0.707, 0.   ]])
    """
    roots = inverse_degrees(graph, 0.5)
    return _scaled(graph, roots, roots)


def _scaled(graph: Graph, rows: Array, columns: Array | None) -> sparse.csr_array:
    adjacency = graph.adjacency
    data = adjacency.data * np.repeat(rows, np.diff(adjacency.indptr))
    if columns is not None:
        data *= columns[adjacency.indices]
    return sparse.csr_array((data, adjacency.indices, adjacency.indptr), shape=adjacency.shape)
