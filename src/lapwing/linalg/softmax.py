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
def _factors(x: Array, penalty: float, chances: Array) -> Array:
    """Return Cholesky factors of each class's own second derivatives, diagonals inverted."""
    n_classes, width = chances.shape[1], x.shape[1]
    found = np.empty((n_classes, width, width))
    for k in range(n_classes):
        spread = chances[:, k] * (1.0 - chances[:, k])
        found[k] = np.dot(x.T, spread.reshape(-1, 1) * x)
        for j in range(width):
            found[k, j, j] += penalty if j < width - 1 else 1e-9
        _factorise(found[k])
    return found


@njit(cache=True, fastmath=True)
def _factorise(matrix: Array) -> None:
    """Write the lower factor of a small matrix over it, the diagonal inverted."""
    for j in range(len(matrix)):
        for i in range(j, len(matrix)):
            total = matrix[i, j]
            for k in range(j):
                total -= matrix[i, k] * matrix[j, k]
            matrix[i, j] = total
        inverse = 1.0 / np.sqrt(max(matrix[j, j], 1e-300))
        matrix[j, j] = inverse
        for i in range(j + 1, len(matrix)):
            matrix[i, j] *= inverse


@njit(cache=True, fastmath=True)
def _solved(factors: Array, rest: Array, out: Array) -> None:
    """Solve each class's own equations by its factor."""
    width = rest.shape[1]
    for k in range(rest.shape[0]):
        factor, found = factors[k], out[k]
        for i in range(width):
            total = rest[k, i]
            for j in range(i):
                total -= factor[i, j] * found[j]
            found[i] = total * factor[i, i]
        for i in range(width - 1, -1, -1):
            found[i] *= factor[i, i]
            for j in range(i):
                found[j] -= factor[i, j] * found[i]


@njit(cache=True)
def _newton_step(x: Array, penalty: float, chances: Array, slope: Array, least: float) -> Array:
    """Return the step that solves bend(step) = -slope, as closely as the slope is small.

    Each class's own second derivatives speed the conjugate gradients up.
    """
    factors = _factors(x, penalty, chances)
    step, rest, ahead = np.zeros_like(slope), -slope, np.empty_like(slope)
    _solved(factors, rest, ahead)
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
        _solved(factors, rest, ahead)
        new = (rest * ahead).sum()
        along[:] = ahead + (new / size) * along
        size = new
    return step
