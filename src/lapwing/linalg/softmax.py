"""Softmax regression fitted to its optimum, compiled, for few labels and columns.

Plain loops throughout: a fit of this size is as fast by them as by NumPy's functions, which would
take half a minute to compile.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from lapwing.types import Array, Nodes

MOST_STEPS, MOST_INNER, MOST_HALVINGS = 50, 100, 30


@njit(cache=True, error_model="numpy")
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
    count, width = rows.shape[0], rows.shape[1] + 1
    x = np.ones((count, width))
    for i in range(count):
        for j in range(width - 1):
            x[i, j] = rows[i, j]
    now, tried = np.zeros((n_classes, width)), np.zeros((n_classes, width))
    slope, step = np.empty((n_classes, width)), np.empty((n_classes, width))
    chances, others = np.empty((count, n_classes)), np.empty((count, n_classes))
    factors = np.empty((n_classes, width, width))
    loss = _read(x, labels, now, penalty, chances)
    for _ in range(MOST_STEPS):
        for i in range(count):
            for k in range(n_classes):
                others[i, k] = chances[i, k] - (1.0 if k == labels[i] else 0.0)
        _pulled(x, now, penalty, others, slope)
        if _largest(slope) <= tol * count:
            break
        _newton_step(x, penalty, chances, slope, 0.1 * tol * count, factors, others, step)
        falls, share, new = _product(step, slope), 1.0, loss
        for _ in range(MOST_HALVINGS):
            _put_sum(now, share, step, tried)
            new = _read(x, labels, tried, penalty, others)
            if new <= loss + 1e-4 * share * falls:
                break
            share *= 0.5
        if not new < loss:
            break
        now, tried, chances, others, loss = tried, now, others, chances, new
    return now


@njit(cache=True, fastmath=True)
def _product(one: Array, other: Array) -> float:
    total = 0.0
    for k in range(one.shape[0]):
        for j in range(one.shape[1]):
            total += one[k, j] * other[k, j]
    return total


@njit(cache=True)
def _largest(slope: Array) -> float:
    largest = 0.0
    for k in range(slope.shape[0]):
        for j in range(slope.shape[1]):
            largest = max(largest, abs(slope[k, j]))
    return largest


@njit(cache=True)
def _put_sum(one: Array, share: float, other: Array, out: Array) -> None:
    """Write one plus a multiple of another."""
    for k in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[k, j] = one[k, j] + share * other[k, j]


@njit(cache=True, fastmath=True)
def _images(x: Array, weights: Array, out: Array) -> None:
    """Write the product of rows and weights."""
    for i in range(x.shape[0]):
        for k in range(weights.shape[0]):
            total = 0.0
            for j in range(x.shape[1]):
                total += x[i, j] * weights[k, j]
            out[i, k] = total


@njit(cache=True, error_model="numpy")
def _read(x: Array, labels: Nodes, weights: Array, penalty: float, chances: Array) -> float:
    """Write the probabilities and return the loss."""
    n_classes, loss = weights.shape[0], 0.0
    for k in range(n_classes):
        for j in range(weights.shape[1] - 1):
            loss += 0.5 * penalty * weights[k, j] * weights[k, j]
    _images(x, weights, chances)
    for i in range(x.shape[0]):
        highest, own, total = chances[i, 0], chances[i, labels[i]], 0.0
        for k in range(1, n_classes):
            highest = max(highest, chances[i, k])
        for k in range(n_classes):
            chances[i, k] = np.exp(chances[i, k] - highest)
            total += chances[i, k]
        loss += np.log(total) + highest - own
        for k in range(n_classes):
            chances[i, k] /= total
    return loss


@njit(cache=True)
def _pulled(x: Array, weights: Array, penalty: float, pull: Array, out: Array) -> None:
    """Write the penalty's part, and that of each label's pull."""
    width = x.shape[1]
    for k in range(out.shape[0]):
        for j in range(width):
            out[k, j] = penalty * weights[k, j] if j < width - 1 else 0.0
        for i in range(x.shape[0]):
            for j in range(width):
                out[k, j] += pull[i, k] * x[i, j]


@njit(cache=True)
def _bend(x: Array, penalty: float, chances: Array, step: Array, moved: Array, out: Array) -> None:
    """Write the product of the second derivatives with a step."""
    _images(x, step, moved)
    for i in range(x.shape[0]):
        mean = 0.0
        for k in range(step.shape[0]):
            mean += chances[i, k] * moved[i, k]
        for k in range(step.shape[0]):
            moved[i, k] = chances[i, k] * (moved[i, k] - mean)
    _pulled(x, step, penalty, moved, out)


@njit(cache=True)
def _factorise(x: Array, penalty: float, chances: Array, factors: Array) -> None:
    """Write Cholesky factors of each class's own second derivatives, diagonals inverted."""
    width = x.shape[1]
    for k in range(chances.shape[1]):
        matrix = factors[k]
        for a in range(width):
            for b in range(a + 1):
                matrix[a, b] = 0.0
            matrix[a, a] = penalty if a < width - 1 else 1e-9
        for i in range(0, x.shape[0], 2):  # two at a time halve what is read and written
            other = min(i + 1, x.shape[0] - 1)
            spread = chances[i, k] * (1.0 - chances[i, k])
            and_its = chances[other, k] * (1.0 - chances[other, k]) if other > i else 0.0
            for a in range(width):
                pull, and_pull = spread * x[i, a], and_its * x[other, a]
                for b in range(a + 1):
                    matrix[a, b] += pull * x[i, b] + and_pull * x[other, b]
        _factorise_one(matrix)


@njit(cache=True, fastmath=True)
def _factorise_one(matrix: Array) -> None:
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


@njit(cache=True, error_model="numpy")
def _newton_step(
    x: Array, penalty: float, chances: Array, slope: Array, least: float,
    factors: Array, moved: Array, step: Array,
) -> None:  # fmt: skip
    """Write the step that solves bend(step) = -slope, as closely as the slope is small.

    Each class's own second derivatives speed the conjugate gradients up. `factors` and `moved` are
    room to work in.
    """
    _factorise(x, penalty, chances, factors)
    rest, ahead = np.empty(slope.shape), np.empty(slope.shape)
    along, bent = np.empty(slope.shape), np.empty(slope.shape)
    for k in range(slope.shape[0]):
        for j in range(slope.shape[1]):
            step[k, j], rest[k, j] = 0.0, -slope[k, j]
    _solved(factors, rest, ahead)
    _put_sum(ahead, 0.0, ahead, along)
    size, length = _product(rest, ahead), np.sqrt(_product(rest, rest))
    goal = max(min(0.1, np.sqrt(length / x.shape[0])) * length, least)
    for _ in range(MOST_INNER):
        _bend(x, penalty, chances, along, moved, bent)
        curve = _product(along, bent)
        if curve <= 0.0:
            break
        _put_sum(step, size / curve, along, step)
        _put_sum(rest, -size / curve, bent, rest)
        if np.sqrt(_product(rest, rest)) <= goal:
            break
        _solved(factors, rest, ahead)
        new = _product(rest, ahead)
        _put_sum(ahead, new / size, along, along)
        size = new
