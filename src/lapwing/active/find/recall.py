"""How many positive nodes are still hidden, from audits drawn with known probabilities."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lapwing.active.stopping import LOWERED
from lapwing.checks import at_least, strictly_between, whole_number
from lapwing.errors import InputError
from lapwing.types import Array

STAKES = 1.0 - LOWERED
"""Shares of the largest bet that cannot lose everything; all are played."""
MONEY = np.where(np.arange(len(STAKES)) == 0, 0.4, 0.6 / (len(STAKES) - 1))
"""The money on each: two fifths on the boldest, which wins most where audits find nothing."""
RISK_OF_MOST = 0.8
"""The share of the risk that is left to the largest number: the smallest is rarely in question."""


class AuditDraw(NamedTuple):
    """A node drawn at random from those not asked about, and whether it turned out positive.

    `chance` is the probability with which it was drawn, `least` the smallest of any node that could
    be drawn. `found` positive nodes were known then, and `aside` nodes without a label could not be
    drawn. `left` is the number of nodes that could.
    """

    positive: bool
    chance: float
    least: float
    found: int
    left: int
    aside: int = 0


@dataclass(frozen=True, slots=True)
class RecallEstimate:
    """Which share of all positive nodes has been found: an estimate, and bounds at any time.

    `total`, `fewest` and `most` are the estimate and the bounds of the number of positive nodes,
    those found included.
    """

    found: int
    total: float
    fewest: int
    most: int
    audits: int
    confidence: float

    @property
    def hidden(self) -> float:
        """About how many positive nodes have not been found."""
        return self.total - self.found

    @property
    def estimate(self) -> float:
        """The share found, by the estimate; 1 if there is nothing to find."""
        return self.found / self.total if self.total > 0 else 1.0

    @property
    def lower(self) -> float:
        """With the stated confidence, at least this share has been found."""
        return self.found / self.most if self.most else 1.0

    @property
    def upper(self) -> float:
        """With the stated confidence, at most this share has been found."""
        return self.found / self.fewest if self.fewest else 1.0

    def reaches(self, target: float) -> bool:
        """Whether at least this share has been found, with the stated confidence."""
        return self.lower >= target

    def __str__(self) -> str:
        if self.most == self.found:
            return f"all {self.found} found: every node has been asked about"
        if self.audits == 0:
            unproven = "no audit is answered yet, so nothing is proven about those still hidden"
            if self.total <= self.found:
                return f"{self.found} found; {unproven}"
            return (
                f"{self.found} found, by the guesses about {self.estimate:.0%} of all; {unproven}"
            )
        return (
            f"{self.found} found, about {self.estimate:.0%} of all; with {self.confidence:.0%} "
            f"confidence {self.lower:.0%} to {self.upper:.0%} "
            f"({self.audits} {'audit' if self.audits == 1 else 'audits'})"
        )


def recall_estimate(
    draws: Sequence[AuditDraw],
    *,
    found: int,
    left: int,
    expected: float | None = None,
    confidence: float = 0.95,
) -> RecallEstimate:
    r"""Estimate which share of all positive nodes has been found.

    An audit draws node v with probability :math:`q_v` from the nodes not asked about. If
    :math:`f_t` nodes had been found by then, :math:`f_t + y_v / q_v` is on average the number K of
    all positive nodes, whatever was asked before and however v was weighed. K does not change while
    questions are asked, so each k is refuted by betting against it: for large k the wealth

    .. math:: \prod_t \Bigl(1 + s \frac{h_t - y_t / q_t}{1 / \min q - h_t}\Bigr),
              \qquad h_t = k - f_t - a_t,

    with :math:`a_t` the nodes that could not be drawn, for small k :math:`\prod_t (1 - s + s\, y_t
    / (q_t h_t))`; both as means over 16 stakes s, two fifths of the money on the boldest. If k were
    K, the first would ever exceed 1 / (0.8 r) with probability 0.8 r at most, for the risk r = 1 -
    confidence, and the second 1 / (0.2 r) with 0.2 r. What was refuted once stays refuted. The
    bounds hold at all times simultaneously, whatever strategy chooses the other questions and
    whatever the learner.

    Parameters
    ----------
    draws
        One entry per answered audit, in order.
    found
        The number of positive nodes known now.
    left
        The number of nodes without a label now, those aside included.
    expected
        How many of them are positive by the learner's probabilities. It counts in the estimate, as
        much as left / expected audits: as if it could be wrong by as much as it is large. It does
        not count in the bounds.
    confidence
        Between 0 and 1.

    References
    ----------
    Waudby-Smith, Ramdas. *Estimating means of bounded random variables by betting.* JRSS B 2024.
    Marchant, Rubinstein. *In search of an entity resolution OASIS: optimal asymptotic sequential
    importance sampling.* VLDB 2017.

    Examples
    --------
    30 positive nodes are known; none of 60 uniform audits of 200 nodes found another:

    >>> draws = [AuditDraw(False, 1 / (200 - k), 1 / (200 - k), 30, 200 - k) for k in range(60)]
    >>> print(recall_estimate(draws, found=30, left=140))
    30 found, about 100% of all; with 95% confidence 77% to 100% (60 audits)
    """
    strictly_between("confidence", confidence, 0, 1)
    whole_number("found", found, 0)
    whole_number("left", left, 0)
    record = _checked(draws)
    if expected is not None:
        at_least("expected", expected, 0)
    risk = 1.0 - confidence
    above, below = (-float(np.log(risk * part)) for part in (RISK_OF_MOST, 1.0 - RISK_OF_MOST))
    most = _last(lambda k: _log_wealth_above(record, k) < above, found, found + left)
    fewest = _first(lambda k: _log_wealth_below(record, k) < below, found, max(most, found))
    totals = record.found + record.positive / record.chance
    weight = 0.0 if expected is None else left / max(expected, 1.0)
    count = len(totals) + weight
    middle = (
        (float(totals.sum()) + weight * (found + (expected or 0.0))) / count if count else fewest
    )
    total = min(max(middle, float(fewest)), float(most))
    return RecallEstimate(found, total, fewest, most, len(totals), confidence)


class DrawColumns(NamedTuple):
    """Audits as arrays, one entry per audit."""

    positive: Array
    chance: Array
    least: Array
    found: Array
    left: Array
    aside: Array


def _checked(draws: Sequence[AuditDraw]) -> DrawColumns:
    for each in draws:
        if not 0.0 < each.least <= each.chance <= 1.0:
            raise InputError(
                f"an audit's chance must lie between least and 1, got {each.chance!r} and "
                f"{each.least!r}"
            )
    return DrawColumns(*np.array(draws, dtype=np.float64).reshape(len(draws), 6).T)


def _last(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The largest number that holds; the smaller ones hold too, and the smallest always does."""
    return low + bisect_left(range(low + 1, high + 1), True, key=lambda each: not holds(each))


def _first(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The smallest number that holds; the larger ones hold too, and the largest always does."""
    return low + bisect_left(range(low, high), True, key=holds)


def _mixed(factors: Array) -> float:
    """The logarithm of the most that stakes ever won together, from one factor per audit, stake."""
    if not len(factors):
        return 0.0
    with np.errstate(divide="ignore"):
        wealth = np.cumsum(np.log(factors), axis=0) + np.log(MONEY)
    return float(np.logaddexp.reduce(wealth, axis=1).max())


def _log_wealth_above(record: DrawColumns, total: int) -> float:
    """The wealth won against "there are `total` positive nodes or more"."""
    hidden = total - record.found - record.aside
    if (hidden > record.left).any():
        return float("inf")
    room = np.maximum(1.0 / record.least - hidden, 1e-9)
    won = np.where(hidden > 0, (hidden - record.positive / record.chance) / room, 0.0)
    return _mixed(np.maximum(1.0 + STAKES * won[:, None], 0.0))


def _log_wealth_below(record: DrawColumns, total: int) -> float:
    """The wealth won against "there are `total` positive nodes or fewer"."""
    hidden = total - record.found
    if (record.positive[hidden <= 0] > 0).any():
        return float("inf")
    won = record.positive / (record.chance * np.maximum(hidden, 1.0)) - 1.0
    return _mixed(1.0 + STAKES * np.where(hidden > 0, won, 0.0)[:, None])
