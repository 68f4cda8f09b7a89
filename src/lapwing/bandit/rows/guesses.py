"""Compiled code for guesses: open classes, ties and records."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from lapwing.learner import Feedback
from lapwing.types import UNKNOWN, Array, Mask, Nodes


class Tally(NamedTuple):
    """A round's first guess, its updates and its guesses, and all second guesses (1,)."""

    guesses: Nodes
    updates: Nodes
    tries: Nodes
    again: Nodes


def blank_tally(rounds: int) -> Tally:
    """Return an empty tally of this many rounds."""
    guesses, updates, tries = np.zeros((3, rounds), dtype=np.intp)
    return Tally(guesses, updates, tries, np.zeros(1, dtype=np.intp))


@njit(cache=True)
def n_open(rejected: Mask) -> int:
    """Return the number of classes not rejected for a node, or of all if all were rejected.

    Examples
    --------
    >>> n_open(np.array([True, False])), n_open(np.array([True, True]))
    (1, 2)
    """
    count = 0
    for k in range(rejected.size):
        count += not rejected[k]
    return count if count else rejected.size


@njit(cache=True)
def is_open(rejected: Mask, k: int, count: int) -> bool:
    """Whether a class can be guessed; `count` is the result of `n_open`."""
    return count == rejected.size or not rejected[k]


@njit(cache=True)
def first_best(scores: Array, rejected: Mask, tie_order: Nodes) -> int:
    """Return the open class with the largest score; ties go to the first in the order.

    Examples
    --------
    >>> first_best(np.array([1.0, 1.0, 5.0]), np.array([False, False, True]), np.array([2, 1, 0]))
    1
    """
    count = n_open(rejected)
    best = -1
    for k in tie_order:
        if is_open(rejected, k, count) and (best < 0 or scores[k] > scores[best]):
            best = k
    return best


@njit(cache=True)
def explored(best: int, rejected: Mask, dice: Array, gamma: float) -> int:
    """Return the best class, or any open one with probability gamma; two dice in [0, 1).

    Examples
    --------
    >>> rejected = np.array([False, True, False])
    >>> explored(0, rejected, np.array([0.9, 0.9]), 0.1)
    0
    >>> explored(0, rejected, np.array([0.05, 0.9]), 0.1)
    2
    """
    if dice[0] >= gamma:
        return best
    count = n_open(rejected)
    wanted = int(dice[1] * count)
    for k in range(rejected.size):
        if is_open(rejected, k, count):
            if wanted == 0:
                return k
            wanted -= 1
    return best


@njit(cache=True)
def heard(feedback: Feedback, node: int, guess: int, right: bool) -> None:
    """Record a node's answer; a node that has rejected all classes but one has that class.

    Examples
    --------
    >>> from lapwing.learner import no_feedback
    >>> feedback = no_feedback(1, 3)
    >>> heard(feedback, 0, 1, False)
    >>> heard(feedback, 0, 0, False)
    >>> feedback.answers, feedback.counts
    (array([2]), array([0, 0, 1]))
    """
    rejected = feedback.rejected[node]
    before = feedback.answers[node]
    after = before
    if right:
        after = guess
    else:
        rejected[guess] = True
        if before == guess:
            after = UNKNOWN
        if rejected.size - rejected.sum() == 1:
            for k in range(rejected.size):
                if not rejected[k]:
                    after = k
    if before != UNKNOWN:
        feedback.counts[before] -= 1
    if after != UNKNOWN:
        feedback.counts[after] += 1
    feedback.answers[node] = after


@njit(cache=True)
def noted(
    tally: Tally, t: int, node: int, guess: int, right: bool, taught: bool, feedback: Feedback
) -> None:
    """Record a guess of round t and the node's answer.

    Examples
    --------
    >>> from lapwing.learner import no_feedback
    >>> tally = blank_tally(1)
    >>> noted(tally, 0, 0, 1, False, True, no_feedback(1, 2))
    >>> tally.guesses, tally.tries
    (array([1]), array([1]))
    """
    if tally.tries[t] == 0:
        tally.guesses[t] = guess
    tally.tries[t] += 1
    tally.updates[t] += taught
    tally.again[0] += feedback.rejected[node].any()
    heard(feedback, node, guess, right)
