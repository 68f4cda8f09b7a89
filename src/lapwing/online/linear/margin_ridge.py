"""Ridge regression of several classes on rows that learns if the margin is too small.

One compiled round serves OSLG, MSG, MOLG and, without the ridge, the perceptron. They differ in the
weight of a row, the coding of a label, the required margin and whether every label is queried.

The methods for one node and the loop over a recorded stream share it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from lapwing.linalg.products import dot
from lapwing.linalg.ridge.inverse import inverse_times, lower, weighed
from lapwing.types import UNKNOWN, Array, Mask, Nodes


class MarginRule(NamedTuple):
    """The settings in which the algorithms differ.

    `weight` 0 means a_t = 1 / (1 - x'A^-1 x); `pairs` codes a label as +1 for its class and -1 for
    the best other one, else as +1 alone; `h` is infinite where every label is queried.
    """

    b: float
    phi: float
    weight: float
    pairs: bool
    h: float


class MarginState(NamedTuple):
    """A^-1 (d, d), the classes' weights W' = B'A^-1 (K, d), and a place for A^-1 x (d,).

    An empty A^-1 makes a perceptron: weights change by x itself.
    """

    inverse: Array
    weights: Array
    direction: Array
    named: Mask


@njit(cache=True)
def two_best(scores: Array) -> tuple[int, int]:
    """Return the classes with the two largest scores; -1 if there is none.

    Examples
    --------
    >>> two_best(np.array([0.1, 0.7, 0.7])), two_best(np.zeros(1))
    ((1, 2), (0, -1))
    """
    best, second = -1, -1
    for k in range(scores.size):
        if best < 0 or scores[k] > scores[best]:
            best, second = k, best
        elif second < 0 or scores[k] > scores[second]:
            second = k
    return best, second


@njit(cache=True)
def best_named(scores: Array, named: Mask) -> int:
    """Return the first class with the largest score among those with a label; -1 for none."""
    best, known = -1, False
    for k in range(scores.size):
        if named[k]:
            known = known or scores[k] != 0.0
            if best < 0 or scores[k] > scores[best]:
                best = k
    return best if known else -1


@njit(cache=True)
def gap_above(scores: Array, k: int, other: int) -> float:
    """Return the lead of class k over the other, or over 0 if there is no other."""
    return float(scores[k] - (scores[other] if other >= 0 else 0.0))


@njit(cache=True)
def margin_wants(x: Array, scores: Array, die: float, state: MarginState, rule: MarginRule) -> bool:
    """Whether to query: with probability h / (h + max(0, margin - phi sigma)); h inf: always."""
    if rule.h == np.inf:
        return True
    best, second = two_best(scores)
    if best < 0 or not state.named[best]:
        return True
    shrink, sigma, _ = weighed(inverse_times(state.inverse, x, state.direction), rule.weight)
    theta = max(0.0, shrink * gap_above(scores, best, second) - rule.phi * sigma)
    return bool(die * (rule.h + theta) < rule.h)


@njit(cache=True)
def surely_enough(x: Array, gap: float, rule: MarginRule) -> bool:
    """Whether a right guess with this gap has the margin phi sigma for any A^-1.

    A^-1 never exceeds I / b, which often decides without the product A^-1 x.
    """
    if rule.phi == 0.0:
        return True
    shrink, sigma, _ = weighed(dot(x, x) / rule.b, rule.weight)
    return bool(gap * shrink > rule.phi * sigma * (1.0 + 1e-9))


@njit(cache=True)
def margin_learn(
    x: Array, guess: int, label: int, scores: Array, state: MarginState, rule: MarginRule
) -> bool:
    """Learn from one label and return whether weights changed (Z_t of Yang 2018)."""
    best, second = two_best(scores)
    rival = second if best == label else best
    gap = gap_above(scores, label, rival)
    if guess == label and surely_enough(x, gap, rule):
        return False
    second_order = state.inverse.size > 0
    factor = 1.0
    state.direction[:] = x
    if second_order:
        q = inverse_times(state.inverse, x, state.direction)
        shrink, sigma, factor = weighed(q, rule.weight)
        if guess == label and gap * shrink >= rule.phi * sigma:
            return False
        lower(state.inverse, state.direction, factor)
    for k in range(scores.size):
        target = 1.0 if k == label else (-1.0 if rule.pairs and k == rival else 0.0)
        step = factor * (target - scores[k]) if second_order else target
        for j in range(x.size):
            state.weights[k, j] += step * state.direction[j]
    return True


@njit(cache=True)
def margin_rounds(
    features: Array,
    nodes: Nodes,
    labels: Nodes,
    dice: Array,
    state: MarginState,
    rule: MarginRule,
    known: int,
) -> tuple[Nodes, Mask, Mask, int]:
    """Play a recorded stream in which `known` classes have been seen before.

    Returns each round's guess, whether it was queried, whether weights changed, and the number of
    classes seen at the end.
    """
    guesses = np.full(nodes.size, UNKNOWN)
    queried = np.zeros(nodes.size, dtype=np.bool_)
    taught = np.zeros(nodes.size, dtype=np.bool_)
    room = np.zeros(state.weights.shape[0])
    for t in range(nodes.size):
        x = features[nodes[t]]
        scores = room[:known]
        for k in range(known):
            scores[k] = dot(x, state.weights[k])
        guesses[t] = best_named(scores, state.named)
        queried[t] = margin_wants(x, scores, dice[t], state, rule)
        if queried[t]:
            known = max(known, labels[t] + 1)
            state.named[labels[t]] = True
            taught[t] = margin_learn(x, guesses[t], labels[t], room[:known], state, rule)
    return guesses, queried, taught, known
