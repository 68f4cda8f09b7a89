"""A temperature that calibrates probabilities, learned from earlier guesses."""

from __future__ import annotations

import numpy as np
from numba import njit

from lapwing.types import Array, Nodes

PRIOR, STRENGTH = 0.7, 10.0
"""The initial temperature, and the weight of this prior in labels."""
HALF_LIFE = 0.5
"""A guess counts half if this share of the labels came after it."""
RANGE = (0.1, 5.0)
MOST_STEPS, CLOSE = 60, 1e-7


class Temperature:
    """The factor t for which softmax(t z) fits the answers best, the latest ones most.

    `noted` keeps the prediction for a node before its answer (z, logarithms of probabilities) and
    the answer. `value` maximises the likelihood of the answers, each weighted by :math:`2^{-2 (T -
    t) / T}` at the t-th of T, with a penalty on leaving `prior`, whose weight in labels is
    `strength`.

    Examples
    --------
    Confident guesses that are wrong every other time: the confidence drops.

    >>> heat = Temperature()
    >>> for k in range(40):
    ...     heat.note(k, np.array([4.0, 0.0]), k % 2)
    >>> heat.value() < 0.4 < Temperature().value()
    True
    """

    def __init__(self, *, prior: float = PRIOR, strength: float = STRENGTH) -> None:
        self.prior, self.strength = prior, strength
        self._noted: dict[int, tuple[Array, int]] = {}

    def note(self, node: int, z: Array, label: int) -> None:
        """Record the prediction for a node and its answer."""
        self.forget(node)
        self._noted[node] = (z, label)

    def forget(self, node: int) -> None:
        """Forget a node's answer."""
        self._noted.pop(node, None)

    def value(self) -> float:
        """Return the best factor."""
        if not self._noted:
            return self.prior
        count, width = len(self._noted), max(len(z) for z, _ in self._noted.values())
        thought = np.full((count, width), -np.inf)
        for row, (z, _) in zip(thought, self._noted.values(), strict=True):
            row[: len(z)] = z
        labels = np.array([label for _, label in self._noted.values()])
        weight = 0.5 ** (np.arange(count, 0, -1) / (HALF_LIFE * count))
        return float(np.exp(_best(thought, labels, weight, np.log(self.prior), self.strength)))


@njit(cache=True)
def _best(thought: Array, labels: Nodes, weight: Array, prior: float, strength: float) -> float:
    """Return the logarithm of the best factor: where the slope is zero, by Newton and halving."""
    low, high = np.log(RANGE[0]), np.log(RANGE[1])
    at = min(max(prior, low), high)
    for _ in range(MOST_STEPS):
        factor, slope, curve = np.exp(at), 2.0 * strength * (at - prior), 2.0 * strength
        for i in range(len(labels)):
            mean, spread = _moments(thought[i], factor)
            slope += weight[i] * factor * (mean - thought[i, labels[i]])
            curve += weight[i] * factor * (mean - thought[i, labels[i]] + factor * spread)
        low, high = (at, high) if slope < 0.0 else (low, at)
        new = at - slope / curve if curve > 0.0 else np.inf
        new = new if low < new < high else 0.5 * (low + high)
        if abs(new - at) < CLOSE:
            return float(new)
        at = new
    return float(at)


@njit(cache=True)
def _moments(thought: Array, factor: float) -> tuple[float, float]:
    """Return the mean and the variance of the values under the softmax of their multiples."""
    highest, total, mean, square = thought.max(), 0.0, 0.0, 0.0
    for value in thought:
        if value > -np.inf:
            share = np.exp(factor * (value - highest))
            total += share
            mean += share * value
            square += share * value * value
    mean /= total
    return mean, max(square / total - mean * mean, 0.0)


def tempered(chances: Array, factor: float) -> Array:
    """Return probabilities to the power of a factor, normalised; rows of zeros stay zeros.

    Examples
    --------
    >>> tempered(np.array([[0.8, 0.2], [0.0, 0.0]]), 0.5).round(2).tolist()
    [[0.67, 0.33], [0.0, 0.0]]
    """
    raised = np.power(chances, factor)
    total = raised.sum(axis=-1, keepdims=True)
    return np.asarray(np.divide(raised, total, out=np.zeros_like(raised), where=total > 0))
