"""Margins turned into probabilities by a fitted sigmoid."""

from __future__ import annotations

import numpy as np

from lapwing.types import Array, Mask

SLOPE_PENALTY = 0.01
"""Keeps the slope finite where a class is told apart without error; margins are of size 1."""


def platt_scaled(margins: Array, fitted_on: Array, indicator: Array) -> Array:
    """Each column of margins through its own sigmoid 1 / (1 + exp(-(a m + b))).

    a >= 0 and b maximise the likelihood of the 0/1 `indicator` at the margins `fitted_on`, less
    a^2 / 200. Newton's method on two variables a column.

    Departures: Platt's targets (N+ + 1) / (N+ + 2) and 1 / (N- + 2) are plain 1 and 0, as in
    Nandanwar and Murty's use of it (2016): with a handful of labels his cost ten points of
    Micro-F1. The slope is never negative, so that a scaling keeps each class's own order.

    References
    ----------
    Platt, Probabilistic outputs for support vector machines, 1999.

    Examples
    --------
    >>> margins = np.array([[-2.0], [-1.0], [1.0], [2.0]])
    >>> platt_scaled(margins, margins, np.array([[0], [0], [1], [1]])).round(2).ravel().tolist()
    [0.0, 0.02, 0.98, 1.0]
    """
    scaled = np.empty_like(margins)
    for k in range(margins.shape[1]):
        slope, offset = _sigmoid(fitted_on[:, k], indicator[:, k] > 0)
        exponent = np.clip(slope * margins[:, k] + offset, -500.0, 500.0)
        scaled[:, k] = 1.0 / (1.0 + np.exp(-exponent))
    return scaled


def _sigmoid(margins: Array, positive: Mask) -> tuple[float, float]:
    """Slope and offset of the sigmoid; the class's share alone where margins tell nothing."""
    plus = float(positive.sum())
    base = float(np.log((plus + 0.5) / (len(positive) - plus + 0.5)))
    design = np.stack([margins, np.ones_like(margins)], axis=1)
    penalty = np.array([SLOPE_PENALTY, 1e-9])
    point = np.array([0.0, base])

    def cost(at: Array) -> float:
        x = design @ at
        return float((np.logaddexp(0.0, x) - positive * x).sum() + penalty @ at**2 / 2)

    for _ in range(100):
        chance = 1.0 / (1.0 + np.exp(-np.clip(design @ point, -500.0, 500.0)))
        gradient = design.T @ (chance - positive) + penalty * point
        if np.abs(gradient).max() < 1e-9 * len(margins):
            break
        bend = design.T @ (design * (chance * (1.0 - chance))[:, None]) + np.diag(penalty)
        direction, step, now = np.linalg.solve(bend, gradient), 1.0, cost(point)
        fall, slack = 1e-4 * float(gradient @ direction), 1e-12 * abs(now)
        while step > 1e-6 and cost(point - step * direction) > now - step * fall + slack:
            step /= 2
        point = point - step * direction
    return (0.0, base) if point[0] < 0 else (float(point[0]), float(point[1]))
