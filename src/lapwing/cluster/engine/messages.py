"""What workers send each other before a pass: rows, or how they have changed, in 16 bits."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

PARTS = 254.0
"""A rest is remembered in this many parts of the last message's unit: it fits in 8 bits."""
LARGEST = 32767.0
ROUNDER = np.float32(1.5 * 2**23)
"""Added and taken away again, it rounds a number of up to 22 bits to an integer."""
SMALLEST = np.float32(1e-30)
"""A change below this counts as none: its unit would not be a normal number."""


class Messages:
    """The messages from one share to another: the same rows, pass after pass.

    A message holds the rows themselves (`whole`) or how they have changed since the last message
    (`changes`): 16 bits for a number, and 16 for the unit of its row. What rounding leaves over is
    remembered and added to the next change, so errors do not add up, and they become smaller as
    the method converges.

    Changes are written in turn into two arrays. When the third is written, the first has been
    received: by then the other share has done the pass that it was for.

    Examples
    --------
    >>> first, then = np.full((3, 2), 0.1, np.float32), np.full((3, 2), 0.1001, np.float32)
    >>> messages, further = Messages(np.array([2])), np.zeros((1, 2))
    >>> far = messages.whole(first, 2)
    >>> add_changes(further, far, 0, messages.changes(then, first, 2))
    >>> bool(abs(further - 0.1001).max() < 1e-7)
    True
    """

    def __init__(self, rows: NDArray[Any]) -> None:
        self._rows = rows.astype(np.int32)
        self._turn = 0
        self._written: list[NDArray[np.int16]] = []
        self._rest = np.empty((0, 0), dtype=np.int8)

    def __len__(self) -> int:
        return len(self._rows)

    def whole(self, now: NDArray[Any], width: int) -> NDArray[Any]:
        """Return the rows, the first `width` columns of them."""
        found = np.empty((len(self._rows), width), dtype=now.dtype)
        _copy_rows(now, self._rows, found)
        self._rest[:] = 0
        return found

    def changes(
        self, now: NDArray[np.float32], before: NDArray[np.float32], width: int
    ) -> NDArray[np.int16]:
        """Return how the rows differ from those of the last message, which were `before`."""
        size = len(self._rows)
        if self._rest.shape != (size, width):
            self._rest = np.zeros((size, width), dtype=np.int8)
            self._written = [np.zeros((size, width + 1), dtype=np.int16) for _ in range(2)]
        last, out = self._written if self._turn else self._written[::-1]
        self._turn = 1 - self._turn
        _write_changes(now, before, self._rows, self._rest, last, out)
        return out


def is_of_changes(message: NDArray[Any]) -> bool:
    """Whether a message holds changes, not the rows themselves."""
    return bool(message.dtype == np.int16)


@njit(cache=True, nogil=True)
def _copy_rows(now: Any, rows: Any, out: Any) -> None:
    for m in range(len(rows)):
        for k in range(out.shape[1]):
            out[m, k] = now[rows[m], k]


@njit(cache=True, nogil=True)
def _write_changes(now: Any, before: Any, rows: Any, rest: Any, last: Any, out: Any) -> None:
    """Write changes as multiples of a unit per row, whose upper 16 bits are the last column.

    `rest` is in parts of the units of the message before, which is `last`.
    """
    width = rest.shape[1]
    change = np.empty(width, dtype=np.float32)
    unit = np.zeros(1, dtype=np.float32)
    bits = unit.view(np.int32)
    for m in range(len(rows)):
        i = rows[m]
        bits[0] = np.int32(last[m, width]) << 16
        part = unit[0] / np.float32(PARTS)
        most = np.float32(0)
        for k in range(width):
            change[k] = now[i, k] - before[i, k] + part * np.float32(rest[m, k])
            most = max(most, abs(change[k]))
        if most < SMALLEST:
            out[m, :] = 0
            continue
        unit[0] = most / np.float32(LARGEST)
        bits[0] = ((bits[0] >> 16) + 1) << 16  # rounded up to what 16 bits can say
        inverse = np.float32(1) / unit[0]
        for k in range(width):
            exact = change[k] * inverse
            near = (exact + ROUNDER) - ROUNDER
            out[m, k] = np.int16(near)
            rest[m, k] = np.int8((exact - near) * np.float32(PARTS))
        out[m, width] = np.int16(bits[0] >> 16)


@njit(cache=True, nogil=True)
def add_changes(now: Any, before: Any, first: int, message: Any) -> None:
    """Write rows from `first` on: those before, and how they have changed."""
    width = message.shape[1] - 1
    unit = np.zeros(1, dtype=np.float32)
    bits = unit.view(np.int32)
    for m in range(len(message)):
        bits[0] = np.int32(message[m, width]) << 16
        for k in range(width):
            now[first + m, k] = before[first + m, k] + unit[0] * np.float32(message[m, k])
