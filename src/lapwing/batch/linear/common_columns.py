"""What sparse rows have in common with the labelled ones, and what is said of the others."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from lapwing.graph import Graph
from lapwing.types import Array, Mask, Nodes


def meets_labelled(rows: sparse.csr_array, labelled: Nodes) -> Mask:
    """Return whether each row has a column in common with a labelled one.

    A linear model knows nothing about the others: only its constant speaks there.

    Examples
    --------
    >>> rows = sparse.csr_array(np.array([[1.0, 0, 0], [0, 1.0, 0], [0.5, 0, 0.5]]))
    >>> meets_labelled(rows, np.array([0]))
    array([ True, False,  True])
    """
    used = np.zeros(rows.shape[1])
    used[rows[labelled].indices] = 1.0
    met = np.asarray(abs(rows) @ used > 0.0)
    met[labelled] = True
    return met


def as_nearest(graph: Graph, scores: Array, met: Mask) -> Array:
    """Return the scores with those of the nearest known node, by edges, where nothing is known.

    Examples
    --------
    >>> path = Graph.from_edges([(0, 1), (1, 2), (2, 3)], names=range(5))
    >>> met = np.array([True, False, False, True, False])
    >>> as_nearest(path, np.array([[1.0], [9.0], [9.0], [-1.0], [9.0]]), met).ravel().tolist()
    [1.0, 1.0, -1.0, -1.0, 0.0]
    """
    if met.all() or not met.any():
        return np.where(met[:, None], scores, 0.0)
    _, _, nearest = csgraph.dijkstra(
        graph.adjacency,
        indices=np.flatnonzero(met),
        unweighted=True,
        min_only=True,
        return_predecessors=True,
    )
    return np.where((nearest >= 0)[:, None], scores[np.maximum(nearest, 0)], 0.0)
