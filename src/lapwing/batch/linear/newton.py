"""Fit linear one-vs-rest models to their optimum, all classes at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from lapwing.errors import ConvergenceError
from lapwing.linalg.solve.conjugate_gradients import solved
from lapwing.types import Array, Mask, Nodes

Loss = Literal["squared hinge", "logistic"]
Times = Callable[[Array], Array]

ROUNDED = 1e-10
"""A gradient below this share of the sum of its terms' sizes counts as zero."""

MAX_STEPS = 100
"""The largest number of Newton steps; ten are usual."""


def one_vs_rest(
    rows: Any,
    signs: Array,
    *,
    ridge: float | Times,
    costs: Array | float,
    loss: Loss = "squared hinge",
    start: Array | None = None,
    squares: Array | None = None,
    tol: float = 1e-6,
) -> Array:
    """Return the weights of the linear models with the smallest regularised loss, by class.

    Each column minimises

        ridge / 2 |w|^2 + sum_q costs_q loss(signs_q rows_q w)

    with loss(m) = max(1 - m, 0)^2 or log(1 + exp(-m)). `rows` is whatever multiplies with
    ``@`` and has ``.T``: an array, a sparse matrix, a linear operator. `ridge` may be the
    multiplication by a positive definite matrix instead of a number. Newton's method with
    conjugate gradients inside; each class has its own step, halved until the objective falls.
    `squares`, the sums of squares of the columns of `rows`, speeds the inner solver up.
    A class is done where its gradient is `tol` times that of w = 0, or zero up to rounding:
    labels that contradict each other on equal rows cancel.

    Examples
    --------
    >>> rows = np.array([[1.0], [-1.0]])
    >>> one_vs_rest(rows, np.array([[1.0], [-1.0]]), ridge=1.0, costs=0.5)
    array([[0.6666667]])
    """
    problem = _Problem(rows, signs, np.broadcast_to(np.asarray(costs), signs.shape), ridge, loss)
    weights = np.zeros((rows.shape[1], signs.shape[1])) if start is None else start.copy()
    values = rows @ weights
    zero = problem.gradient(np.zeros_like(weights), np.zeros_like(values))
    goal = np.maximum(tol * np.linalg.norm(zero, axis=0), ROUNDED * problem.largest_pull())
    todo = np.arange(signs.shape[1])
    for _ in range(MAX_STEPS):
        some = problem.of(todo)
        gradient = some.gradient(weights[:, todo], values[:, todo])
        size = np.linalg.norm(gradient, axis=0)
        late = size > goal[todo]
        if not late.any():
            return weights
        some, todo, gradient = some.of(late), todo[late], gradient[:, late]
        closeness = np.minimum(0.1, np.sqrt(size[late] / goal[todo] * tol))
        direction = some.newton_direction(gradient, values[:, todo], squares, closeness)
        ahead = rows @ direction
        step = some.step(weights[:, todo], values[:, todo], direction, ahead, gradient)
        weights[:, todo] += step * direction
        values[:, todo] += step * ahead
    raise ConvergenceError(
        f"Newton's method must reach its tolerance in {MAX_STEPS} steps, "
        f"{len(todo)} of {signs.shape[1]} classes have not"
    )


@dataclass(frozen=True)
class _Problem:
    rows: Any
    signs: Array
    costs: Array
    ridge: float | Times
    loss: Loss

    def of(self, columns: Nodes | Mask) -> _Problem:
        return replace(self, signs=self.signs[:, columns], costs=self.costs[:, columns])

    def penalised(self, weights: Array) -> Array:
        return self.ridge(weights) if callable(self.ridge) else self.ridge * weights

    def gradient(self, weights: Array, values: Array) -> Array:
        pull = self.costs * self.signs * _slope(self.signs * values, self.loss)
        return np.asarray(self.penalised(weights) + self.rows.T @ pull)

    def largest_pull(self) -> Array:
        """Return the length of each class's gradient at 0, if no two labels opposed each other."""
        pull = np.abs(self.costs * _slope(np.zeros_like(self.signs), self.loss))
        return np.asarray(np.maximum(np.linalg.norm(self.rows.T @ pull, axis=0), 1e-300))

    def newton_direction(
        self, gradient: Array, values: Array, squares: Array | None, tol: Array
    ) -> Array:
        bend = self.costs * _bend(self.signs * values, self.loss)

        def times(vectors: Array) -> Array:
            return np.asarray(
                self.penalised(vectors) + self.rows.T @ (bend * (self.rows @ vectors))
            )

        scale: Array | float = 1.0
        if squares is not None and not callable(self.ridge):
            scale = 1.0 / (self.ridge + squares[:, None] * bend.mean(axis=0))
        return solved(times, -gradient, tol=tol, scale=scale, max_steps=1000, strict=False)

    def step(
        self, weights: Array, values: Array, direction: Array, ahead: Array, gradient: Array
    ) -> Array:
        """Return per class the first step of 1, 1/2, 1/4, ... that lowers the objective."""
        stiff = self.penalised(direction)
        linear = np.einsum("ij,ij->j", weights, stiff)
        square = np.einsum("ij,ij->j", direction, stiff)
        now = (self.costs * _loss(self.signs * values, self.loss)).sum(axis=0)
        slope = np.einsum("ij,ij->j", gradient, direction)
        step = np.ones(weights.shape[1])
        for _ in range(40):
            losses = _loss(self.signs * (values + step * ahead), self.loss)
            change = step * linear + step**2 / 2 * square + (self.costs * losses).sum(axis=0) - now
            high = change > 1e-4 * step * slope + 1e-14 * now
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
