"""Margins turned into probabilities by a fitted sigmoid."""

from __future__ import annotations

import numpy as np

from lapwing.types import Array, Mask


def platt_scaled(margins: Array, fitted_on: Array, indicator: Array) -> Array:
    """Each column of margins through its own sigmoid 1 / (1 + exp(-(a m + b))).

    a >= 0 and b maximise the likelihood of the 0/1 `indicator` at the margins `fitted_on`, with
    Platt's targets (N+ + 1) / (N+ + 2) and 1 / (N- + 2) in place of 1 and 0, which keep the
    optimum finite. Newton's method on two variables a column.

    Departure: the slope is never negative, so that a scaling keeps each class's own order.

    References
    ----------
    Platt, Probabilistic outputs for support vector machines, 1999.

    Examples
    --------
    >>> margins = np.array([[-2.0], [-1.0], [1.0], [2.0]])
    >>> platt_scaled(margins, margins, np.array([[0], [0], [1], [1]])).round(2).ravel().tolist()
    [0.21, 0.34, 0.66, 0.79]
    """
    scaled = np.empty_like(margins)
    for k in range(margins.shape[1]):
        slope, offset = _sigmoid(fitted_on[:, k], indicator[:, k] > 0)
        exponent = np.clip(slope * margins[:, k] + offset, -500.0, 500.0)
        scaled[:, k] = 1.0 / (1.0 + np.exp(-exponent))
    return scaled


def _sigmoid(margins: Array, positive: Mask) -> tuple[float, float]:
    plus = int(positive.sum())
    minus = len(positive) - plus
    targets = np.where(positive, (plus + 1.0) / (plus + 2.0), 1.0 / (minus + 2.0))
    centre, spread = float(margins.mean()), float(margins.std())
    base = float(np.log((plus + 1.0) / (minus + 1.0)))
    if not spread > 0:
        return 0.0, base
    z = (margins - centre) / spread
    point = np.array([0.0, base])
    design = np.stack([z, np.ones_like(z)], axis=1)

    def cost(at: Array) -> float:
        x = design @ at
        return float((np.logaddexp(0.0, x) - targets * x).sum())

    for _ in range(100):
        chance = 1.0 / (1.0 + np.exp(-np.clip(design @ point, -500, 500)))
        gradient = design.T @ (chance - targets)
        if np.abs(gradient).max() < 1e-8 * len(z):
            break
        bend = design.T @ (design * (chance * (1 - chance))[:, None]) + 1e-12 * np.eye(2)
        direction, step, now = np.linalg.solve(bend, gradient), 1.0, cost(point)
        while step > 1e-10 and cost(point - step * direction) > now - 1e-4 * step * (
            gradient @ direction
        ):
            step /= 2
        point = point - step * direction
    if point[0] < 0:
        return 0.0, base
    return float(point[0] / spread), float(point[1] - point[0] * centre / spread)
