"""Probabilities that are too modest because some answers were wrong, and how to sharpen them."""

from __future__ import annotations

import numpy as np
from scipy.special import expit, log_softmax

from lapwing.active.suspicion import LEAST, RIGHT, ROUNDS, SPREAD, WRONG
from lapwing.errors import InputError
from lapwing.types import Array, Mask

EXPONENTS = np.linspace(1.0, 4.0, 25)
FEWEST, PROVEN = 40, 4.0
"""Answers needed, and by how much the log likelihood must rise, to sharpen at all."""


def modesty(confidences: Array, right: Mask, n_classes: int) -> float:
    r"""Return the exponent that sharpens probabilities, from guesses made before the answers.

    A learner that was told wrong labels is too modest: near a clear class it saw slips, too. A
    guess with confidence c agrees with the answer with probability
    :math:`(1 - e) q + e (1 - q) / (K - 1)`, where q is c sharpened by the exponent t, and e the
    share of wrong answers, as in `suspicion`. The likeliest t from 1 to 4 is returned, and 1 unless
    40 or more answers speak for it.

    Examples
    --------
    Nine in ten guesses were right, or seven in ten as the learner said:

    >>> said = np.full(100, 0.7)
    >>> modesty(said, np.arange(100) % 10 < 9, 2)
    2.625
    >>> modesty(said, np.arange(100) % 10 < 7, 2)
    1.0
    """
    if confidences.shape != right.shape:
        raise InputError(f"a guess must have one outcome, got {len(right)} for {len(confidences)}")
    if len(right) < FEWEST or n_classes < 2:
        return 1.0
    others, sure = n_classes - 1, np.clip(confidences, LEAST, 1.0 - LEAST)
    odds = np.log(sure) - np.log((1.0 - sure) / others)
    chances = expit(EXPONENTS[:, None] * odds - np.log(others))
    by_slip = np.where(right, (1.0 - chances) / others, 1.0 - (1.0 - chances) / others)
    by_truth = np.where(right, chances, 1.0 - chances)
    rates = np.full((len(EXPONENTS), 1), WRONG / (WRONG + RIGHT))
    for _ in range(ROUNDS):
        said = rates * by_slip + (1.0 - rates) * by_truth
        slips = (rates * by_slip / said).sum(axis=1, keepdims=True)
        rates = (slips + WRONG) / (len(right) + WRONG + RIGHT)
    said = rates * by_slip + (1.0 - rates) * by_truth
    likely = np.log(said).sum(axis=1) + (WRONG * np.log(rates) + RIGHT * np.log1p(-rates))[:, 0]
    likely -= 0.5 * (np.log(EXPONENTS) / SPREAD) ** 2
    best = int(np.argmax(likely))
    return float(EXPONENTS[best]) if likely[best] >= likely[0] + PROVEN else 1.0


def sharpened(chances: Array, exponent: float) -> Array:
    """Return each row to a power, made to sum to 1; rows of zeros stay zeros.

    Examples
    --------
    >>> sharpened(np.array([[0.8, 0.2], [0.0, 0.0]]), 2.0).round(2).tolist()
    [[0.94, 0.06], [0.0, 0.0]]
    """
    found = np.exp(log_softmax(exponent * np.log(chances + LEAST), axis=1))
    return np.where(chances.any(axis=1, keepdims=True), found, 0.0)
