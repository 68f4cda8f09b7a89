"""Set some entries of a sparse matrix: one pass that copies everything else."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import sparse

from lapwing.types import Array, Nodes


def patched(
    matrix: sparse.csr_array, n: int, entries: tuple[Nodes, Nodes, Array]
) -> sparse.csr_array:
    """Return an n x n matrix with some entries set; 0 removes an entry.

    `entries` holds rows, columns and values, sorted by row and column, each pair once. The rows of
    `matrix` must be sorted, too. It may have fewer than n rows.

    Examples
    --------
    >>> pair = sparse.csr_array(np.array([[0.0, 1.0], [1.0, 0.0]]))
    >>> patched(pair, 2, (np.array([1, 1]), np.array([0, 1]), np.array([0.0, 3.0]))).toarray()
    array([[0., 1.],
           [0., 3.]])
    """
    rows, cols, values = entries
    starts = np.full(n + 1, matrix.indptr[-1], dtype=np.int64)
    starts[: matrix.shape[0] + 1] = matrix.indptr
    indices = matrix.indices.astype(np.int32, copy=False)
    places, ends = _places(starts, indices, rows, cols, values)
    # NumPy's own memory comes in large pages; memory from compiled code would be slower to fill.
    columns, data = np.empty(ends[-1], dtype=np.int32), np.empty(ends[-1])
    _fill(indices, matrix.data, places, cols, values, columns, data)
    kind = np.int32 if len(columns) < np.iinfo(np.int32).max else np.int64
    found = sparse.csr_array((data, columns, ends.astype(kind, copy=False)), shape=(n, n))
    found.has_sorted_indices = True
    return found


@njit(cache=True, nogil=True)
def _places(
    indptr: Nodes, indices: NDArray[np.int32], rows: Nodes, cols: Nodes, values: Array
) -> tuple[Nodes, Nodes]:
    """Return where each entry goes, as ~place if it replaces one, and where rows then start."""
    n = len(indptr) - 1
    places = np.empty(len(rows), dtype=np.int64)
    ends = np.zeros(n + 1, dtype=np.int64)
    for k in range(len(rows)):
        start, stop = indptr[rows[k]], indptr[rows[k] + 1]
        at = start + np.searchsorted(indices[start:stop], cols[k])
        there = at < stop and indices[at] == cols[k]
        places[k] = ~at if there else at
        ends[rows[k] + 1] += int(values[k] != 0.0) - int(there)
    more = 0
    for row in range(1, n + 1):
        more += ends[row]
        ends[row] = indptr[row] + more
    return places, ends


@njit(cache=True, nogil=True)
def _fill(
    indices: NDArray[np.int32],
    data: Array,
    places: Nodes,
    cols: Nodes,
    values: Array,
    new_indices: NDArray[np.int32],
    new_data: Array,
) -> None:
    """Copy the old entries and put the new ones between them or in their places."""
    out = read = 0
    for k in range(len(places)):
        place = places[k] if places[k] >= 0 else ~places[k]
        for at in range(read, place):
            new_indices[out], new_data[out] = indices[at], data[at]
            out += 1
        read = place if places[k] >= 0 else place + 1
        if values[k] != 0.0:
            new_indices[out], new_data[out] = cols[k], values[k]
            out += 1
    for at in range(read, len(indices)):
        new_indices[out], new_data[out] = indices[at], data[at]
        out += 1
