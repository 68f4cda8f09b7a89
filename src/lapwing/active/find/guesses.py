"""Earlier guesses and their answers, which calibrate the next."""

from __future__ import annotations

from importlib import import_module

import numpy as np
from scipy.special import expit

from lapwing.types import Array

STRENGTH = 10.0
"""Weight of the prior (slope 1, shift 0), in answers."""
STEEPEST, FLATTEST = 3.0, 0.1
MOST_NOTED = 1_000
"""Slope and shift are fitted to the latest answers, at most this many."""


class NotedGuesses:
    r"""A slope and a shift for which :math:`\sigma(a z + b)` fits the answers best (Platt 1999).

    `note` records the log odds z of a node before its answer. A penalty keeps a and b near 1 and 0
    while there are few answers; a is positive, so that no order changes, and b is at most 0: the
    nodes asked about were the likeliest, so hits among them do not make all others likelier.

    Examples
    --------
    Nodes that were thought positive with 88% turn out to be so every other time:

    >>> noted = NotedGuesses()
    >>> for k in range(40):
    ...     noted.note(k, 2.0, k % 2 == 0)
    >>> noted.chances(np.array([2.0])).round(2).tolist()
    [0.58]
    """

    def __init__(self) -> None:
        self._noted: dict[int, tuple[float, bool]] = {}
        self._fitted: tuple[float, float] | None = (1.0, 0.0)

    def note(self, node: int, odds: float, positive: bool) -> None:
        """Record the log odds of a node before its answer, and the answer."""
        self.forget(node)
        self._noted[node] = (odds, positive)
        self._fitted = None

    def forget(self, node: int) -> None:
        """Forget a node's answer."""
        if self._noted.pop(node, None) is not None:
            self._fitted = None

    def chances(self, odds: Array) -> Array:
        """Return calibrated probabilities."""
        if self._fitted is None:
            self._fitted = self._fit()
        slope, shift = self._fitted
        return np.asarray(expit(slope * odds + shift))

    def _fit(self) -> tuple[float, float]:
        if not self._noted:
            return 1.0, 0.0
        latest = list(self._noted.values())[-MOST_NOTED:]
        z = np.array([odds for odds, _ in latest])
        y = np.array([positive for _, positive in latest])

        def loss(ab: Array) -> tuple[float, Array]:
            found = ab[0] * z + ab[1]
            wrong = expit(found) - y
            away = ab - np.array([1.0, 0.0])
            return (
                float(np.logaddexp(0.0, np.where(y, -found, found)).sum())
                + 0.5 * STRENGTH * float(away @ away),
                np.array([wrong @ z, wrong.sum()]) + STRENGTH * away,
            )

        minimize = import_module("scipy.optimize").minimize  # slow to import
        limits = [(FLATTEST, STEEPEST), (None, 0.0)]
        best = minimize(loss, np.array([1.0, 0.0]), jac=True, method="L-BFGS-B", bounds=limits).x
        return float(best[0]), float(best[1])
