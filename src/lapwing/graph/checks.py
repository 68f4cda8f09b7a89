"""Check weights and matrices; error messages give the names of the nodes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from scipy import sparse

from lapwing.errors import GraphError
from lapwing.graph.construction import INT32, first_bad_weight
from lapwing.graph.names import Names
from lapwing.types import Array, Nodes


def check_weights(sources: Nodes, targets: Nodes, weights: Array, names: Names) -> None:
    """Raise unless every weight is positive and finite."""
    bad = first_bad_weight(weights)
    if bad is not None:
        ends = (names[int(sources[bad])], names[int(targets[bad])])
        raise GraphError(
            f"edge weights must be positive and finite, edge {bad} {ends!r} has {weights[bad]}"
        )


def check_symmetric(matrix: sparse.coo_array, names: Names) -> None:
    """Raise unless both directions of every edge have the same weight."""
    matrix = sparse.csr_array(matrix)
    difference = abs(matrix - matrix.T)
    if difference.nnz and difference.max() > 1e-12 * abs(matrix).max():
        at = int(np.argmax(difference.tocoo().data))
        i, j = (int(c[at]) for c in difference.tocoo().coords)
        raise GraphError(
            f"adjacency must be symmetric, weight of {(names[i], names[j])!r} is {matrix[i, j]:g} "
            f"one way and {matrix[j, i]:g} the other; "
            'a directed graph needs directed="max" or directed="sum"'
        )


def copied_if_valid(adjacency: Any) -> sparse.csr_array | None:
    """Return a copy of a CSR matrix that is a graph's adjacency already; None for any other.

    Rows must be sorted and without repeats, weights positive and finite, both directions of every
    edge the same to the bit, and the diagonal empty. That takes one pass over the entries.

    Examples
    --------
    >>> copied_if_valid(sparse.csr_array(np.array([[0, 2], [2, 0]]))).data
    array([2., 2.])
    >>> copied_if_valid(sparse.csr_array(np.array([[0, 2], [1, 0]]))) is None
    True
    """
    if not sparse.issparse(adjacency) or adjacency.format != "csr" or adjacency.ndim != 2:
        return None
    (n, width), data = adjacency.shape, adjacency.data
    starts, ends = adjacency.indptr, adjacency.indices
    if n != width or data.dtype.kind not in "fiub" or not len(starts) == n + 1 <= INT32:
        return None
    if starts[0] != 0 or starts[-1] != len(ends) or len(data) != len(ends):
        return None
    starts = starts.astype(np.int64, copy=False)
    weights = data.astype(np.float64)
    if (np.diff(starts) < 0).any() or not _is_adjacency(starts, ends, weights):
        return None
    pointers = starts.astype(np.int32) if len(ends) < INT32 else starts.copy()
    return sparse.csr_array((weights, ends.astype(np.int32), pointers), shape=(n, n))


@njit(cache=True)
def _is_adjacency(starts: Nodes, ends: Nodes, weights: Array) -> bool:
    """Whether rows are sorted and each entry meets its mirror image.

    Row by row, the mirror image of entry (i, j) is the first entry of row j not met yet.
    """
    n = starts.size - 1
    first = starts[:-1].copy()
    for i in range(n):
        last = -1
        for at in range(starts[i], starts[i + 1]):
            j, weight = ends[at], weights[at]
            if j <= last or j >= n or j == i or not 0.0 < weight < np.inf:
                return False
            last = j
            mirror = first[j]
            if mirror >= starts[j + 1] or ends[mirror] != i or weights[mirror] != weight:
                return False
            first[j] = mirror + 1
    return True
