"""A symmetric sparse matrix whose entries can change and which can get more rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import sparse

from lapwing.linalg.push.spare_space import lengthened
from lapwing.linalg.stored_weights import stored_weights, weight_at
from lapwing.types import Array, Nodes

LEAST_ROOM = 4
"""How much space a row gets when it moves, at least; otherwise twice its length."""
SPARE = 8
"""The pool grows by one part in this many, or by as much as is needed."""
FEW, PART = 2_000, 200
"""Beyond so many pairs, or one in so many entries, it is cheaper to share another matrix."""


class ChangingRows:
    """Rows in one pool: row i is ``neighbors[start[i]:stop[i]]`` with as many `weights`.

    Until the first change, the pool shares the arrays of the CSR matrix, and weights that the
    matrix stores once have one element: read them with `weight_at`. A row that outgrows its space
    moves to the end of the pool with twice the space. Changing a pair takes time proportional to
    the lengths of its two rows. The pool is read-only from outside.

    Examples
    --------
    >>> rows = ChangingRows(sparse.csr_array(np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, 0]])))
    >>> rows.set_weights(np.array([1, 0]), np.array([2, 1]), np.array([0.5, 0.0]))
    array([0., 1.])
    >>> rows.matrix().toarray()
    array([[0. , 0. , 0. ],
           [0. , 0. , 0.5],
           [0. , 0.5, 0. ]])
    """

    def __init__(self, matrix: sparse.csr_array) -> None:
        self.start: Nodes = matrix.indptr[:-1].astype(np.intp)
        self.stop: Nodes = matrix.indptr[1:].astype(np.intp)
        self.neighbors: NDArray[np.int32] = _sealed(matrix.indices.astype(np.int32, copy=False))
        self.weights: Array = _sealed(stored_weights(matrix))
        self.room: Nodes | None = None
        self.used = int(matrix.nnz)

    def __setstate__(self, parts: dict[str, Any]) -> None:
        vars(self).update(parts)
        self.neighbors, self.weights = _sealed(self.neighbors), _sealed(self.weights)

    def __len__(self) -> int:
        return len(self.start)

    def weight(self, i: int, j: int) -> float:
        """Return the weight of a pair, 0 if there is none."""
        at = _place(self.start, self.stop, self.neighbors, i, j)
        return 0.0 if at < 0 else float(weight_at(self.weights, at))

    def weights_of(self, sources: Nodes, targets: Nodes) -> Array:
        """Return the weights of several pairs, 0 where there is none."""
        arrays = (self.start, self.stop, self.neighbors, self.weights)
        return np.asarray(_weights_of(*arrays, sources, targets))

    def set_weight(self, i: int, j: int, weight: float) -> float:
        """Set the weight of a pair (0 removes it) and return the old weight."""
        return float(self.set_weights(np.array([i]), np.array([j]), np.array([weight]))[0])

    def set_weights(self, sources: Nodes, targets: Nodes, weights: Array) -> Array:
        """Set the weights of several pairs, each given once (0 removes), and return the old."""
        neighbors, pool = self._own(np.concatenate([sources, targets]))
        arrays = (self.start, self.stop, neighbors, pool)
        return np.asarray(_set_pairs(*arrays, sources, targets, weights))

    def add_rows(self, count: int) -> None:
        """Add empty rows at the end."""
        self._own(np.empty(0, dtype=np.intp))
        assert self.room is not None
        n = len(self.start) + count
        self.start, self.stop = lengthened(self.start, n), lengthened(self.stop, n)
        self.room = lengthened(self.room, n)

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
        weights = self.weights[np.minimum(taken, len(self.weights) - 1)]
        matrix = sparse.csr_array((weights, self.neighbors[taken], indptr), shape=(n, n))
        matrix.sort_indices()
        return matrix

    def _own(self, ends: Nodes) -> tuple[NDArray[np.int32], Array]:
        """Return a writable pool in which each of these rows has room for one more entry a time.

        Before the first change, it copies the arrays shared with the matrix.
        """
        shared = self.room is None
        if self.room is None:
            self.room = self.stop - self.start
        rows, times = np.unique(ends, return_counts=True)
        lengths = self.stop[rows] - self.start[rows] + times
        short = lengths > self.room[rows]
        rows, wanted = rows[short], np.maximum(LEAST_ROOM, 2 * lengths[short])
        more = int(wanted.sum())
        if shared or self.used + more > len(self.neighbors):
            self._copy_pool(self.used + more)
        neighbors, weights = self._writable()
        arrays = (self.start, self.stop, self.room, neighbors, weights)
        self.used = int(_move(*arrays, rows, wanted, self.used))
        return neighbors, weights

    def _copy_pool(self, least: int) -> None:
        """Copy the pool into one of at least this size, without touching memory not yet used."""
        size = max(least, len(self.neighbors) + len(self.neighbors) // SPARE)
        neighbors, weights = np.zeros(size, np.int32), np.zeros(size)
        neighbors[: self.used] = self.neighbors[: self.used]
        weights[: self.used] = self.weights[: self.used]
        self._replace(neighbors, weights)

    def _replace(self, neighbors: NDArray[np.int32], weights: Array) -> None:
        self.neighbors, self.weights = _sealed(neighbors), _sealed(weights)

    def _writable(self) -> tuple[NDArray[np.int32], Array]:
        """Return the pool's own memory, for writing."""
        found = []
        for view in (self.neighbors, self.weights):
            base: Any = view.base if view.base is not None else view
            base.flags.writeable = True
            found.append(base)
        return found[0], found[1]


def are_many(pairs: int, entries: int) -> bool:
    """Whether so many pairs change that rows are better shared with another matrix.

    Examples
    --------
    >>> are_many(1_000, 50_000), are_many(3_000, 50_000), are_many(3_000, 10**7)
    (False, True, False)
    """
    return pairs > max(FEW, entries // PART)


@njit(cache=True)
def _weights_of(
    start: Nodes,
    stop: Nodes,
    neighbors: NDArray[np.int32],
    weights: Array,
    sources: Nodes,
    targets: Nodes,
) -> Array:
    found = np.zeros(sources.size)
    for k in range(sources.size):
        at = _place(start, stop, neighbors, sources[k], targets[k])
        if at >= 0:
            found[k] = weight_at(weights, at)
    return found


@njit(cache=True)
def _place(start: Nodes, stop: Nodes, neighbors: Nodes, i: int, j: int) -> int:
    for at in range(start[i], stop[i]):
        if neighbors[at] == j:
            return int(at)
    return -1


@njit(cache=True)
def _put(
    start: Nodes, stop: Nodes, neighbors: Nodes, weights: Array, i: int, j: int, weight: float
) -> float:
    """Set one entry of a row that has room; return the old weight."""
    at = _place(start, stop, neighbors, i, j)
    old = 0.0 if at < 0 else weights[at]
    if weight == 0.0:
        if at >= 0:
            last = stop[i] - 1
            neighbors[at], weights[at] = neighbors[last], weights[last]
            stop[i] = last
        return float(old)
    if at < 0:
        at = stop[i]
        stop[i] += 1
    neighbors[at], weights[at] = j, weight
    return float(old)


@njit(cache=True)
def _set_pairs(
    start: Nodes,
    stop: Nodes,
    neighbors: Nodes,
    weights: Array,
    sources: Nodes,
    targets: Nodes,
    values: Array,
) -> Array:
    old = np.empty(values.size)
    for k in range(values.size):
        u, v, weight = sources[k], targets[k], values[k]
        old[k] = _put(start, stop, neighbors, weights, u, v, weight)
        _put(start, stop, neighbors, weights, v, u, weight)
    return old


@njit(cache=True)
def _move(
    start: Nodes,
    stop: Nodes,
    room: Nodes,
    neighbors: Nodes,
    weights: Array,
    rows: Nodes,
    wanted: Nodes,
    used: int,
) -> int:
    """Move rows to the end of the pool, each with the space it wants; return the end."""
    for k in range(rows.size):
        i = rows[k]
        length = stop[i] - start[i]
        for at in range(length):
            neighbors[used + at] = neighbors[start[i] + at]
            weights[used + at] = weights[start[i] + at]
        start[i], stop[i], room[i] = used, used + length, wanted[k]
        used += wanted[k]
    return used


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
