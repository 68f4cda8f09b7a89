"""Compiled steps on the inverse of ``b I + a_1 x_1 x_1' + a_2 x_2 x_2' + ...``."""

from __future__ import annotations

import numpy as np
from numba import njit

from lapwing.checks import finite_positive
from lapwing.errors import InputError
from lapwing.linalg.products import dot
from lapwing.types import Array


@njit(cache=True)
def inverse_times(inverse: Array, x: Array, out: Array) -> float:
    """Write A^-1 x into `out` and return x' A^-1 x; `inverse` is symmetric.

    Examples
    --------
    >>> out = np.empty(2)
    >>> float(inverse_times(np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([1.0, 3.0]), out))
    26.0
    >>> out.tolist()
    [5.0, 7.0]
    """
    size = x.size
    whole = size - size % 8
    for j in range(size):
        out[j] = 0.0
    for i in range(0, whole, 8):  # eight rows a pass: `out` is loaded and stored an eighth as often
        a, b, c, d = x[i], x[i + 1], x[i + 2], x[i + 3]
        e, f, g, h = x[i + 4], x[i + 5], x[i + 6], x[i + 7]
        for j in range(size):
            upper = (a * inverse[i, j] + b * inverse[i + 1, j]) + (
                c * inverse[i + 2, j] + d * inverse[i + 3, j]
            )
            out[j] += upper + (
                (e * inverse[i + 4, j] + f * inverse[i + 5, j])
                + (g * inverse[i + 6, j] + h * inverse[i + 7, j])
            )
    for i in range(whole, size):
        for j in range(size):
            out[j] += x[i] * inverse[i, j]
    return float(dot(x, out))


@njit(cache=True)
def lower(inverse: Array, direction: Array, factor: float) -> None:
    """Subtract factor v v' in place: Woodbury's step, where v = A^-1 x and A gains a x x'.

    The factor is a / (1 + a x'A^-1 x).

    Examples
    --------
    >>> inverse = np.eye(2)
    >>> lower(inverse, np.array([1.0, 0.0]), 0.5)  # A = I gains a = 1 times e_1 e_1'
    >>> inverse.tolist()
    [[0.5, 0.0], [0.0, 1.0]]
    """
    for i in range(direction.size):
        scaled = factor * direction[i]
        for j in range(direction.size):
            inverse[i, j] -= scaled * direction[j]


@njit(cache=True)
def weighed(q: float, weight: float) -> tuple[float, float, float]:
    """Return the effect of a row with q = x'A^-1 x and this weight; 0 means a = 1 / (1 - q).

    Three numbers: 1 / (1 + a q), by which x'A^-1 shrinks when A gains a x x'; Yang 2018's sigma,
    a^2 x'A_t^-1 x / 2; and Woodbury's factor a / (1 + a q), which is 1 when a = 1 / (1 - q).

    Examples
    --------
    >>> weighed(0.2, 0.0)
    (0.8, 0.125, 1.0)
    >>> weighed(0.25, 1.0)
    (0.8, 0.1, 0.8)
    """
    a = 1.0 / (1.0 - q) if weight == 0.0 else weight
    shrink = 1.0 / (1.0 + a * q)
    return shrink, 0.5 * a * a * q * shrink, a * shrink


def checked_weight(weight: float | None) -> float:
    """Return the weight in the form of `weighed`: 0 for None, which means 1 / (1 - q).

    Examples
    --------
    >>> checked_weight(None), checked_weight(2)
    (0.0, 2.0)
    """
    if weight is not None:
        finite_positive("weight", weight)
    return float(weight or 0.0)


def checked_ridge(rows: Array, b: float, *, weighted: bool) -> float:
    """Return the ridge as a number; weights 1 / (1 - x'A^-1 x) need b > max |x|^2.

    Otherwise a weight can be negative and A indefinite.

    Examples
    --------
    >>> checked_ridge(np.array([[1.0, 0.0], [0.0, 3.0]]), 4, weighted=False)
    4.0
    >>> checked_ridge(np.array([[1.0, 0.0], [0.0, 3.0]]), 4, weighted=True)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: b must exceed the largest |x|^2, which is 9 (node 1), got 4
    """
    finite_positive("b", b)
    squares = np.einsum("ij,ij->i", rows, rows)
    longest = int(np.argmax(squares)) if len(squares) else -1
    if weighted and longest >= 0 and squares[longest] >= b:
        raise InputError(
            f"b must exceed the largest |x|^2, which is {squares[longest]:g} (node {longest}), "
            f"got {b:g}"
        )
    return float(b)
