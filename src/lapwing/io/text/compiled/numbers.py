"""Columns of numbers, read by compiled code from the file's bytes: integers and decimals.

Only integers in their plain form are read as integers, since 007 and 1.5 are names. Decimals become
the nearest double, and the compiled code says when it is not sure: digits up to
2**53 over or times a power of ten up to 10**22 are both exact in doubles, so one division or
product rounds once, as it should (Clinger 1990). More digits are divided with the remainder
carried, and decided unless the result is very close to the middle between two doubles; then Python
reads it.

Reference: W. D. Clinger. How to read floating point numbers accurately. PLDI 1990.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lapwing.io.text.compiled.fields import Field
from lapwing.io.text.rows import is_number
from lapwing.types import Array

_MINUS, _ZERO = 45, 48
_POWERS = np.array([float(10**k) for k in range(23)])
_EXACT = np.uint64(1 << 53)
_HUGE = 1 << 20
UNDECIDED = -1.0
"""No weight is negative, so this stands for text that is not decided here."""


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
    if not _read_integers(field, values):
        return None
    small = len(values) and values.min() >= -(1 << 31) and values.max() < 1 << 31
    return values.astype(np.int32) if small else values


@njit(cache=True, nogil=True)
def _read_integers(field: Field, values: NDArray[np.int64]) -> bool:
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


def weights_of(field: Field) -> Array | None:
    """The column as numbers, none negative or infinite; None if one is not.

    Examples
    --------
    >>> text = np.frombuffer(b"0.1234567890123456789 1e3", np.uint8)
    >>> weights_of(Field(np.array([0, 22], np.int32), np.array([21, 25], np.int32), text))
    array([1.23456789e-01, 1.00000000e+03])
    """
    weights = np.empty(len(field.starts))
    _read_decimals(field, weights)
    for row in np.flatnonzero(weights < 0.0):
        text = field.text[field.starts[row] : field.stops[row]].tobytes().decode("utf-8")
        value = float(text) if is_number(text) else UNDECIDED
        if not 0.0 <= value < np.inf:
            return None
        weights[row] = value
    return weights


@njit(cache=True, nogil=True)
def _read_decimals(field: Field, weights: Array) -> None:
    """The numbers that are plain and certain; `UNDECIDED` in place of the others."""
    text = field.text
    for row in range(len(weights)):
        start, stop = field.starts[row], field.stops[row]
        digits, exponent, k, point, first = np.uint64(0), 0, start, stop, stop
        while k < stop:
            byte = np.int64(text[k]) - 48
            if 0 <= byte <= 9:
                digits = digits * np.uint64(10) + np.uint64(byte)
                if byte > 0 and first == stop:
                    first = k
            elif byte == -2 and point == stop:
                point = k
            else:
                break
            k += 1
        if point < stop:
            exponent = point + 1 - k
        if k < stop:
            exponent += _exponent(text, k, stop)
        nothing = k - start == (point < stop)
        weights[row] = UNDECIDED if nothing or k - first > 19 else _scaled(digits, exponent)


@njit(cache=True, nogil=True)
def _exponent(text: NDArray[np.uint8], k: int, stop: int) -> int:
    """The number after an e, up to the end; a huge one if there is something else."""
    if (text[k] != 101 and text[k] != 69) or stop - k > 6:
        return _HUGE
    k += 1
    negative = k < stop and text[k] == 45
    if k < stop and (negative or text[k] == 43):
        k += 1
    value = np.int64(0 if k < stop else _HUGE)
    while k < stop:
        digit = np.int64(text[k]) - 48
        value = value * 10 + digit if 0 <= digit <= 9 else np.int64(_HUGE)
        k += 1
    return int(-value if negative else value)


@njit(cache=True, nogil=True)
def _scaled(digits: np.uint64, exponent: int) -> float:
    """`digits` times ten to the `exponent`, rounded once, or `UNDECIDED`."""
    if exponent < -22 or exponent > 22:
        return UNDECIDED
    if digits == 0:
        return 0.0
    power = _POWERS[abs(exponent)]
    if digits <= _EXACT:
        return float(float(digits) * power if exponent >= 0 else float(digits) / power)
    if exponent > 0:
        return UNDECIDED
    high = float(digits >> np.uint64(11)) * 2048.0
    low = float(digits & np.uint64(2047))
    quotient = high / power
    rest = (_remainder(high, quotient, power) + low) / power
    rounded = quotient + rest
    missed = rest - (rounded - quotient)
    half = 0.5 * (np.nextafter(rounded, np.inf) - rounded)
    if abs(missed) > half * 0.9999:
        return UNDECIDED
    return float(rounded)


@njit(cache=True, nogil=True)
def _remainder(value: float, quotient: float, power: float) -> float:
    """``value - quotient * power`` without rounding: Dekker's product of two halves each."""
    split = 134217729.0
    a = quotient * split
    q_high = a - (a - quotient)
    q_low = quotient - q_high
    b = power * split
    p_high = b - (b - power)
    p_low = power - p_high
    product = quotient * power
    error = ((q_high * p_high - product) + q_high * p_low + q_low * p_high) + q_low * p_low
    return (value - product) - error
