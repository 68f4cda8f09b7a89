"""Earlier guesses and their answers, which calibrate the next."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

import numpy as np
from scipy.special import expit

from lapwing.types import Array

STRENGTH, STEADY = 10.0, 30.0
"""Weight of the prior, in answers: of the first slope and the shift, and of further slopes."""
STEEPEST, FLATTEST = 3.0, 0.1
MOST_NOTED = 1_000
"""Slopes and shift are fitted to the latest answers, at most this many."""


class NotedGuesses:
    r"""Slopes and a shift for which :math:`\sigma(a \cdot z + b)` fits the answers best.

    `note` records the log odds z of a node before its answer, one number per kind of evidence. So
    each kind counts as much as it has been right. A penalty keeps the slopes a near `usual` and b
    near 0 while there are few answers; no slope is negative, so that more evidence never lowers a
    probability, and b is at most 0: the nodes asked about were the likeliest, so hits among them do
    not make all others likelier.

    References
    ----------
    Platt. *Probabilistic outputs for support vector machines.* 1999.

    Examples
    --------
    Nodes that were thought positive with 88% turn out to be so every other time:

    >>> noted = NotedGuesses()
    >>> for k in range(40):
    ...     noted.note(k, np.array([2.0]), k % 2 == 0)
    >>> noted.chances(np.array([[2.0]])).round(2).tolist()
    [0.58]
    """

    def __init__(self, usual: Sequence[float] = (1.0,)) -> None:
        self.usual = tuple(usual)
        self._noted: dict[int, tuple[Array, bool]] = {}
        self._fitted: Array | None = None

    def note(self, node: int, odds: Array, positive: bool) -> None:
        """Record the log odds of a node before its answer, and the answer."""
        self.forget(node)
        self._noted[node] = (odds, positive)
        self._fitted = None

    def forget(self, node: int) -> None:
        """Forget a node's answer."""
        if self._noted.pop(node, None) is not None:
            self._fitted = None

    def chances(self, odds: Array) -> Array:
        """Return calibrated probabilities, from log odds with one column per kind."""
        if self._fitted is None:
            self._fitted = self._fit()
        return np.asarray(expit(odds @ self._fitted[:-1] + self._fitted[-1]))

    def _fit(self) -> Array:
        before = np.array([*self.usual, 0.0])
        firm = np.array([STRENGTH, *[STEADY] * (len(self.usual) - 1), STRENGTH])
        if not self._noted:
            return before
        latest = list(self._noted.values())[-MOST_NOTED:]
        z = np.array([[*odds, 1.0] for odds, _ in latest])
        y = np.array([positive for _, positive in latest])

        def loss(fit: Array) -> tuple[float, Array]:
            found, away = z @ fit, fit - before
            return (
                float(np.logaddexp(0.0, np.where(y, -found, found)).sum())
                + 0.5 * float(firm @ np.square(away)),
                (expit(found) - y) @ z + firm * away,
            )

        minimize = import_module("scipy.optimize").minimize  # slow to import
        further = [(0.0, STEEPEST)] * (len(self.usual) - 1)
        limits = [(FLATTEST, STEEPEST), *further, (None, 0.0)]
        best = minimize(loss, before, jac=True, method="L-BFGS-B", bounds=limits).x
        return np.asarray(best)
