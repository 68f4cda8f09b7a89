"""How to draw the next audit, and how much to stake on it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lapwing.checks import positive
from lapwing.types import Array, Mask

SHARES = (0.0, 0.1, 0.2, 0.3, 0.5)
"""Shares of the draws by doubt that are compared; the others are uniform."""
ANYWHERE = 0.1
"""The share of expected errors that may be anywhere, whatever the doubt."""
AIMED, TILTED = 0.9, 0.2
"""The share of audits aimed at a part, and the share of these that are drawn by weight."""
GROUPS = 512
"""Nodes are grouped by doubt to compare ways of drawing, on larger graphs."""
STEPS = 20


class AuditPlan(NamedTuple):
    """The probability with which each node is drawn, and the stake.

    A draw of node v multiplies the wealth by :math:`1 + \\lambda (h - x_v / q_v)`, with h the
    number of wrong guesses supposed, :math:`x_v` whether this one is wrong and the stake
    :math:`\\lambda`. `growth` is the expected logarithm of that factor.
    """

    chances: Array
    stake: float
    growth: float

    def draw(self, rng: np.random.Generator) -> int:
        """Draw the position of a node."""
        return int(rng.choice(len(self.chances), p=self.chances))


def audit_plan(doubts: Array, expected: float, level: float) -> AuditPlan:
    r"""Return how to draw an audit so that "`level` nodes are wrong" is refuted soonest.

    A share b of the draws is by doubt, the others are uniform: :math:`q_v = b\, d_v / \sum d +
    (1 - b) / n`. Errors at doubtful nodes then cost little, but the largest stake is smaller by the
    factor 1 - b. For each b of a few, the stake is that of Kelly: it maximises the expected
    logarithm of the wealth if node v is wrong with probability :math:`d_v`. The b with the largest
    growth is chosen: 0 where hardly any error is expected, more where errors are many and doubt
    tells where they are.

    Parameters
    ----------
    doubts
        The probability that each guess is wrong; only proportions count.
    expected
        The share of wrong guesses expected.
    level
        The number of wrong guesses to refute. A bet is fair if there are as many.

    References
    ----------
    Waudby-Smith, Ramdas. *Estimating means of bounded random variables by betting.* JRSS B 2024.

    Examples
    --------
    Half of ten nodes are in doubt; that five are wrong is to be refuted.

    >>> doubts = np.repeat([0.3, 0.01], 5)
    >>> plan = audit_plan(doubts, 0.1, 5)
    >>> plan.chances.round(2)[[0, 9]], round(plan.stake, 2), round(plan.growth, 2)
    (array([0.11, 0.09]), 0.16, 0.39)
    >>> audit_plan(doubts, 0.6, 5).stake
    0.0
    """
    positive("expected", expected)
    n = len(doubts)
    uniform = np.full(n, 1.0 / n)
    if not 0.0 < level < n or expected * n >= level:
        return AuditPlan(uniform, 0.0, 0.0)
    wrong = _chances_wrong(doubts, expected)
    by_doubt = wrong / wrong.sum()
    grouped, sizes = _grouped(wrong)
    best = AuditPlan(uniform, 0.0, 0.0)
    for share in SHARES:
        chances = share * by_doubt + (1.0 - share) * uniform
        stake, growth = _kelly(
            grouped,
            share * grouped / wrong.sum() + (1.0 - share) / n,
            sizes,
            level,
            1.0 / (1.0 / float(chances.min()) - level),
        )
        if growth > best.growth:
            best = AuditPlan(chances, stake, growth)
    return best


def aimed_draw(
    weights: Array, able: Mask, doubts: Array, expected: float, level: float
) -> AuditPlan:
    """Return a plan that draws nine in ten audits from the nodes that are `able` to be wrong.

    Of these, one in five is drawn by `weights`, the others uniformly. The stake is on the error.

    Examples
    --------
    >>> doubts, able = np.full(4, 0.1), np.array([True, True, False, False])
    >>> aimed_draw(np.ones(4), able, doubts, 0.1, 1.0).chances
    array([0.475, 0.475, 0.025, 0.025])
    """
    positive("expected", expected)
    n, able = len(weights), able if able.any() else np.ones(len(weights), dtype=bool)
    tilted = weights * able
    tilted = tilted / tilted.sum() if tilted.sum() > 0 else able / able.sum()
    aimed = AIMED * ((1.0 - TILTED) * able / able.sum() + TILTED * tilted)
    chances = aimed + (1.0 - AIMED) / n
    if not 0.0 < level < n or expected * n >= level:
        return AuditPlan(chances, 0.0, 0.0)
    wrong, most = _chances_wrong(doubts, expected), 1.0 / (1.0 / float(chances.min()) - level)
    return AuditPlan(chances, *_kelly(wrong, chances, np.ones(n), level, most))


def _chances_wrong(doubts: Array, expected: float) -> Array:
    """Return the probability that each guess is wrong, so that the expected share is."""
    mean = float(doubts.mean())
    near = doubts * (expected / mean) if mean > 0 else np.full(len(doubts), expected)
    return np.clip((1.0 - ANYWHERE) * near + ANYWHERE * expected, 1e-9, 0.95)


def _grouped(wrong: Array) -> tuple[Array, Array]:
    """Return the mean of each group of similar values, and the number of values in it."""
    if len(wrong) <= GROUPS:
        return wrong, np.ones(len(wrong))
    starts = np.linspace(0, len(wrong), GROUPS, endpoint=False).astype(np.intp)
    sizes = np.diff(starts, append=len(wrong)).astype(np.float64)
    return np.add.reduceat(np.sort(wrong), starts) / sizes, sizes


def _kelly(
    wrong: Array, chances: Array, sizes: Array, level: float, most: float
) -> tuple[float, float]:
    """Return the stake with the largest expected growth, and that growth."""
    lost, errors = level - 1.0 / chances, sizes * chances * wrong
    right = float((sizes * chances * (1.0 - wrong)).sum())
    expected, low, high = errors * lost, 0.0, most * (1.0 - 1e-6)

    def slope(stake: float) -> float:
        won = right * level / (1.0 + stake * level)
        return float((expected / (1.0 + stake * lost)).sum()) + won

    if slope(low) <= 0.0:
        return 0.0, 0.0
    if slope(high) > 0.0:
        low = high
    for _ in range(STEPS if low < high else 0):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if slope(middle) > 0.0 else (low, middle)
    growth = float((errors * np.log1p(low * lost)).sum()) + right * float(np.log1p(low * level))
    return low, growth
