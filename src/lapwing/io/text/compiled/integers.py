"""Columns of integers, read by compiled code from the file's bytes.

A general reader of tables takes 007 for 7 and 1.5 for 2 where it expects integers. This one reads
only integers in their plain form.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lapwing.io.text.compiled.fields import Field

_MINUS, _ZERO = 45, 48


def integers_of(field: Field) -> NDArray[Any] | None:
    """The column as integers; None if one is not in its plain form, or has over 18 digits.

    They come in 32 bits where these suffice.

    Examples
    --------
    >>> text = np.frombuffer(b"-12,007", np.uint8)
    >>> integers_of(Field(np.array([0], np.int32), np.array([3], np.int32), text))
    array([-12], dtype=int32)
    >>> integers_of(Field(np.array([4], np.int32), np.array([7], np.int32), text)) is None
    True
    """
    values = np.empty(len(field.starts), dtype=np.int64)
    if not _read(field, values):
        return None
    small = len(values) and values.min() >= -(1 << 31) and values.max() < 1 << 31
    return values.astype(np.int32) if small else values


@njit(cache=True, nogil=True)
def _read(field: Field, values: NDArray[np.int64]) -> bool:
    text = field.text
    for row in range(len(values)):
        k, stop = field.starts[row], field.stops[row]
        negative = k < stop and text[k] == _MINUS
        if negative:
            k += 1
        size, first, value = stop - k, k, np.int64(0)
        while k < stop:
            digit = np.int64(text[k]) - _ZERO
            if digit < 0 or digit > 9:
                return False
            value = value * 10 + digit
            k += 1
        if size < 1 or size > 18 or (text[first] == _ZERO and (size > 1 or negative)):
            return False
        values[row] = -value if negative else value
    return True
