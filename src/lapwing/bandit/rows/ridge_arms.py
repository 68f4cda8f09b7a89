"""One ridge regression per class and an optimistic guess: the compiled step of five bandits.

The methods for one node and the loop over a recorded stream share it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from lapwing.bandit.rows.guesses import Tally, is_open, n_open, noted
from lapwing.learner import Feedback
from lapwing.linalg.products import dot
from lapwing.linalg.ridge.inverse import inverse_times, lower, weighed
from lapwing.types import Array, Mask, Nodes


class ArmRule(NamedTuple):
    """The settings in which the algorithms differ.

    `b` is the ridge; `weight` 0 means a_t = 1 / (1 - x'A^-1 x); `ahead` says whether a guess's
    estimate and spread look one row ahead; `width` multiplies the root of the spread; estimates are
    held within `limit`; `wrong` is what a rejected guess's estimate should have been (an accepted
    one's: 1); an accepted guess teaches below `phi` spreads, infinite for always.
    """

    b: float
    weight: float
    ahead: bool
    width: float
    limit: float
    wrong: float
    phi: float


class Arms(NamedTuple):
    """A_k^-1 (K, d, d), weights (K, d), what the nodes answered, the order of ties.

    The others are work space: two numbers per class (2, K), the products A_k^-1 x (K, d), and which
    of them are computed (K,).
    """

    inverses: Array
    weights: Array
    feedback: Feedback
    tie_order: Nodes
    room: Array
    products: Array
    made: Mask


@njit(cache=True)
def believed(score: float, q: float, rule: ArmRule) -> tuple[float, float]:
    """Return the estimate of a class and its spread, for q = x'A_k^-1 x."""
    held = min(max(score, -rule.limit), rule.limit)
    if not rule.ahead:
        return held, q
    shrink, sigma, _ = weighed(q, rule.weight)
    return held * shrink, sigma


@njit(cache=True)
def spread_of(x: Array, k: int, arms: Arms) -> float:
    """Return x'A_k^-1 x; the product A_k^-1 x is kept until the next guess."""
    if not arms.made[k]:
        arms.made[k] = True
        return float(inverse_times(arms.inverses[k], x, arms.products[k]))
    return float(dot(x, arms.products[k]))


@njit(cache=True)
def arm_guess(x: Array, node: int, noise: Array, arms: Arms, rule: ArmRule) -> int:
    """Return the open class with the largest estimate + width * noise * sqrt(spread).

    q is at most |x|^2 / b, which bounds every class's value from both sides; the product A_k^-1 x
    is computed only for classes that can still win.
    """
    rejected, scores, tops = arms.feedback.rejected[node], arms.room[0], arms.room[1]
    count = n_open(rejected)
    most = dot(x, x) / rule.b
    floor = -np.inf
    for k in range(scores.size):
        scores[k], tops[k], arms.made[k] = dot(x, arms.weights[k]), -np.inf, False
        if is_open(rejected, k, count):
            now, _ = believed(scores[k], 0.0, rule)
            later, spread = believed(scores[k], most, rule)
            bonus = rule.width * (noise[k] if noise.size else 1.0) * np.sqrt(spread)
            tops[k] = max(now, later) + max(bonus, 0.0)
            floor = max(floor, min(now, later) + min(bonus, 0.0))
    hopeful = 0
    for k in range(scores.size):
        hopeful += tops[k] >= floor - 1e-9
    best, best_value = -1, -np.inf
    for k in arms.tie_order:
        if tops[k] < floor - 1e-9:
            continue
        if hopeful == 1:
            return int(k)
        estimate, spread = believed(scores[k], spread_of(x, k, arms), rule)
        value = estimate + rule.width * (noise[k] if noise.size else 1.0) * np.sqrt(spread)
        if best < 0 or value > best_value:
            best, best_value = k, value
    return int(best)


@njit(cache=True)
def project(x: Array, arms: Arms, limit: float) -> None:
    """Project each class's weights, in the norm of A_k, onto scores within the limit."""
    for k in range(arms.weights.shape[0]):
        score = dot(x, arms.weights[k])
        if abs(score) > limit:
            step = ((limit if score > 0 else -limit) - score) / spread_of(x, k, arms)
            for j in range(x.size):
                arms.weights[k, j] += step * arms.products[k, j]


@njit(cache=True)
def arm_learn(x: Array, guess: int, correct: bool, arms: Arms, rule: ArmRule) -> bool:
    """Let the guessed class learn one bit and return whether the weights changed."""
    if rule.limit < np.inf:
        project(x, arms, rule.limit)
    score = dot(x, arms.weights[guess])
    asks_margin = correct and rule.phi < np.inf
    if asks_margin and score > 0.0:
        estimate, spread = believed(score, dot(x, x) / rule.b, rule)
        if estimate > rule.phi * spread * (1.0 + 1e-9):  # the true spread is no larger
            return False
    q = spread_of(x, guess, arms)
    estimate, spread = believed(score, q, rule)
    if asks_margin and estimate >= rule.phi * spread:
        return False
    _, _, factor = weighed(q, rule.weight)
    step = factor * ((1.0 if correct else rule.wrong) - score)
    for j in range(x.size):
        arms.weights[guess, j] += step * arms.products[guess, j]
    lower(arms.inverses[guess], arms.products[guess], factor)
    return True


@njit(cache=True)
def arm_rounds(
    features: Array,
    nodes: Nodes,
    labels: Nodes,
    tries: int,
    dice: Array,
    tally: Tally,
    arms: Arms,
    rule: ArmRule,
) -> None:
    """Play a recorded stream and write the results to the tally."""
    used = 0
    for t in range(nodes.size):
        x, right = features[nodes[t]], False
        while tally.tries[t] < tries and not right:
            guess = arm_guess(x, nodes[t], dice[used], arms, rule)
            right = guess == labels[t]
            taught = arm_learn(x, guess, right, arms, rule)
            noted(tally, t, nodes[t], guess, right, taught, arms.feedback)
            used += 1
