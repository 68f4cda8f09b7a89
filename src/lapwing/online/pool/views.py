"""Views: means of some experts, each as sure as labels left out allow and weighed by them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import softmax

from lapwing.types import Array, Mask, Nodes

POWER = 0.5
"""What a label left out counts in an expert's weight, as a power of its probability."""


class Guess(NamedTuple):
    """What was thought of a node before its label came.

    `shares` are the probabilities that each view gave to the label.
    """

    label: int
    shares: Array


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
