"""How far the classes' shares among the labels are undone, learned from earlier guesses."""

from __future__ import annotations

import numpy as np

from lapwing.types import Array

POWERS = np.linspace(0.0, 0.8, 17)
USUAL, SPREAD = 0.4, 0.2
"""The power before any label, and how far from it others are expected."""


class Balance:
    r"""The power g with which probabilities :math:`p_k / s_k^g` fit the answers, for shares s.

    Few labels leave an expert unsure, and what is unsure leans to the class with most labels: of
    many nodes that each belong to it a little more probably than to another, all are answered with
    it. Dividing by a power of the classes' shares among the labels undoes part of that. `value` is
    the mean of the power under its likelihood (what each power would have given to the answers)
    and a normal prior.

    Examples
    --------
    Each class is guessed as often as it has labels, whatever the node; answers of the rare class
    that were not expected raise the power:

    >>> balance = Balance()
    >>> before = balance.value()
    >>> for node in range(20):
    ...     balance.note(node, np.array([0.8, 0.2]), np.array([0.8, 0.2]), node % 2)
    >>> round(before, 2), round(balance.value(), 2)
    (0.4, 0.54)
    """

    def __init__(self) -> None:
        self._noted: dict[int, Array] = {}

    def note(
        self, node: int, chances: Array, shares: Array, label: int, *, counts: float = 1.0
    ) -> None:
        """Record a guess with the shares at that time, and the answer."""
        each = chances * np.power(shares, -POWERS[:, None])
        given = each[:, label] / each.sum(axis=1)
        self._noted[node] = counts * np.log(np.maximum(given, 1e-3))

    def forget(self, node: int) -> None:
        """Forget a node's answer."""
        self._noted.pop(node, None)

    def value(self) -> float:
        """Return the mean power."""
        logs = -0.5 * np.square((POWERS - USUAL) / SPREAD)
        if self._noted:
            logs = logs + np.sum(list(self._noted.values()), axis=0)
        weights = np.exp(logs - logs.max())
        return float(weights @ POWERS / weights.sum())


def shares_among_labels(counts: Array) -> Array:
    """Return the shares of classes with these counts, one label more each; 1 for those without.

    Examples
    --------
    >>> shares_among_labels(np.array([3.0, 0.0, 1.0])).round(2).tolist()
    [0.67, 1.0, 0.33]
    """
    known = counts > 0
    return np.where(known, (counts + 1.0) / max(float((counts + known).sum()), 1.0), 1.0)


def balanced(chances: Array, shares: Array, power: float) -> Array:
    """Return probabilities divided by a power of the shares, normalised; zeros stay zeros.

    Examples
    --------
    >>> balanced(np.array([[0.6, 0.4], [0.0, 0.0]]), np.array([0.8, 0.2]), 0.5).round(2).tolist()
    [[0.43, 0.57], [0.0, 0.0]]
    """
    weighed = chances * np.power(shares, -power)
    total = weighed.sum(axis=-1, keepdims=True)
    return np.asarray(np.divide(weighed, total, out=np.zeros_like(weighed), where=total > 0))
