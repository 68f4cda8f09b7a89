"""A temperature that calibrates probabilities, learned from earlier guesses."""

from __future__ import annotations

import numpy as np
from numba import njit

from lapwing.learner.slips import NO_SLIPS
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
    `strength`. Answers may be wrong (`slips`): the likelihood of one is then that of
    `lapwing.learner.said_chances`.

    Examples
    --------
    Confident guesses that are wrong every other time: the confidence drops.

    >>> heat = Temperature()
    >>> for k in range(40):
    ...     heat.note(k, np.array([4.0, 0.0]), k % 2)
    >>> heat.value() < 0.4 < Temperature().value()
    True

    If half of the answers are thought to be wrong, they say nothing:

    >>> from lapwing.learner import Slips
    >>> heat.slips = Slips(0.5)
    >>> round(heat.value(), 3) == round(Temperature().value(), 3)
    True
    """

    def __init__(self, *, prior: float = PRIOR, strength: float = STRENGTH) -> None:
        self.prior, self.strength = prior, strength
        self._noted: dict[int, tuple[Array, int]] = {}
        self.slips = NO_SLIPS

    def note(self, node: int, z: Array, label: int) -> None:
        """Record the prediction for a node and its answer."""
        self.forget(node)
        self._noted[node] = (z, label)

    def knows(self, node: int, label: int) -> bool:
        """Whether a prediction for a node with this answer is recorded."""
        return node in self._noted and self._noted[node][1] == label

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
        slips = self.slips.of(self._noted)
        best = _best(thought, labels, weight, slips, np.log(self.prior), self.strength)
        return float(np.exp(best))


@njit(cache=True)
def _best(
    thought: Array, labels: Nodes, weight: Array, slips: Array, prior: float, strength: float
) -> float:
    """Return the logarithm of the best factor: where the slope is zero, by Newton and halving.

    An answer that may be wrong counts by the probability that it is right, given the guess.
    """
    low, high = np.log(RANGE[0]), np.log(RANGE[1])
    at = min(max(prior, low), high)
    for _ in range(MOST_STEPS):
        factor, slope, curve = np.exp(at), 2.0 * strength * (at - prior), 2.0 * strength
        for i in range(len(labels)):
            mean, spread, total = _moments(thought[i], factor)
            counts = weight[i]
            if slips[i] > 0.0:
                other = slips[i] / max(thought.shape[1] - 1, 1)
                right = np.exp(factor * (thought[i, labels[i]] - thought[i].max())) / total
                heard = (1.0 - slips[i] - other) * right
                counts *= max(heard, 0.0) / (heard + other)
            slope += counts * factor * (mean - thought[i, labels[i]])
            curve += counts * factor * (mean - thought[i, labels[i]] + factor * spread)
        low, high = (at, high) if slope < 0.0 else (low, at)
        new = at - slope / curve if curve > 0.0 else np.inf
        new = new if low < new < high else 0.5 * (low + high)
        if abs(new - at) < CLOSE:
            return float(new)
        at = new
    return float(at)


@njit(cache=True)
def _moments(thought: Array, factor: float) -> tuple[float, float, float]:
    """Return mean and variance under the softmax of multiples, and the sum it is divided by."""
    highest, total, mean, square = thought.max(), 0.0, 0.0, 0.0
    for value in thought:
        if value > -np.inf:
            share = np.exp(factor * (value - highest))
            total += share
            mean += share * value
            square += share * value * value
    mean /= total
    return mean, max(square / total - mean * mean, 0.0), total


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
