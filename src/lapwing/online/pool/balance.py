"""How far the classes' shares among the labels are undone, learned from earlier guesses."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lapwing.learner.slips import NO_SLIPS, said_chances
from lapwing.types import Array

POWERS = np.linspace(0.0, 0.8, 17)
USUAL, SPREAD = 0.4, 0.2
"""The power before any label, and how far from it others are expected."""
CERTAIN = 2.0
"""A class with this many labels may be raised to twice its probability."""


class Shares(NamedTuple):
    """The share of each class among the labels, and how far a class may be raised.

    A share that rests on one or two labels is uncertain, so a class with n labels is raised by a
    factor of at most 1 + n / 2 above the class that is raised least.

    Examples
    --------
    >>> shares = Shares.among(np.array([15.0, 0.0, 3.0, 1.0]))
    >>> shares.each.round(2).tolist(), shares.lifts(0.4).round(2).tolist()
    ([0.73, 1.0, 0.18, 0.09], [1.0, 1.0, 1.74, 1.5])
    """

    each: Array
    most: Array

    @classmethod
    def among(cls, counts: Array) -> Shares:
        """Count one label more for each class that has labels; 1 for those without."""
        known = counts > 0
        each = np.where(known, (counts + 1.0) / max(float((counts + known).sum()), 1.0), 1.0)
        return cls(each, np.where(known, 1.0 + counts / CERTAIN, 1.0))

    def lifts(self, power: float | Array) -> Array:
        """The factor of each class for a power; one row for each of several powers."""
        known = self.most > 1.0
        if not known.any():
            return np.ones((*np.shape(power), len(self.each)))
        largest = float(self.each[known].max())
        return np.where(
            known,
            np.minimum(np.power(largest / self.each, np.asarray(power)[..., None]), self.most),
            1.0,
        )


class Balance:
    r"""The power g with which probabilities :math:`p_k / s_k^g` fit the answers, for shares s.

    Few labels leave an expert unsure, and what is unsure leans to the class with most labels: of
    many nodes that each belong to it a little more probably than to another, all are answered with
    it. Dividing by a power of the classes' shares among the labels undoes part of that (`Shares`).
    `value` is the mean of the power under its likelihood (what each power would have given to the
    answers, which may be wrong: `slips`) and a normal prior.

    Examples
    --------
    Each class is guessed as often as it has labels, whatever the node; answers of the rare class
    that were not expected raise the power:

    >>> balance, shares = Balance(), Shares.among(np.array([15.0, 3.0]))
    >>> before = balance.value()
    >>> for node in range(20):
    ...     balance.note(node, np.array([0.8, 0.2]), shares, node % 2)
    >>> round(before, 2), round(balance.value(), 2)
    (0.4, 0.53)
    """

    def __init__(self) -> None:
        self._noted: dict[int, tuple[Array, float, int]] = {}
        self.slips = NO_SLIPS

    def note(
        self, node: int, chances: Array, shares: Shares, label: int, *, counts: float = 1.0
    ) -> None:
        """Record a guess with the shares at that time, and the answer."""
        each = chances * shares.lifts(POWERS)
        given = each[:, label] / each.sum(axis=1)
        self._noted[node] = given, counts, len(chances)

    def forget(self, node: int) -> None:
        """Forget a node's answer."""
        self._noted.pop(node, None)

    def value(self) -> float:
        """Return the mean power."""
        logs = -0.5 * np.square((POWERS - USUAL) / SPREAD)
        if self._noted:
            given = np.array([each for each, _, _ in self._noted.values()])
            counts = np.array([each for _, each, _ in self._noted.values()])
            kinds = np.array([[each] for _, _, each in self._noted.values()])
            said = said_chances(given, self.slips.of(self._noted)[:, None], kinds)
            logs = logs + counts @ np.log(np.maximum(said, 1e-3))
        weights = np.exp(logs - logs.max())
        return float(weights @ POWERS / weights.sum())


def balanced(chances: Array, shares: Shares, power: float) -> Array:
    """Return probabilities divided by a power of the shares, normalised; zeros stay zeros.

    Examples
    --------
    >>> shares = Shares.among(np.array([7.0, 1.0]))
    >>> balanced(np.array([[0.6, 0.4], [0.0, 0.0]]), shares, 0.5).round(2).tolist()
    [[0.5, 0.5], [0.0, 0.0]]
    """
    weighed = chances * shares.lifts(power)
    total = weighed.sum(axis=-1, keepdims=True)
    return np.asarray(np.divide(weighed, total, out=np.zeros_like(weighed), where=total > 0))
