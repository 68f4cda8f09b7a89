"""Compiled code that turns edges into sorted CSR rows, on two threads for large graphs.

Each thread works on its own directions and rows, so the result does not depend on their number.
Small graphs are assembled by NumPy, with the same result: compiling would take longer.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lapwing.types import Array, Nodes

_WORTH_A_THREAD = 200_000
_SHORT = 48
BY_NUMPY = 50_000
"""Up to so many edges NumPy assembles the graph."""


def assembled(
    n: int,
    sources: NDArray[Any],
    targets: NDArray[Any],
    weights: Array | None,
    *,
    both: bool,
    add: bool,
) -> tuple[tuple[Array, NDArray[np.int32], Nodes], tuple[int, int, int]]:
    """Build CSR arrays of the edges, in one or both directions; count what was dropped or merged.

    Edges without `weights` weigh 1 each. Repeated entries are summed, or their maximum is taken.
    If all entries weigh 1 for want of weights, the array of weights has one element for all.
    """
    if len(sources) <= BY_NUMPY:
        return _by_numpy(n, sources, targets, weights, both=both, add=add)
    given = np.ones(1) if weights is None else weights
    ways = [(sources, targets), (targets, sources)][: 2 if both else 1]
    counts = [np.zeros(n, dtype=np.int32) for _ in ways]
    seen = _shared(
        _count,
        [(*way, given, count) for way, count in zip(ways, counts, strict=True)],
        len(sources),
    )
    loops, zeros = seen[0]
    indptr = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(sum(counts), dtype=np.int64, out=indptr[1:])
    indices = np.empty(indptr[-1], dtype=np.int32)
    unit = weights is None
    data = np.empty(0 if unit else indptr[-1], dtype=np.float64)
    starts = [indptr[:-1].copy(), indptr[:-1] + counts[0]][: len(ways)]
    _shared(
        _scatter,
        [(*way, given, unit, at, indices, data) for way, at in zip(ways, starts, strict=True)],
        len(sources),
    )
    del starts, counts
    repeated = not unit or _sorted_rows_repeat(indptr, indices)
    if unit:
        data = np.ones(int(indptr[-1]) if add and repeated else 1)
    merged = _merge(indptr, indices, data, add) if repeated else 0
    return (data, indices, indptr), (loops, zeros, merged)


def _by_numpy(
    n: int,
    sources: NDArray[Any],
    targets: NDArray[Any],
    weights: Array | None,
    *,
    both: bool,
    add: bool,
) -> tuple[tuple[Array, NDArray[np.int32], Nodes], tuple[int, int, int]]:
    """What `assembled` returns, by one stable sort of all entries."""
    given = np.ones(len(sources)) if weights is None else weights
    given = np.broadcast_to(given, len(sources)) if len(given) == 1 else given
    zero = given == 0.0
    loop = (sources == targets) & ~zero
    kept = ~(zero | loop)
    ends = sources[kept].astype(np.int64), targets[kept].astype(np.int64)
    rows, columns = map(np.concatenate, (ends, ends[::-1])) if both else ends
    values = np.tile(given[kept], 2 if both else 1)
    keys = rows * n + columns
    order = np.argsort(keys, kind="stable")
    keys, values = keys[order], values[order]
    first = np.ones(len(keys), dtype=bool)
    first[1:] = keys[1:] != keys[:-1]
    entry = np.cumsum(first) - 1
    data = np.asarray(values[first], dtype=np.float64)
    if len(data) < len(values):  # equal entries one after the other, in the order they came
        rest = ~first
        (np.add if add else np.maximum).at(data, entry[rest], values[rest])
    indptr = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(np.bincount(rows[order][first], minlength=n), out=indptr[1:])
    indices = columns[order][first].astype(np.int32)
    counted = int(loop.sum()), int(zero.sum()), len(values) - len(data)
    if weights is None and not (add and counted[2]):
        data = np.ones(1)
    return (data, indices, indptr), counted


def _sorted_rows_repeat(indptr: Nodes, indices: NDArray[np.int32]) -> bool:
    """Sort rows that have no weights yet; return whether one has an entry twice."""
    parts = [(indptr, indices, *part) for part in _halves(indptr)]
    return any(_shared(_sorted_rows, parts, int(indptr[-1])))


def _halves(indptr: Nodes) -> list[tuple[int, int]]:
    """Two ranges of rows with about as many entries."""
    n = len(indptr) - 1
    middle = int(np.searchsorted(indptr, int(indptr[-1]) // 2))
    return [(0, middle), (middle, n)]


def _merge(indptr: Nodes, indices: NDArray[np.int32], data: Array, add: bool) -> int:
    """Sort the rows, merge repeats and close the gaps in place; return the number merged.

    With one weight for all entries, rows are sorted already.
    """
    total, n = int(indptr[-1]), len(indptr) - 1
    ends = np.empty(n, dtype=np.int64)
    _shared(
        _sort_and_join,
        [(indptr, indices, data, add, *part, ends) for part in _halves(indptr)],
        total,
    )
    kept = int(_close_gaps(indptr, indices, data, ends))
    indices.resize(kept, refcheck=False)
    if len(data) == total:
        data.resize(kept, refcheck=False)
    return total - kept


def _shared(work: Callable[..., Any], parts: list[tuple[Any, ...]], size: int) -> list[Any]:
    if size < _WORTH_A_THREAD or len(parts) == 1:
        return [work(*part) for part in parts]
    with ThreadPoolExecutor(len(parts)) as threads:
        return list(threads.map(lambda part: work(*part), parts))


@njit(cache=True, nogil=True)
def _count(
    sources: Nodes, targets: Nodes, weights: Array, count: NDArray[np.int32]
) -> tuple[int, int]:
    """Count the entries of each row; `weights` of length 1 applies to all edges."""
    loops = zeros = 0
    one = len(weights) == 1
    for e in range(len(sources)):
        if weights[0 if one else e] == 0.0:
            zeros += 1
        elif sources[e] == targets[e]:
            loops += 1
        else:
            count[sources[e]] += 1
    return loops, zeros


@njit(cache=True, nogil=True)
def _scatter(
    sources: Nodes,
    targets: Nodes,
    weights: Array,
    unit: bool,
    place: Nodes,
    indices: NDArray[np.int32],
    data: Array,
) -> None:
    one = len(weights) == 1
    for e in range(len(sources)):
        row, weight = sources[e], weights[0 if one else e]
        if row != targets[e] and weight != 0.0:
            at = place[row]
            place[row] = at + 1
            indices[at] = targets[e]
            if not unit:
                data[at] = weight


@njit(cache=True, nogil=True)
def _sorted_rows(indptr: Nodes, indices: NDArray[np.int32], low: int, high: int) -> bool:
    """Sort rows that have no weights yet; return whether one has an entry twice."""
    buffer = np.empty(_SHORT, dtype=np.int32)
    repeated = False
    for row in range(low, high):
        start, stop = indptr[row], indptr[row + 1]
        _sort_indices(indices, start, stop, buffer)
        for k in range(start + 1, stop):
            repeated |= indices[k - 1] == indices[k]
    return repeated


@njit(cache=True, nogil=True)
def _sort_and_join(
    indptr: Nodes,
    indices: NDArray[np.int32],
    data: Array,
    add: bool,
    low: int,
    high: int,
    ends: Nodes,
) -> None:
    """Sort and merge each row in place; `ends` receives the new end of each row."""
    buffer, values = np.empty(_SHORT, dtype=np.int32), np.empty(_SHORT)
    weighted = data.size == indices.size
    for row in range(low, high):
        start, stop = indptr[row], indptr[row + 1]
        if weighted:
            _sort_row(indices, data, start, stop, buffer, values)
        k = start + 1
        while k < stop and indices[k - 1] != indices[k]:
            k += 1
        end = min(k, stop)
        while k < stop:
            if indices[end - 1] == indices[k]:
                if weighted:
                    data[end - 1] = data[end - 1] + data[k] if add else max(data[end - 1], data[k])
            else:
                indices[end] = indices[k]
                if weighted:
                    data[end] = data[k]
                end += 1
            k += 1
        ends[row] = end


@njit(cache=True, nogil=True)
def _close_gaps(indptr: Nodes, indices: NDArray[np.int32], data: Array, ends: Nodes) -> int:
    kept = 0
    weighted = data.size == indices.size
    for row in range(len(ends)):
        start, stop = indptr[row], ends[row]
        indptr[row] = kept
        if start == kept:
            kept = stop
            continue
        for k in range(start, stop):
            indices[kept] = indices[k]
            if weighted:
                data[kept] = data[k]
            kept += 1
    indptr[len(ends)] = kept
    return kept


@njit(cache=True, nogil=True)
def _sort_indices(
    indices: NDArray[np.int32], start: int, stop: int, buffer: NDArray[np.int32]
) -> None:
    """Sort a row; a short row is sorted by counting the smaller entries."""
    size = stop - start
    if size > _SHORT:
        indices[start:stop].sort()
        return
    for i in range(size):
        buffer[i] = indices[start + i]
    for i in range(size):
        at, entry = start, buffer[i]
        for j in range(i):
            at += buffer[j] <= entry
        for j in range(i + 1, size):
            at += buffer[j] < entry
        indices[at] = entry


@njit(cache=True, nogil=True)
def _sort_row(
    indices: NDArray[np.int32],
    data: Array,
    start: int,
    stop: int,
    buffer: NDArray[np.int32],
    values: Array,
) -> None:
    """Sort a row and its weights; equal entries keep their order, so sums are always the same."""
    size = stop - start
    if size > _SHORT:
        order = np.argsort(indices[start:stop], kind="mergesort")
        indices[start:stop] = indices[start:stop][order]
        data[start:stop] = data[start:stop][order]
        return
    for i in range(size):
        buffer[i], values[i] = indices[start + i], data[start + i]
    for i in range(size):
        at, entry = start, buffer[i]
        for j in range(i):
            at += buffer[j] <= entry
        for j in range(i + 1, size):
            at += buffer[j] < entry
        indices[at], data[at] = entry, values[i]
