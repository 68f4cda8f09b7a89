"""How likely each answer is wrong, from what the other answers say about its node."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import log_softmax, logsumexp

from lapwing.errors import InputError
from lapwing.types import Array, Nodes

WRONG, RIGHT = 1.0, 19.0
"""What is believed before any answer is compared: one wrong answer in twenty."""
RATES = np.geomspace(0.002, 0.5, 28)
"""Shares of wrong answers that are tried."""
SHARPER, SPREAD = np.geomspace(0.5, 4.0, 15), 0.5
"""Exponents tried for the probabilities, and how far their logarithm is expected to be from 0."""
LEAST = 1e-3
"""Added to every probability before its logarithm."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """How likely each answer is wrong (`wrong`), and the share of all that are (`rate`)."""

    wrong: Array
    rate: float


def suspicion(
    chances: Array, answers: Nodes, times: Array | None = None, groups: Nodes | None = None
) -> Suspicion:
    r"""Return how likely each answer is wrong, given the probabilities without it.

    `chances` has one row per answer: the probabilities of the classes of its node, by a learner
    that does not know this answer (held out). People are right with probability 1 - e and otherwise
    name any of the other K - 1 classes alike, so an answer a is given with probability
    :math:`(1 - e) q_a + e (1 - q_a) / (K - 1)`, where :math:`q \propto p^t`. What is returned are
    means over the share e of wrong answers and the exponent t, each weighed by the likelihood of
    all answers and by what is believed before: one wrong answer in twenty, and t about 1. A node of
    which nothing is known is judged by e alone.

    Nodes that were chosen because they are in doubt are harder than the learner thinks, and those
    drawn at random are not: `groups` has a number from 0 on for each answer, and every group has an
    exponent of its own. Without it, all answers are one group.

    A learner that was told wrong labels expects wrong answers, so by itself it hardly tells an
    unclear class from a slip. Nodes asked about more than once do: `times` has one row per node and
    says how often each class was named, by whomever, each time without knowing the other answers;
    `answers` is what stands. All of them count for e, so answers that are confirmed make the others
    less suspicious, too. Cost: O(answers x classes) for each of 420 pairs of e and t.

    References
    ----------
    Dawid, Skene. *Maximum likelihood estimation of observer error-rates using the EM algorithm.*
    Applied Statistics 1979.

    Examples
    --------
    Nine answers as expected, and one that was thought 2% likely:

    >>> chances = np.array([[0.9, 0.1]] * 9 + [[0.98, 0.02]])
    >>> answers = np.array([0] * 9 + [1])
    >>> found = suspicion(chances, answers)
    >>> found.wrong.round(2).tolist()
    [0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.72]
    >>> round(found.rate, 2)
    0.06

    It was asked about again, and the answer was the same:

    >>> times = np.eye(2)[answers]
    >>> times[9] = 0, 2
    >>> suspicion(chances, answers, times).wrong.round(2).tolist()[9]
    0.15
    """
    if chances.ndim != 2 or len(chances) != len(answers):
        raise InputError(
            f"chances must have one row per answer, got {chances.shape} for {len(answers)}"
        )
    if not len(answers):
        return Suspicion(np.empty(0), WRONG / (WRONG + RIGHT))
    said = np.eye(chances.shape[1])[answers] if times is None else times
    if said.shape != chances.shape:
        raise InputError(f"times must have the shape of chances {chances.shape}, got {said.shape}")
    kinds = np.zeros(len(answers), dtype=np.intp) if groups is None else groups
    if len(kinds) != len(answers):
        raise InputError(f"groups must have one number per answer, got {len(kinds)}")
    likely, wrong = _compared(np.log(chances + LEAST), answers, said)
    believed = -0.5 * np.square(np.log(SHARPER) / SPREAD)
    shares = WRONG * np.log(RATES) + (RIGHT - 1.0) * np.log1p(-RATES)
    sharper = np.empty((len(answers), len(RATES), len(SHARPER)))
    for kind in np.unique(kinds):
        mine = kinds == kind
        logs = likely[mine].sum(axis=0) + believed
        total = logsumexp(logs, axis=1, keepdims=True)
        sharper[mine] = np.exp(logs - total)
        shares = shares + total[:, 0]
    weights = np.exp(shares - logsumexp(shares))
    found = np.einsum("net,net,e->n", wrong, sharper, weights)
    return Suspicion(np.clip(found, 0.0, 1.0), float(weights @ RATES))


def _compared(logs: Array, answers: Nodes, times: Array) -> tuple[Array, Array]:
    """What each share and exponent say of each answer: its log likelihood, and whether it is wrong.

    Both have the shape (answers, shares, exponents).
    """
    rate, others = RATES[:, None, None], max(times.shape[1] - 1, 1)
    amiss = times.sum(axis=1, keepdims=True) - times
    noise = times * np.log1p(-rate) + amiss * np.log(rate / others)
    likely, wrong = (np.empty((len(answers), len(RATES), len(SHARPER))) for _ in range(2))
    every = np.arange(len(answers))
    for place, exponent in enumerate(SHARPER):
        both = log_softmax(exponent * logs, axis=1) + noise
        total = logsumexp(both, axis=2)
        likely[:, :, place] = total.T
        wrong[:, :, place] = 1.0 - np.exp(both[:, every, answers] - total).T
    return likely, wrong


def without_wrong_answers(chances: Array, rate: float) -> Array:
    r"""Return the probabilities of the right classes, from those of the answers.

    A learner that was told a share e of wrong labels expects them: where class k is right with
    probability p, it says :math:`(1 - e) p + e (1 - p) / (K - 1)`. This solves for p. No class gets
    less than 0.001; rows of zeros stay zeros.

    References
    ----------
    Patrini, Rozza, Menon, Nock, Qu. *Making deep neural networks robust to label noise: a loss
    correction approach.* CVPR 2017.

    Examples
    --------
    >>> without_wrong_answers(np.array([[0.9, 0.06, 0.04], [0.0, 0.0, 0.0]]), 0.1).round(2).tolist()
    [[0.99, 0.01, 0.0], [0.0, 0.0, 0.0]]
    """
    others = max(chances.shape[1] - 1, 1)
    kept = max(1.0 - rate * (others + 1.0) / others, LEAST)
    found = np.maximum((chances - rate / others) / kept, LEAST)
    total = found.sum(axis=1, keepdims=True)
    return np.where(chances.any(axis=1, keepdims=True), found / total, 0.0)
