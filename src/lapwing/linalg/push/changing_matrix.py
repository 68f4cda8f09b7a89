"""A symmetric sparse matrix whose entries can change, one pair at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import sparse

from lapwing.types import Array, Nodes


class ChangingRows:
    """Rows in one pool: row i is ``neighbors[start[i]:stop[i]]`` with as many `weights`.

    Until the first change, the pool shares the arrays of the CSR matrix. A row that outgrows its
    space moves to the end of the pool with twice the space. Changing a pair takes time proportional
    to the lengths of its two rows. The pool is read-only from outside.

    Examples
    --------
    >>> rows = ChangingRows(sparse.csr_array(np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, 0]])))
    >>> rows.set_weight(1, 2, 0.5)
    0.0
    >>> rows.set_weight(0, 1, 0.0)
    1.0
    >>> rows.matrix().toarray()
    array([[0. , 0. , 0. ],
           [0. , 0. , 0.5],
           [0. , 0.5, 0. ]])
    """

    def __init__(self, matrix: sparse.csr_array) -> None:
        self.start: Nodes = matrix.indptr[:-1].astype(np.intp)
        self.stop: Nodes = matrix.indptr[1:].astype(np.intp)
        self.neighbors: NDArray[np.int32] = _sealed(matrix.indices.astype(np.int32, copy=False))
        self.weights: Array = _sealed(matrix.data.astype(np.float64, copy=False))
        self.room: Nodes | None = None
        self.used = int(matrix.nnz)

    def __setstate__(self, parts: dict[str, Any]) -> None:
        vars(self).update(parts)
        self.neighbors, self.weights = _sealed(self.neighbors), _sealed(self.weights)

    def sum(self, i: int) -> float:
        """Return the sum of a row's weights."""
        return float(self.weights[self.start[i] : self.stop[i]].sum())

    def weight(self, i: int, j: int) -> float:
        """Return the weight of a pair, 0 if there is none."""
        found = self._place(i, j)
        return 0.0 if found is None else float(self.weights[found])

    def set_weight(self, i: int, j: int, weight: float) -> float:
        """Set the weight of a pair (0 removes it) and return the old weight."""
        self._own()
        old = self._set(i, j, weight)
        self._set(j, i, weight)
        return old

    def components(self) -> tuple[int, Nodes]:
        """Return the number of connected components, and the component of each row."""
        count, label = labelled_components(self.start, self.stop, self.neighbors)
        return int(count), label

    def matrix(self) -> sparse.csr_array:
        """Return a copy as a CSR matrix with sorted rows."""
        lengths = self.stop - self.start
        indptr = np.concatenate([[0], np.cumsum(lengths)])
        taken = np.repeat(self.start - indptr[:-1], lengths) + np.arange(indptr[-1])
        n = len(self.start)
        matrix = sparse.csr_array(
            (self.weights[taken], self.neighbors[taken], indptr), shape=(n, n)
        )
        matrix.sort_indices()
        return matrix

    def _place(self, i: int, j: int) -> int | None:
        row = self.neighbors[self.start[i] : self.stop[i]]
        found = np.flatnonzero(row == j)
        return int(self.start[i] + found[0]) if len(found) else None

    def _own(self) -> None:
        """Copy the arrays shared with the graph, before the first change."""
        if self.room is None:
            self.room = self.stop - self.start
            self.neighbors = _sealed(self.neighbors.copy())
            self.weights = _sealed(self.weights.copy())

    def _set(self, i: int, j: int, weight: float) -> float:
        at = self._place(i, j)
        if at is None:
            if weight != 0.0:
                self._append(i, j, weight)
            return 0.0
        old = float(self.weights[at])
        if weight == 0.0:
            last = self.stop[i] - 1
            self._write(at, int(self.neighbors[last]), float(self.weights[last]))
            self.stop[i] = last
        else:
            self._write(at, j, weight)
        return old

    def _append(self, i: int, j: int, weight: float) -> None:
        assert self.room is not None
        length = int(self.stop[i] - self.start[i])
        if length == self.room[i]:
            self._move(i, length, max(4, 2 * length))
        self._write(int(self.stop[i]), j, weight)
        self.stop[i] += 1

    def _move(self, i: int, length: int, room: int) -> None:
        assert self.room is not None
        if self.used + room > len(self.weights):
            size = max(2 * len(self.weights), self.used + room)
            self.neighbors = _sealed(np.concatenate([self.neighbors, np.zeros(size, np.int32)]))
            self.weights = _sealed(np.concatenate([self.weights, np.zeros(size)]))
        for at in range(length):
            source = int(self.start[i]) + at
            self._write(self.used + at, int(self.neighbors[source]), float(self.weights[source]))
        self.start[i], self.stop[i], self.room[i] = self.used, self.used + length, room
        self.used += room

    def _write(self, at: int, neighbor: int, weight: float) -> None:
        for array, value in ((self.neighbors, neighbor), (self.weights, weight)):
            array.flags.writeable = True
            array[at] = value
            array.flags.writeable = False


@njit(cache=True)
def labelled_components(start: Nodes, stop: Nodes, neighbors: Nodes) -> tuple[int, Nodes]:
    """Number the components in order of their first row, in one pass over all rows."""
    label = np.full(start.size, -1, dtype=np.intp)
    waiting = np.empty(start.size, dtype=np.int32)
    count = 0
    for first in range(start.size):
        if label[first] >= 0:
            continue
        label[first], waiting[0], waits = count, first, 1
        while waits > 0:
            waits -= 1
            i = waiting[waits]
            for at in range(start[i], stop[i]):
                j = neighbors[at]
                if label[j] < 0:
                    label[j] = count
                    waiting[waits] = j
                    waits += 1
        count += 1
    return count, label


def _sealed(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view() if array.flags.writeable else array
    view.flags.writeable = False
    return view
