"""Softmax regression fitted to its optimum, compiled, for few labels and columns."""

from __future__ import annotations

import numpy as np
from numba import njit

from lapwing.types import Array, Nodes

MOST_STEPS, MOST_INNER, MOST_HALVINGS = 50, 100, 30


@njit(cache=True)
def softmax_coefficients(
    rows: Array, labels: Nodes, n_classes: int, penalty: float, tol: float
) -> Array:
    r"""Return coefficients ``(classes, columns + 1)``, the constant last.

    They minimise :math:`-\sum_l \log p_l(y_l) + \frac{r}{2} |W|^2`; the constants are free. Newton
    steps, each solved by conjugate gradients and halved until the loss falls, from zeros on: the
    result depends on the labels alone. It is done where no slope exceeds `tol` times the number of
    labels.

    Examples
    --------
    >>> rows, labels = np.array([[1.0], [-1.0]]), np.array([1, 0])
    >>> softmax_coefficients(rows, labels, 2, 0.1, 1e-9).round(2).tolist()
    [[-1.32, 0.0], [1.32, 0.0]]
    """
    count, width = rows.shape
    x = np.ones((count, width + 1))
    x[:, :width] = rows
    now, slope = np.zeros((n_classes, width + 1)), np.empty((n_classes, width + 1))
    chances = np.empty((count, n_classes))
    loss = _read(x, labels, now, penalty, chances)
    tried, others = np.empty_like(now), np.empty_like(chances)
    for _ in range(MOST_STEPS):
        _slope(x, labels, now, penalty, chances, slope)
        if np.abs(slope).max() <= tol * count:
            break
        step = _newton_step(x, penalty, chances, slope, 0.1 * tol * count)
        falls = (step * slope).sum()
        share = 1.0
        for _ in range(MOST_HALVINGS):
            tried[:] = now + share * step
            new = _read(x, labels, tried, penalty, others)
            if new <= loss + 1e-4 * share * falls:
                break
            share *= 0.5
        if not new < loss:
            break
        now[:], chances[:], loss = tried, others, new
    return now


@njit(cache=True)
def _read(x: Array, labels: Nodes, weights: Array, penalty: float, chances: Array) -> float:
    """Write the probabilities and return the loss."""
    loss = 0.5 * penalty * np.square(weights[:, :-1]).sum()
    chances[:] = np.dot(x, weights.T)
    for i in range(x.shape[0]):
        highest, own, total = chances[i].max(), chances[i, labels[i]], 0.0
        for k in range(weights.shape[0]):
            chances[i, k] = np.exp(chances[i, k] - highest)
            total += chances[i, k]
        loss += np.log(total) + highest - own
        for k in range(weights.shape[0]):
            chances[i, k] /= total
    return float(loss)


@njit(cache=True)
def _slope(
    x: Array, labels: Nodes, weights: Array, penalty: float, chances: Array, out: Array
) -> None:
    beyond = chances.copy()
    for i in range(x.shape[0]):
        beyond[i, labels[i]] -= 1.0
    _pulled(x, weights, penalty, beyond, out)


@njit(cache=True)
def _pulled(x: Array, weights: Array, penalty: float, pull: Array, out: Array) -> None:
    """Write the penalty's part, and that of each label's pull."""
    out[:] = np.dot(pull.T, x)
    out[:, :-1] += penalty * weights[:, :-1]


@njit(cache=True)
def _bend(x: Array, penalty: float, chances: Array, step: Array, out: Array) -> None:
    """Write the product of the second derivatives with a step."""
    moved = np.dot(x, step.T)
    for i in range(x.shape[0]):
        mean = 0.0
        for k in range(step.shape[0]):
            mean += chances[i, k] * moved[i, k]
        for k in range(step.shape[0]):
            moved[i, k] = chances[i, k] * (moved[i, k] - mean)
    _pulled(x, step, penalty, moved, out)


@njit(cache=True)
def _inverses(x: Array, penalty: float, chances: Array) -> Array:
    """Return the inverse of each class's own second derivatives."""
    n_classes, width = chances.shape[1], x.shape[1]
    found = np.empty((n_classes, width, width))
    for k in range(n_classes):
        spread = chances[:, k] * (1.0 - chances[:, k])
        own = np.dot(x.T, spread.reshape(-1, 1) * x)
        for j in range(width):
            own[j, j] += penalty if j < width - 1 else 1e-9
        found[k] = np.linalg.inv(own)
    return found


@njit(cache=True)
def _solved(inverses: Array, rest: Array, out: Array) -> None:
    for k in range(rest.shape[0]):
        out[k] = np.dot(inverses[k], rest[k])


@njit(cache=True)
def _newton_step(x: Array, penalty: float, chances: Array, slope: Array, least: float) -> Array:
    """Return the step that solves bend(step) = -slope, as closely as the slope is small.

    Each class's own second derivatives speed the conjugate gradients up.
    """
    inverses = _inverses(x, penalty, chances)
    step, rest, ahead = np.zeros_like(slope), -slope, np.empty_like(slope)
    _solved(inverses, rest, ahead)
    along, bent = ahead.copy(), np.empty_like(slope)
    size, length = (rest * ahead).sum(), np.sqrt((rest * rest).sum())
    goal = max(min(0.1, np.sqrt(length / x.shape[0])) * length, least)
    for _ in range(MOST_INNER):
        _bend(x, penalty, chances, along, bent)
        curve = (along * bent).sum()
        if curve <= 0.0:
            break
        step += (size / curve) * along
        rest -= (size / curve) * bent
        if np.sqrt((rest * rest).sum()) <= goal:
            break
        _solved(inverses, rest, ahead)
        new = (rest * ahead).sum()
        along[:] = ahead + (new / size) * along
        size = new
    return step
