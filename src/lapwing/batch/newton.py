"""Linear one-vs-rest models, solved to their optimum for all classes at once."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from lapwing.batch.conjugate import conjugate_gradients
from lapwing.errors import ConvergenceError
from lapwing.types import Array

Loss = Literal["squared hinge", "logistic"]

MAX_STEPS = 100
"""Newton steps after which a model is given up; ten are usual."""


def one_vs_rest(
    rows: Any,
    signs: Array,
    *,
    ridge: float,
    costs: Array | float,
    loss: Loss = "squared hinge",
    start: Array | None = None,
    squares: Array | None = None,
    tol: float = 1e-6,
) -> Array:
    """The weights, a column a class, of the linear models with the smallest regularised loss.

    Each column minimises

        ridge / 2 |w|^2 + sum_q costs_q loss(signs_q rows_q w)

    with loss(m) = max(1 - m, 0)^2 or log(1 + exp(-m)). `rows` is whatever multiplies with
    ``@`` and has ``.T``: an array, a sparse matrix, a linear operator. Newton's method with
    conjugate gradients inside; each class has its own step, halved until the objective falls.
    `squares`, the sums of squares of the columns of `rows`, speeds the inner solver up.
    A class is done where its gradient is `tol` times that of w = 0.

    Examples
    --------
    >>> rows = np.array([[1.0], [-1.0]])
    >>> one_vs_rest(rows, np.array([[1.0], [-1.0]]), ridge=1.0, costs=0.5)
    array([[0.6666667]])
    """
    width = rows.shape[1]
    weights = np.zeros((width, signs.shape[1])) if start is None else start.copy()
    costs = np.broadcast_to(np.asarray(costs, dtype=float), signs.shape)
    values = rows @ weights
    first = rows.T @ (costs * signs * _slope(np.zeros_like(signs), loss))
    goal = tol * np.maximum(np.linalg.norm(first, axis=0), 1e-300)
    todo = np.arange(signs.shape[1])
    for _ in range(MAX_STEPS):
        y, c, w, f = signs[:, todo], costs[:, todo], weights[:, todo], values[:, todo]
        gradient = ridge * w + rows.T @ (c * y * _slope(y * f, loss))
        size = np.linalg.norm(gradient, axis=0)
        late = size > goal[todo]
        if not late.any():
            return weights
        todo, y, c, w, f = todo[late], y[:, late], c[:, late], w[:, late], f[:, late]
        gradient, size = gradient[:, late], size[late]
        direction = _newton_direction(
            rows,
            gradient,
            ridge,
            c * _bend(y * f, loss),
            squares,
            np.minimum(0.1, np.sqrt(size / goal[todo] * tol)),
        )
        ahead = rows @ direction
        step = _step(w, direction, f, ahead, y, c, gradient, ridge=ridge, loss=loss)
        weights[:, todo] = w + step * direction
        values[:, todo] = f + step * ahead
    raise ConvergenceError(
        f"Newton's method must reach its tolerance in {MAX_STEPS} steps, "
        f"{len(todo)} of {signs.shape[1]} classes have not"
    )


def _newton_direction(
    rows: Any, gradient: Array, ridge: float, bend: Array, squares: Array | None, tol: Array
) -> Array:
    def times(vectors: Array) -> Array:
        return np.asarray(ridge * vectors + rows.T @ (bend * (rows @ vectors)))

    scale: Array | float = 1.0
    if squares is not None:
        scale = 1.0 / (ridge + squares[:, None] * bend.mean(axis=0))
    return conjugate_gradients(times, -gradient, tol=tol, scale=scale, max_steps=200, strict=False)


def _step(  # noqa: PLR0913 - the line search needs both ends of the line
    w: Array,
    direction: Array,
    f: Array,
    ahead: Array,
    y: Array,
    c: Array,
    gradient: Array,
    *,
    ridge: float,
    loss: Loss,
) -> Array:
    """For each class the first of 1, 1/2, 1/4, ... that makes the objective fall enough."""

    def objective(step: Array) -> Array:
        moved = w + step * direction
        return np.asarray(
            ridge / 2 * np.einsum("ij,ij->j", moved, moved)
            + (c * _loss(y * (f + step * ahead), loss)).sum(axis=0)
        )

    step = np.ones(w.shape[1])
    slope = np.einsum("ij,ij->j", gradient, direction)
    now = objective(np.zeros_like(step))
    for _ in range(40):
        high = objective(step) > now + 1e-4 * step * slope + 1e-14 * np.abs(now)
        if not high.any():
            break
        step[high] /= 2
    return step


def _loss(margins: Array, loss: Loss) -> Array:
    if loss == "logistic":
        return np.asarray(np.logaddexp(0.0, -margins), dtype=np.float64)
    return np.asarray(np.maximum(1.0 - margins, 0.0) ** 2)


def _slope(margins: Array, loss: Loss) -> Array:
    if loss == "logistic":
        return np.asarray(-1.0 / (1.0 + np.exp(np.minimum(margins, 500.0))))
    return np.asarray(-2.0 * np.maximum(1.0 - margins, 0.0))


def _bend(margins: Array, loss: Loss) -> Array:
    if loss == "logistic":
        chance = -_slope(margins, loss)
        return np.asarray(chance * (1.0 - chance))
    return np.where(margins < 1.0, 2.0, 0.0)
