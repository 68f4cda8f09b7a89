"""How likely each answer is wrong, from what the other answers say about its node."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapwing.errors import InputError
from lapwing.types import Array, Nodes

WRONG, RIGHT = 1.0, 19.0
"""What is believed before any answer is compared: one wrong answer in twenty."""
SHARPER, SPREAD = np.linspace(0.5, 4.0, 15), 0.5
"""Exponents tried for the probabilities, as those learned from wrong answers are too modest, and
how far their logarithm is expected to be from 0."""
ROUNDS = 30
LEAST = 1e-3
"""Added to every probability before its logarithm."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """How likely each answer is wrong (`wrong`), and the share of all that are (`rate`)."""

    wrong: Array
    rate: float


def suspicion(chances: Array, answers: Nodes) -> Suspicion:
    r"""Return how likely each answer is wrong, given the probabilities without it.

    `chances` has one row per answer: the probabilities of the classes of its node, by a learner
    that does not know this answer (held out). People are right with probability 1 - e and otherwise
    name any of the other K - 1 classes alike, so an answer a is given with probability
    :math:`(1 - e) q_a + e (1 - q_a) / (K - 1)`, where :math:`q \propto p^t`. The share e of wrong
    answers and the exponent t are the likeliest ones (e by expectation maximisation, beginning with
    one wrong answer in twenty; t from 0.5 to 4, rather 1: a learner that was told wrong labels is
    too modest). A node of which nothing is known is judged by e alone.

    References
    ----------
    Dawid, Skene. *Maximum likelihood estimation of observer error-rates using the EM algorithm.*
    Applied Statistics 1979.

    Examples
    --------
    Nine answers as expected, and one that was thought 2% likely:

    >>> chances = np.array([[0.9, 0.1]] * 9 + [[0.98, 0.02]])
    >>> found = suspicion(chances, np.array([0] * 9 + [1]))
    >>> found.wrong.round(2).tolist()
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.89]
    >>> round(found.rate, 2)
    0.06
    """
    if chances.ndim != 2 or len(chances) != len(answers):
        raise InputError(
            f"chances must have one row per answer, got {chances.shape} for {len(answers)}"
        )
    count = max(chances.shape[1], 2)
    if not len(answers):
        return Suspicion(np.empty(0), WRONG / (WRONG + RIGHT))
    logs = np.log(chances + LEAST)
    best, chosen = -np.inf, Suspicion(np.empty(0), 0.0)
    for exponent in SHARPER:
        sharp = np.exp(exponent * logs)
        given = (sharp / sharp.sum(axis=1, keepdims=True))[np.arange(len(answers)), answers]
        wrong, rate, likelihood = _wrong_answers(given, count)
        likelihood -= 0.5 * float(np.log(exponent) / SPREAD) ** 2
        if likelihood > best:
            best, chosen = likelihood, Suspicion(wrong, rate)
    return chosen


def _wrong_answers(given: Array, n_classes: int) -> tuple[Array, float, float]:
    """How likely answers of these probabilities are wrong, how many are, and the likelihood."""
    rate = WRONG / (WRONG + RIGHT)
    amiss = (1.0 - given) / (n_classes - 1)
    for _ in range(ROUNDS):
        said = (1.0 - rate) * given + rate * amiss
        wrong = rate * amiss / said
        rate = float((wrong.sum() + WRONG) / (len(wrong) + WRONG + RIGHT))
    prior = WRONG * np.log(rate) + RIGHT * np.log1p(-rate)
    return wrong, rate, float(np.log(said).sum() + prior)
