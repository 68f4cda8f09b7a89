"""One compiled pass over the edges for many columns at once, close to the memory's speed."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property, partial
from typing import Any, Self

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import sparse

from lapwing.linalg.row_sums import prefetched, step_2, step_4, step_8, step_16
from lapwing.linalg.stored_weights import stored_weights
from lapwing.types import Array

WORTH_THREADS = 4_000_000
"""Fewer numbers than this are multiplied by one thread."""
FAR_AHEAD, NEARBY = 64, 1 << 20
"""How many neighbours in advance a single column is fetched if it has more bytes than these."""

PaddedColumns = NDArray[Any]


class Passes:
    r"""Compute :math:`a\,P X + b\,X + c\,Y + e\,R` for the random walk :math:`P = D^{-1} A`.

    All columns of X are multiplied in one pass over the edges. Rows are padded to whole cache
    lines (`room`), sums are kept in vector registers, and neighbours' rows are fetched ahead. A
    graph whose weights are all equal is read without them. Large passes share the rows out between
    threads; the result does not depend on how many there are. An isolated node's row of PX is 0.
    With `damping`, every degree in D counts so many edges of mean weight more.

    Examples
    --------
    >>> path = sparse.csr_array(np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    >>> passes = Passes(path, np.float64)
    >>> now, old = passes.room(np.array([[2.0], [0.0], [4.0]])), passes.room(np.zeros((3, 1)))
    >>> passes.step(now, old, a=1.0)
    >>> old.ravel()
    array([0., 3., 0.])
    """

    def __init__(
        self,
        adjacency: sparse.csr_array,
        kind: type[np.floating[Any]] = np.float32,
        *,
        damping: float = 0.0,
    ) -> None:
        data = stored_weights(adjacency)
        even = len(data) <= 1 or bool((data == data[0]).all())
        sums = None if even else np.asarray(adjacency.sum(axis=1)).ravel()
        weights = None if even else data
        self._set(adjacency.indptr, adjacency.indices, weights, sums, kind, damping)

    @classmethod
    def of_rows(
        cls,
        starts: NDArray[Any],
        ends: NDArray[Any],
        weights: NDArray[Any] | None,
        sums: Array | None,
        kind: type[np.floating[Any]] = np.float32,
    ) -> Self:
        """Make passes over some rows of a graph, with their sums; without weights all are equal.

        The columns `now` of a step then have more rows than these: the ends that are outside.

        Examples
        --------
        >>> one = Passes.of_rows(np.array([0, 2]), np.array([1, 2]), None, None, np.float64)
        >>> now, old = one.room(np.array([[0.0], [2.0], [4.0]])), one.room(np.zeros((1, 1)))
        >>> one.step(now, old, a=1.0)
        >>> old
        array([[3.]])
        """
        made = cls.__new__(cls)
        made._set(starts, ends, weights, sums, kind)
        return made

    def _set(
        self,
        starts: NDArray[Any],
        ends: NDArray[Any],
        weights: NDArray[Any] | None,
        sums: Array | None,
        kind: type[np.floating[Any]],
        damping: float = 0.0,
    ) -> None:
        self.kind, self.n = kind, len(starts) - 1
        self._starts = starts.astype(np.int64, copy=False)
        self._ends = ends.astype(np.int32 if len(ends) < 2**31 else np.int64, copy=False)
        counts = np.diff(self._starts)
        total = counts if weights is None or sums is None else sums
        if damping:
            unit = 1.0 if weights is None else float(weights.mean())
            total = np.where(total > 0, total + damping * unit, 0.0)
        shares = np.divide(1.0, total, out=np.zeros(self.n), where=total > 0)
        self._weights = (
            None if weights is None else _row_shares(weights, self._starts, shares, kind(0))
        )
        self._shares = (shares if weights is None else shares > 0).astype(kind)

    def room(self, values: PaddedColumns) -> PaddedColumns:
        """Return a copy with its columns padded by zeros, so that rows fill whole cache lines."""
        found = in_lines(values.shape, self.kind)
        found[:, : values.shape[1]] = values
        return found

    def step(
        self,
        now: PaddedColumns,
        old: PaddedColumns,
        *,
        a: float,
        b: float = 0.0,
        c: float = 0.0,
        e: float = 0.0,
        right: PaddedColumns | None = None,
    ) -> None:
        """Replace `old` by ``a P now + b now + c old + e right``; both from `room`."""
        kind = self.kind
        factors = (kind(a), kind(b), kind(c), kind(e))
        if now.shape[1] == 1:
            arrays = (*self._unsigned, self._weights, self._shares, now[:, 0], old[:, 0])
            only = None if right is None else right[:, 0]
            call: Callable[[int, int], None] = (
                partial(_fetched_pass, *arrays, factors[0])
                if b == c == 0.0 and right is None and now.nbytes > NEARBY
                else partial(_single_pass, *arrays, only, factors)
            )
        else:
            arrays = (self._starts, self._ends, self._weights, self._shares, now, old)
            added = None if right is None else np.ascontiguousarray(right, dtype=kind)
            call = partial(_pass, *arrays, added, factors)
        if self._ends.size * now.shape[1] < WORTH_THREADS or len(_cores()) == 1:
            call(0, self.n)
            return
        cuts = self._cuts()
        list(_threads().map(call, cuts[:-1], cuts[1:]))

    @cached_property
    def _unsigned(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Where rows start and end, and their neighbours, as integers without a sign.

        Compiled code does not ask then whether an index counts from the end.
        """
        kind = np.uint32 if self._ends.itemsize == 4 else np.uint64
        return self._starts.astype(kind), self._ends.view(kind)

    def _cuts(self) -> list[int]:
        """Where the rows are cut so that each part has about as many edges."""
        parts = 4 * len(_cores())
        edges = np.linspace(0, self._ends.size, parts + 1)[1:-1]
        return [0, *np.searchsorted(self._starts, edges).tolist(), self.n]


def in_lines(shape: tuple[int, ...], kind: type[np.floating[Any]]) -> PaddedColumns:
    """Return zeros with columns padded so that rows are aligned with cache lines.

    Examples
    --------
    >>> in_lines((5, 10), np.float32).shape, in_lines((5, 3), np.float64).shape
    ((5, 16), (5, 4))
    """
    line, size = 64, np.dtype(kind).itemsize
    wide = shape[1] * size
    width = line * -(-wide // line) if wide > line else 1 << max(wide - 1, 0).bit_length()
    raw = np.zeros(shape[0] * width + line, dtype=np.uint8)
    start = -raw.ctypes.data % line
    return raw[start : start + shape[0] * width].view(kind).reshape(shape[0], width // size)


@cache
def _cores() -> frozenset[int]:
    return frozenset(os.sched_getaffinity(0))


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(len(_cores()), thread_name_prefix="lapwing-passes")


@njit(cache=True, nogil=True)
def _row_shares(weights: Any, starts: Any, factors: Any, zero: Any) -> Any:
    """Return the weights times the factors of their rows, in the type of `zero`."""
    found = np.empty(weights.size, dtype=type(zero))
    for i in range(factors.size):
        for at in range(starts[i], starts[i + 1]):
            found[at] = weights[at] * factors[i]
    return found


@njit(cache=True, nogil=True)
def _pass(  # noqa: PLR0913 - one branch per width, one argument per array
    starts: Any, ends: Any, weights: Any, shares: Any, now: Any, old: Any, right: Any,
    factors: Any, first: int, last: int,
) -> None:  # fmt: skip
    """Write ``a P now + b now + c old + e right`` to rows `first` to `last` of `old`."""
    a, b, c, e = factors
    width = now.shape[1]
    lanes = min(width, 64 // now.itemsize)
    for i in range(first, last):
        share, begin, end = a * shares[i], starts[i], starts[i + 1]
        for j in range(0, width, lanes):
            if lanes == 16:
                step_16(ends, weights, now, old, right, begin, end, i, j, share, b, c, e)
            elif lanes == 8:
                step_8(ends, weights, now, old, right, begin, end, i, j, share, b, c, e)
            elif lanes == 4:
                step_4(ends, weights, now, old, right, begin, end, i, j, share, b, c, e)
            else:
                step_2(ends, weights, now, old, right, begin, end, i, j, share, b, c, e)


@njit(cache=True, nogil=True)
def _single_pass(  # noqa: PLR0913 - as above
    starts: Any, ends: Any, weights: Any, shares: Any, now: Any, old: Any, right: Any,
    factors: Any, first: int, last: int,
) -> None:  # fmt: skip
    """What `_pass` does, for one column, which needs no vectors and waits little for memory."""
    a, b, c, e = factors
    one = np.uint64(1)
    for row in range(first, last):
        i = np.uint64(row)  # without a sign: compiled code need not ask if it counts from the end
        total = now.dtype.type(0)
        for at in range(starts[i], starts[i + one]):
            if weights is None:
                total += now[ends[at]]
            else:
                total += weights[at] * now[ends[at]]
        new = a * shares[i] * total
        if b != 0.0:
            new += b * now[i]
        if c != 0.0:
            new += c * old[i]
        if right is not None:
            new += e * right[i]
        old[i] = new


@njit(cache=True, nogil=True)
def _fetched_pass(  # noqa: PLR0913 - as above
    starts: Any, ends: Any, weights: Any, shares: Any, now: Any, old: Any, a: Any,
    first: int, last: int,
) -> None:  # fmt: skip
    """Write ``a P now`` for one column that the nearest caches do not hold: it is fetched ahead."""
    one, ahead, final = np.uint64(1), np.uint64(FAR_AHEAD), np.uint64(max(ends.size, 1) - 1)
    for row in range(first, last):
        i = np.uint64(row)
        total = now.dtype.type(0)
        for at in range(starts[i], starts[i + one]):
            prefetched(now, ends[min(at + ahead, final)])
            if weights is None:
                total += now[ends[at]]
            else:
                total += weights[at] * now[ends[at]]
        old[i] = a * shares[i] * total
