"""Texts to consecutive codes in order of appearance, in compiled code.

Each distinct text has an entry of two words: its bytes, up to 15 of them, and its length, so that a
short text is compared whole in one look at memory. Of a longer one the entry has a checksum and the
length, and its bytes are compared, too: no two texts ever share a code. Codes are given by order of
appearance.
"""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from lapwing.io.text.compiled.fields import Field
from lapwing.io.text.compiled.integer_codes import Codes
from lapwing.linalg.row_sums import prefetched


class TextColumn(NamedTuple):
    """Texts by where they begin and end among some bytes, with the words they are compared by."""

    starts: NDArray[np.int32]
    stops: NDArray[np.int32]
    text: NDArray[np.uint8]
    words: NDArray[np.uint64]


def texts_of(field: Field) -> TextColumn | None:
    """The texts with their words; None if one is empty."""
    if (field.stops <= field.starts).any():
        return None
    return TextColumn(*field, _words(field))


_FREE = -1
_SHORT, _LENGTH, _LONG = 15, np.uint64(56), np.uint64(0xFF)
"""The most bytes of a short text; where its length is in the second word, and what is there for a
longer one."""
_BLOCK = 1 << 10
_MIX = np.uint64(0x9E3779B97F4A7C15)
_LITTLE = sys.byteorder == "little"


class KnownTexts(NamedTuple):
    """The texts known so far: a hash table of codes, and each code's entry and bytes."""

    table: Codes
    entries: NDArray[np.uint64]
    ends: NDArray[np.int64]
    bytes: NDArray[np.uint8]


class Texts:
    """A growing set of texts; the code of each is how many different ones came before.

    Examples
    --------
    >>> text = np.frombuffer(b"abcd", np.uint8)
    >>> field = Field(np.array([0, 1], np.int32), np.array([1, 3], np.int32), text)
    >>> column = texts_of(field)
    >>> texts = Texts()
    >>> [codes.tolist() for codes in texts.add(column, column)], texts.count
    ([[0, 1], [0, 1]], 2)
    """

    def __init__(self) -> None:
        self.count = 0
        self.known = KnownTexts(
            np.full(1 << 16, _FREE, dtype=np.int32),
            np.empty((1 << 14, 2), dtype=np.uint64),
            np.zeros(1 << 14, dtype=np.int64),
            np.empty(1 << 18, dtype=np.uint8),
        )

    def add(self, first: TextColumn, second: TextColumn) -> tuple[Codes, Codes]:
        """The codes of two columns, taken row by row, new texts appended."""
        rows = len(first.starts)
        codes = np.empty(rows, dtype=np.int32), np.empty(rows, dtype=np.int32)
        more = sum(int((side.stops - side.starts).sum()) for side in (first, second))
        self._make_room(2 * rows, more)
        self.count = _add(first, second, self.known, self.count, *codes)
        return codes

    def names(self) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        """Where each distinct text begins, with one end more, and all their bytes."""
        ends = self.known.ends[: self.count + 1]
        return ends, self.known.bytes[: ends[-1]]

    def _make_room(self, more: int, more_bytes: int) -> None:
        table, entries, ends, kept = self.known
        while self.count + more + 1 > len(entries):
            entries = np.concatenate([entries, np.empty_like(entries)])
            ends = np.concatenate([ends, np.zeros_like(ends)])
        while ends[self.count] + more_bytes > len(kept):
            kept = np.concatenate([kept, np.empty_like(kept)])
        size = len(table)
        while 2 * (self.count + more) > size:
            size *= 2
        if size > len(table):
            table = np.full(size, _FREE, dtype=np.int32)
            _rehash(entries[: self.count], table)
        self.known = KnownTexts(table, entries, ends, kept)


@intrinsic
def _eight_bytes(_: Any, text: Any, at: Any) -> Any:
    """The eight bytes from a position on, as one number; they must be there."""

    def code(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        first = builder.gep(array.data, [arguments[1]])
        return builder.load(builder.bitcast(first, ir.IntType(64).as_pointer()), align=1)

    return types.uint64(text, at), code


@njit(cache=True, nogil=True)
def _words(field: Field) -> NDArray[np.uint64]:
    """Each text's entry: its bytes or a checksum, and its length."""
    starts, stops, text = field.starts, field.stops, field.text
    words = np.empty((len(starts), 2), dtype=np.uint64)
    for i in range(len(starts)):
        start, stop = starts[i], stops[i]
        size = stop - start
        low = high = np.uint64(0)
        if size > _SHORT:
            for k in range(start, stop):
                low = (low ^ np.uint64(text[k])) * _MIX
                low ^= low >> np.uint64(29)
            words[i, 0], words[i, 1] = low, np.uint64(size) | (_LONG << _LENGTH)
            continue
        if _LITTLE and start + 16 <= len(text):
            low = _eight_bytes(text, np.int64(start))
            if size < 8:
                low &= (np.uint64(1) << np.uint64(8 * size)) - np.uint64(1)
            else:
                rest = np.uint64(8 * (size - 8))
                high = _eight_bytes(text, np.int64(start + 8)) & (
                    (np.uint64(1) << rest) - np.uint64(1)
                )
        else:
            for k in range(start, min(stop, start + 8)):
                low |= np.uint64(text[k]) << np.uint64(8 * (k - start))
            for k in range(start + 8, stop):
                high |= np.uint64(text[k]) << np.uint64(8 * (k - start - 8))
        words[i, 0], words[i, 1] = low, high | (np.uint64(size) << _LENGTH)
    return words


@njit(cache=True, nogil=True)
def _hash(low: np.uint64, high: np.uint64) -> np.uint64:
    """The hash of an entry."""
    mixed = (low ^ (low >> np.uint64(31))) * _MIX
    mixed = ((mixed ^ (mixed >> np.uint64(29))) + high) * _MIX
    mixed = (mixed ^ (mixed >> np.uint64(32))) * _MIX
    return mixed ^ (mixed >> np.uint64(32))


@njit(cache=True, nogil=True)
def _add(
    first: TextColumn, second: TextColumn, known: KnownTexts, count: int, ours: Codes, theirs: Codes
) -> int:
    """The codes of both columns, in blocks that stay in the processor's cache."""
    slots = np.empty(_BLOCK, dtype=np.uint64)
    for start in range(0, len(ours), _BLOCK):
        stop = min(start + _BLOCK, len(ours))
        _find(first, start, stop, known, ours, slots)
        _find(second, start, stop, known, theirs, slots)
        for i in range(start, stop):
            if ours[i] == _FREE:
                ours[i] = _code(first, i, known, count)
                count = max(count, ours[i] + 1)
            if theirs[i] == _FREE:
                theirs[i] = _code(second, i, known, count)
                count = max(count, theirs[i] + 1)
    return count


@njit(cache=True, nogil=True)
def _find(
    column: TextColumn,
    start: int,
    stop: int,
    known: KnownTexts,
    codes: Codes,
    slots: NDArray[np.uint64],
) -> None:
    """The code of each text that is known, `_FREE` for the others."""
    words, table, entries = column.words, known.table, known.entries
    mask = np.uint64(len(table) - 1)
    for i in range(start, stop):  # all first, so that the waits for memory overlap
        slots[i - start] = _hash(words[i, 0], words[i, 1]) & mask
        prefetched(table, slots[i - start])
    for i in range(start, stop):
        codes[i] = table[slots[i - start]]
        prefetched(entries, np.uint64(2) * np.uint64(max(codes[i], 0)))
    for i in range(start, stop):
        slot, code = slots[i - start], codes[i]
        low, high = words[i, 0], words[i, 1]
        while code != _FREE:
            entry = np.uint32(code)
            alike = entries[entry, 0] == low and entries[entry, 1] == high
            if alike and (high >> _LENGTH != _LONG or _same(column, i, known, code)):
                break
            slot = (slot + np.uint64(1)) & mask
            code = table[slot]
        codes[i] = code


@njit(cache=True, nogil=True)
def _same(column: TextColumn, i: int, known: KnownTexts, code: int) -> bool:
    """Whether two texts of one length have the same bytes."""
    text, kept, start, at = column.text, known.bytes, column.starts[i], known.ends[code]
    size = column.stops[i] - start
    k = 0
    while k < size and kept[at + k] == text[start + k]:
        k += 1
    return bool(k == size)


@njit(cache=True, nogil=True)
def _code(column: TextColumn, i: int, known: KnownTexts, count: int) -> int:
    """The code of one text, which is `count` if it is new."""
    words, table, entries, ends = column.words, known.table, known.entries, known.ends
    mask = np.uint64(len(table) - 1)
    low, high = words[i, 0], words[i, 1]
    slot = _hash(low, high) & mask
    while table[slot] != _FREE:
        code = table[slot]
        alike = entries[code, 0] == low and entries[code, 1] == high
        if alike and (high >> _LENGTH != _LONG or _same(column, i, known, code)):
            return int(code)
        slot = (slot + np.uint64(1)) & mask
    table[slot] = count
    entries[count, 0], entries[count, 1] = low, high
    start, at = column.starts[i], ends[count]
    size = column.stops[i] - start
    ends[count + 1] = at + size
    for k in range(size):
        known.bytes[at + k] = column.text[start + k]
    return count


@njit(cache=True, nogil=True)
def _rehash(entries: NDArray[np.uint64], table: Codes) -> None:
    mask = np.uint64(len(table) - 1)
    for code in range(len(entries)):
        slot = _hash(entries[code, 0], entries[code, 1]) & mask
        while table[slot] != _FREE:
            slot = (slot + np.uint64(1)) & mask
        table[slot] = code
