"""Views: products of experts whose exponents are learned from earlier guesses."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import NamedTuple

import numpy as np

from lapwing.learner import softmax
from lapwing.types import Array, Mask, Nodes

STRENGTH = 10.0
"""Weight of the prior exponents, in labels."""
HALF_LIFE = 0.5
"""A guess counts half if this share of the labels came after it."""
LARGEST = 5.0
MOST_NOTED = 1_000
"""Exponents are fitted to the latest guesses, at most this many."""


class Guess(NamedTuple):
    """What was thought of a node before its label came.

    `thoughts` are the experts' log probabilities ``(E, K)``, `known` the classes that had labels,
    `shares` the probability that each view gave to the label, `is_right` whether the mixture
    guessed it.
    """

    thoughts: Array
    known: Mask
    label: int
    shares: Array
    is_right: bool = False


class View:
    r"""The product :math:`p_k \propto \prod_e p_{ek}^{w_e}` of some experts.

    `exponents` start at a prior and are fitted to the answers: they maximise the likelihood of the
    labels under what was thought before each, the latest ones counting most, with a penalty on
    leaving the prior; none is negative.

    Examples
    --------
    The first expert is right, the second is not:

    >>> view = View("both", {0: 0.5, 1: 0.5})
    >>> thoughts = np.log([[0.9, 0.1], [0.2, 0.8]])
    >>> view.fit([Guess(thoughts, np.array([True, True]), 0, np.array([0.5]))] * 40)
    >>> view.exponents.round(1).tolist()
    [0.9, 0.3]
    """

    def __init__(self, name: str, prior: Mapping[int, float]) -> None:
        self.name = name
        self.experts: Nodes = np.array(list(prior), dtype=np.intp)
        self.prior = np.array(list(prior.values()))
        self.exponents = self.prior

    def chances(self, thoughts: Array, known: Mask) -> Array:
        """Return probabilities ``(m, K)`` from the experts' log probabilities ``(E, m, K)``."""
        z = np.tensordot(self.exponents, thoughts[self.experts], axes=1)
        z[..., ~known] = -np.inf
        return softmax(z)

    def fit(self, noted: list[Guess]) -> None:
        """Fit the exponents to earlier guesses."""
        if not noted:
            self.exponents = self.prior
            return
        latest = noted[-MOST_NOTED:]
        count, width = len(latest), max(len(guess.known) for guess in latest)
        thoughts = np.zeros((count, len(self.experts), width))
        hidden = np.ones((count, width), dtype=bool)
        for at, guess in enumerate(latest):
            thoughts[at, :, : len(guess.known)] = guess.thoughts[self.experts]
            hidden[at, : len(guess.known)] = ~guess.known
        labels, every = np.array([guess.label for guess in latest]), np.arange(count)
        weight = 0.5 ** (np.arange(count, 0, -1) / (HALF_LIFE * count))
        told = thoughts[every, :, labels]

        def loss(exponents: Array) -> tuple[float, Array]:
            z = np.matmul(exponents, thoughts)
            z[hidden] = -np.inf
            chances = softmax(z)
            right = np.maximum(chances[every, labels], 1e-12)
            mean = np.matmul(thoughts, chances[:, :, None])[:, :, 0]
            away = exponents - self.prior
            return (
                float(STRENGTH * away @ away - weight @ np.log(right)),
                2.0 * STRENGTH * away - weight @ (told - mean),
            )

        minimize = import_module("scipy.optimize").minimize  # slow to import
        limits = [(0.0, LARGEST)] * len(self.prior)
        found = minimize(
            loss, self.prior, jac=True, method="L-BFGS-B", bounds=limits, options={"maxiter": 50}
        )
        self.exponents = np.asarray(found.x)
