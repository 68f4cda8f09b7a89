"""Perceptrons that guess at random now and then: the compiled step of Banditron and SOBA."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from lapwing.bandit.guessing import explored, first_best, open_classes
from lapwing.linalg.inverse import inverse_times, lower
from lapwing.linalg.products import dot
from lapwing.types import Array, Mask, Nodes


class State(NamedTuple):
    """Weights (K, d), what each node rejected (n, K), the order of ties, the chance to explore.

    SOBA adds A^-1 (Kd, Kd) and its running sum (1,); the Banditron leaves them empty.
    """

    weights: Array
    rejected: Mask
    tie_order: Nodes
    gamma: float
    inverse: Array
    total: Array


@njit(cache=True)
def guessed(x: Array, node: int, dice: Array, state: State) -> tuple[int, int]:
    """The guess, drawn with the dice, and the class thought best."""
    allowed = open_classes(state.rejected[node])
    scores = np.empty(allowed.size)
    for k in range(allowed.size):
        scores[k] = dot(x, state.weights[k])
    best = first_best(scores, allowed, state.tie_order)
    return explored(best, allowed, dice, state.gamma), best


@njit(cache=True)
def chance_of(node: int, guess: int, best: int, state: State) -> float:
    """How likely this guess was."""
    even = state.gamma / open_classes(state.rejected[node]).sum()
    return float(even + (1.0 - state.gamma if guess == best else 0.0))


@njit(cache=True)
def learned_first_order(x: Array, node: int, guess: int, correct: bool, state: State) -> bool:
    """Banditron: the class thought best loses x, an accepted guess gains x over its chance."""
    _, best = guessed(x, node, np.ones(2), state)
    gain = 1.0 / chance_of(node, guess, best, state) if correct else 0.0
    for j in range(x.size):
        state.weights[guess, j] += gain * x[j]
        state.weights[best, j] -= x[j]
    return True


@njit(cache=True)
def learned_second_order(x: Array, node: int, guess: int, correct: bool, state: State) -> bool:
    """SOBA: an accepted guess moves against its rival along A^-1, unless margins say enough."""
    if not correct:
        return False
    _, best = guessed(x, node, np.ones(2), state)
    chance = chance_of(node, guess, best, state)
    k_classes, d = state.weights.shape
    scores = np.empty(k_classes)
    for k in range(k_classes):
        scores[k] = dot(x, state.weights[k])
    others = np.ones(k_classes, dtype=np.bool_)
    others[guess] = False
    rival = first_best(scores, others, state.tie_order)
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
def learned(x: Array, node: int, guess: int, correct: bool, state: State) -> bool:
    """Learn from one bit, by the order of the state; whether weights changed."""
    if state.inverse.size:
        return learned_second_order(x, node, guess, correct, state)
    return learned_first_order(x, node, guess, correct, state)


@njit(cache=True)
def rounds(
    features: Array, nodes: Nodes, labels: Nodes, tries: int, dice: Array, state: State
) -> tuple[Nodes, Nodes, Nodes, int]:
    """Play a recorded stream: a round's first guess, updates, guesses; all second guesses."""
    guesses = np.empty_like(nodes)
    updates, tried = np.zeros_like(nodes), np.zeros_like(nodes)
    used, again = 0, 0
    for t in range(nodes.size):
        x = features[nodes[t]]
        rejected = state.rejected[nodes[t]]
        for turn in range(tries):
            guess, _ = guessed(x, nodes[t], dice[used], state)
            correct = guess == labels[t]
            again += rejected.any()
            updates[t] += learned(x, nodes[t], guess, correct, state)
            rejected[guess] |= not correct
            used += 1
            tried[t] += 1
            if turn == 0:
                guesses[t] = guess
            if correct:
                break
    return guesses, updates, tried, again
