"""Views: means of some experts, each as sure as labels left out allow and weighed by them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import softmax

from lapwing.types import Array, Mask, Nodes

POWER = 0.5
"""What a label left out counts in an expert's weight, as a power of its probability."""
STRENGTH = 2.0
"""Weight of an expert's first sharpness, in labels."""
LEAST = 1e-3
"""Added to every probability before its logarithm."""
MOST_STEPS = 20


class Guess(NamedTuple):
    """What was thought of a node before its label came.

    `shares` are the probabilities that each view gave to the label.
    """

    label: int
    shares: Array


class Judgement(NamedTuple):
    """How sharp each expert may be, and the log loss it then has on labels left out."""

    sharpness: Array
    losses: Array


def judged(thoughts: Array, labels: Nodes, counts: Array, first: Array) -> Judgement:
    r"""Return each expert's sharpness s and its log loss on labels that it was not given.

    An expert's probabilities become :math:`p_k^s`, normalised. The sharpness minimises the log loss
    of the labels, each times its count, plus :math:`2 (s / s_0 - 1)^2` with its `first` sharpness
    :math:`s_0`; the sum is the loss. `thoughts` are log probabilities ``(E, t, K)``, minus infinity
    for classes that cannot be guessed.

    Examples
    --------
    The first expert is right and could be surer; the second is no better than chance:

    >>> thoughts = np.log([[[0.7, 0.3]] * 20, [[0.9, 0.1]] * 20])
    >>> labels = np.array([0] * 20)
    >>> labels[10:] = 1
    >>> thoughts[0, 10:] = thoughts[0, 10:, ::-1]
    >>> found = judged(thoughts, labels, np.ones(20), np.ones(2))
    >>> found.sharpness.round(1).tolist(), bool(found.losses[0] < found.losses[1])
    ([1.8, 0.1], True)
    """
    sharpness, every = first.astype(np.float64), np.arange(len(labels))
    told, finite = thoughts[:, every, labels], np.where(np.isfinite(thoughts), thoughts, 0.0)
    for _ in range(MOST_STEPS):
        chances = softmax(sharpness[:, None, None] * thoughts, axis=2)
        mean = (chances * finite).sum(axis=2)
        spread = (chances * np.square(finite)).sum(axis=2) - np.square(mean)
        slope = (mean - told) @ counts + 2.0 * STRENGTH * (sharpness / first - 1.0) / first
        curve = spread @ counts + 2.0 * STRENGTH / np.square(first)
        new = np.clip(sharpness - slope / curve, sharpness / 3.0, 3.0 * sharpness)
        close = bool((np.abs(new - sharpness) < 1e-3 * first).all())
        sharpness = new
        if close:
            break
    chances = softmax(sharpness[:, None, None] * thoughts, axis=2)
    right = np.maximum(chances[:, every, labels], 1e-12)
    price = STRENGTH * np.square(sharpness / first - 1.0)
    return Judgement(sharpness, price - np.log(right) @ counts)


class View:
    """The mean of some experts, weighed by what they say of labels left out.

    `weights` start at a prior; an expert's weight is its prior times its likelihood of labels that
    it was not given, to the power of a half.

    Examples
    --------
    >>> view = View("both", {0: 1.0, 1: 1.0})
    >>> view.weigh(np.array([2.0, 6.0]))
    >>> view.weights.round(2).tolist()
    [0.88, 0.12]
    """

    def __init__(self, name: str, prior: Mapping[int, float]) -> None:
        self.name = name
        self.experts: Nodes = np.array(list(prior), dtype=np.intp)
        first = np.array(list(prior.values()))
        self.prior = first / first.sum()
        self.weights = self.prior

    def chances(self, sharpened: Array) -> Array:
        """Return probabilities ``(m, K)`` from the experts' ``(E, m, K)``."""
        return np.asarray(np.tensordot(self.weights, sharpened[self.experts], axes=1))

    def weigh(self, losses: Array) -> None:
        """Weigh the experts by their losses on labels left out, one per expert of the pool."""
        held = losses[self.experts]
        raised = self.prior * np.exp(POWER * (held.min() - held))
        self.weights = raised / raised.sum()


def sharpened(thoughts: Array, sharpness: Sequence[float] | Array, known: Mask) -> Array:
    """Return the probabilities of experts ``(E, m, K)``, each as sharp as it may be.

    Examples
    --------
    >>> thoughts = np.log([[[0.8, 0.2]]])
    >>> sharpened(thoughts, [2.0], np.array([True, True])).round(2).tolist()
    [[[0.94, 0.06]]]
    """
    z = np.asarray(sharpness)[:, None, None] * thoughts
    z[..., ~known] = -np.inf
    return np.asarray(softmax(z, axis=2))
