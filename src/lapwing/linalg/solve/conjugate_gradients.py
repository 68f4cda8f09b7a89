"""Preconditioned conjugate gradients for many right-hand sides, with checked residuals."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lapwing.errors import ConvergenceError
from lapwing.types import Array

Operator = Callable[[Array], Array]


def conjugate_gradients(
    times: Operator,
    rhs: Array,
    precondition: Operator,
    *,
    tol: Array | float,
    max_steps: int,
    start: Array | None = None,
) -> tuple[Array, Array]:
    """Solve ``M x = rhs`` for the columns of rhs; also return the true relative residuals.

    `times` multiplies by M, which can be singular if every column lies in its range. A column stops
    changing once its residual is at most half of `tol` (one for all, or one per column); after
    `max_steps` the caller judges the residuals. A step costs one product with M and one call of
    `precondition`, for all columns together.

    Examples
    --------
    >>> matrix = np.diag([1.0, 2.0, 4.0])
    >>> x, residual = conjugate_gradients(
    ...     lambda v: matrix @ v, np.ones((3, 1)), lambda r: r, tol=1e-10, max_steps=10)
    >>> x.ravel(), bool(residual.max() < 1e-10)
    (array([1.  , 0.5 , 0.25]), True)
    """
    x = np.zeros_like(rhs) if start is None else start.copy()
    residual = rhs.copy() if start is None else rhs - times(x)
    size = np.linalg.norm(rhs, axis=0)
    size[size == 0] = 1.0
    goal = 0.5 * np.asarray(tol) * size
    direction, old = np.zeros_like(rhs), np.ones(rhs.shape[1])
    for _ in range(max_steps):
        moves = np.linalg.norm(residual, axis=0) > goal
        if not moves.any():
            break
        ready = precondition(residual)
        new = _dots(residual, ready)
        direction *= ratio(new, old)
        direction += ready
        product = times(direction)
        step = np.where(moves, ratio(new, _dots(direction, product)), 0.0)
        x += step * direction
        residual -= step * product
        old = new
    true = np.linalg.norm(rhs - times(x), axis=0) / size
    return x, true


def solved(
    times: Operator,
    right: Array,
    *,
    tol: Array | float,
    scale: Array | float = 1.0,
    max_steps: int = 1000,
    strict: bool = True,
    start: Array | None = None,
) -> Array:
    """Solve M x = b for each column b of `right`; `times` multiplies by M, positive definite.

    `scale` is the inverse of a diagonal close to that of M, `start` a first guess. If not
    `strict`, the best result after `max_steps` is returned.

    Examples
    --------
    >>> matrix = np.array([[2.0, 1.0], [1.0, 3.0]])
    >>> solved(lambda v: matrix @ v, np.array([[3.0], [4.0]]), tol=1e-12)
    array([[1.],
           [1.]])
    """
    found, residual = conjugate_gradients(
        times, right, lambda r: scale * r, tol=tol, max_steps=max_steps, start=start
    )
    left = float((residual / np.maximum(tol, 1e-300)).max(initial=0.0))
    if strict and left > 1:
        raise ConvergenceError(
            f"conjugate gradients must reach their tolerance in {max_steps} steps, "
            f"the residual is still {left:.3g} times it"
        )
    return found


def _dots(left: Array, right: Array) -> Array:
    """Return the inner products of matching columns."""
    return np.asarray(np.einsum("ij,ij->j", left, right), dtype=np.float64)


def ratio(top: Array, bottom: Array) -> Array:
    """Return the quotient, 0 where the denominator is 0: a solved column stops changing.

    Examples
    --------
    >>> ratio(np.array([3.0, 1.0]), np.array([2.0, 0.0]))
    array([1.5, 0. ])
    """
    return np.divide(top, bottom, out=np.zeros_like(top), where=bottom > 0)
