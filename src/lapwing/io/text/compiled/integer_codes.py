"""Integers to consecutive codes by rising value, in compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lapwing.graph import Names

Codes = NDArray[np.int32]
_FREE = -1


def integer_codes(parts: list[NDArray[Any]]) -> tuple[list[Codes], Names]:
    """Each integer's rank among the distinct ones of all parts.

    Examples
    --------
    >>> codes, names = integer_codes([np.array([70, 3]), np.array([5, 3])])
    >>> [c.tolist() for c in codes], names
    ([[2, 0], [1, 0]], (3, 5, 70))
    """
    total = sum(map(len, parts))
    if total == 0:
        return [part.astype(np.int32) for part in parts], Names(range(0))
    low = min(int(part.min()) for part in parts if len(part))
    high = max(int(part.max()) for part in parts if len(part))
    if high - low < 4 * total + 1024:
        seen = np.zeros(high - low + 1, dtype=np.bool_)
        for part in parts:
            _mark(part, low, seen)
        rank = np.cumsum(seen, dtype=np.int32) - np.int32(1)
        values = range(low, high + 1) if seen.all() else np.flatnonzero(seen) + low
        return [_ranked(part, low, rank) for part in parts], Names(values, distinct=True)
    table = IntegerTable()
    codes = [table.add(part.astype(np.int64, copy=False)) for part in parts]
    values = table.keys[: table.count]
    order = np.argsort(values)
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return [rank[part] for part in codes], Names(values[order], distinct=True)


class IntegerTable:
    """A growing set of integers, each with the number of distinct ones before it."""

    def __init__(self) -> None:
        self.count = 0
        self.keys = np.empty(1 << 16, dtype=np.int64)
        self.table = np.full(1 << 18, _FREE, dtype=np.int32)

    def add(self, values: NDArray[np.int64]) -> Codes:
        """The codes of these values, new ones appended."""
        codes = np.empty(len(values), dtype=np.int32)
        for start in range(0, len(values), 1 << 16):
            block = values[start : start + (1 << 16)]
            self._make_room(len(block))
            self.count = _add_integers(
                block, self.table, self.keys, self.count, codes[start : start + len(block)]
            )
        return codes

    def _make_room(self, more: int) -> None:
        if self.count + more > len(self.keys):
            self.keys = np.concatenate([self.keys, np.empty_like(self.keys)])
        if 3 * (self.count + more) > len(self.table):
            self.table = np.full(2 * len(self.table), _FREE, dtype=np.int32)
            known = self.keys[: self.count].copy()
            _add_integers(known, self.table, self.keys, 0, np.empty(len(known), dtype=np.int32))


@njit(cache=True, nogil=True)
def _mark(values: NDArray[Any], low: int, seen: NDArray[np.bool_]) -> None:
    for value in values:
        seen[value - low] = True


@njit(cache=True, nogil=True)
def _ranked(values: NDArray[Any], low: int, rank: Codes) -> Codes:
    codes = np.empty(len(values), dtype=np.int32)
    for i in range(len(values)):
        codes[i] = rank[values[i] - low]
    return codes


@njit(cache=True, nogil=True)
def _add_integers(
    values: NDArray[np.int64], table: Codes, keys: NDArray[np.int64], count: int, codes: Codes
) -> int:
    mask = np.uint64(len(table) - 1)
    for i in range(len(values)):
        mixed = np.uint64(values[i]) * np.uint64(0x9E3779B97F4A7C15)
        slot = (mixed ^ (mixed >> np.uint64(32))) & mask
        while table[slot] != _FREE and keys[table[slot]] != values[i]:
            slot = (slot + np.uint64(1)) & mask
        if table[slot] == _FREE:
            table[slot] = count
            keys[count] = values[i]
            count += 1
        codes[i] = table[slot]
    return count
