"""The compiled step of Banditron and SOBA, perceptrons with occasional random guesses.

The methods for one node and the loop over a recorded stream share it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from lapwing.bandit.rows.guesses import Tally, explored, first_best, n_open, noted
from lapwing.learner import Feedback
from lapwing.linalg.products import dot
from lapwing.linalg.ridge.inverse import inverse_times, lower
from lapwing.types import Array, Nodes

NO_DICE = np.ones(2)
"""Dice that never explore."""


class ExplorerState(NamedTuple):
    """Weights (K, d), what the nodes answered, the order of ties, the chance to explore.

    SOBA adds A^-1 (Kd, Kd) and its running sum (1,), the Banditron leaves the first empty. The
    last is room for scores (K,).
    """

    weights: Array
    feedback: Feedback
    tie_order: Nodes
    gamma: float
    inverse: Array
    total: Array
    scores: Array


@njit(cache=True)
def explorer_guess(x: Array, node: int, dice: Array, state: ExplorerState) -> tuple[int, int]:
    """Return the guess, drawn with the dice, and the class with the largest score."""
    rejected = state.feedback.rejected[node]
    for k in range(rejected.size):
        state.scores[k] = dot(x, state.weights[k])
    best = first_best(state.scores, rejected, state.tie_order)
    return explored(best, rejected, dice, state.gamma), best


@njit(cache=True)
def chance_of(node: int, guess: int, best: int, state: ExplorerState) -> float:
    """Return the probability of this guess."""
    even = state.gamma / n_open(state.feedback.rejected[node])
    return float(even + (1.0 - state.gamma if guess == best else 0.0))


@njit(cache=True)
def learned_first_order(
    x: Array, node: int, guess: int, correct: bool, state: ExplorerState
) -> bool:
    """Banditron: the best class loses x, an accepted guess gains x over its probability."""
    _, best = explorer_guess(x, node, NO_DICE, state)
    gain = 1.0 / chance_of(node, guess, best, state) if correct else 0.0
    for j in range(x.size):
        state.weights[guess, j] += gain * x[j]
        state.weights[best, j] -= x[j]
    return True


@njit(cache=True)
def learned_second_order(
    x: Array, node: int, guess: int, correct: bool, state: ExplorerState
) -> bool:
    """SOBA: an accepted guess moves against its rival along A^-1, unless margins say enough."""
    if not correct:
        return False
    _, best = explorer_guess(x, node, NO_DICE, state)
    chance = chance_of(node, guess, best, state)
    k_classes, d = state.weights.shape
    scores = state.scores
    itself = np.zeros(k_classes, dtype=np.bool_)
    itself[guess] = True
    rival = first_best(scores, itself, state.tie_order)
    z = np.zeros(k_classes * d)
    root = np.sqrt(chance)
    for j in range(d):
        z[rival * d + j] = x[j] / root
        z[guess * d + j] = -x[j] / root
    along = (scores[rival] - scores[guess]) / root
    direction = np.empty(k_classes * d)
    spread = inverse_times(state.inverse, z, direction)
    margin = (along * along + 2.0 * along / root) / (1.0 + spread)
    if state.total[0] + margin < 0.0:
        return False
    state.total[0] += margin
    factor = 1.0 / (1.0 + spread)
    step = factor * (1.0 / root + along)
    for k in range(k_classes):
        for j in range(d):
            state.weights[k, j] -= step * direction[k * d + j]
    lower(state.inverse, direction, factor)
    return True


@njit(cache=True)
def explorer_learn(x: Array, node: int, guess: int, correct: bool, state: ExplorerState) -> bool:
    """Learn from one bit and return whether the weights changed."""
    if state.inverse.size:
        return bool(learned_second_order(x, node, guess, correct, state))
    return bool(learned_first_order(x, node, guess, correct, state))


@njit(cache=True)
def explorer_rounds(
    features: Array,
    nodes: Nodes,
    labels: Nodes,
    tries: int,
    dice: Array,
    tally: Tally,
    state: ExplorerState,
) -> None:
    """Play a recorded stream and write the results to the tally."""
    used = 0
    for t in range(nodes.size):
        x, right = features[nodes[t]], False
        while tally.tries[t] < tries and not right:
            guess, _ = explorer_guess(x, nodes[t], dice[used], state)
            right = guess == labels[t]
            taught = explorer_learn(x, nodes[t], guess, right, state)
            noted(tally, t, nodes[t], guess, right, taught, state.feedback)
            used += 1
