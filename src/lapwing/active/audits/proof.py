"""What audits prove about the number of wrong guesses, by the stakes that were put on them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import betaln

from lapwing.active.stopping import ErrorEstimate
from lapwing.checks import strictly_between, whole_number
from lapwing.errors import InputError
from lapwing.types import Array

RECENT = (8, 16, 32, 64, 128)
"""The latest so many audits are compared with those before, to see whether the error rose."""
SIGNIFICANT = 0.002
"""How unlikely the difference must be by chance to count as a rise."""
BETS = np.linspace(0.05, 0.95, 10)
"""Shares of the wealth that are put on "the error is larger", all with equal money."""


class StakedAudit(NamedTuple):
    """An audit: whether the guess was wrong, what it was drawn from, and what was staked.

    `chance` is the probability with which the node was drawn, `least` the smallest of any node that
    could be drawn, `left` the number of those and `aside` that of unlabelled nodes that could not
    be drawn, or were added to the graph later. All of it, and the `stake` too, was known before
    the answer.
    """

    wrong: bool
    chance: float
    least: float
    stake: float
    left: int
    aside: int = 0


def staked_estimate(
    audits: Sequence[StakedAudit], *, left: int, n_nodes: int, confidence: float = 0.95
) -> ErrorEstimate:
    r"""Estimate the error from audits with stakes.

    Suppose k of the nodes left are wrong now. If no label has made more guesses wrong, at audit t
    at least :math:`h_t = k + e_t - a_t` of those that could be drawn were, with :math:`e_t` the
    errors that this and later audits found (their nodes are labelled now) and :math:`a_t` the nodes
    aside. The drawn node is wrong (:math:`x_t`) with a known probability :math:`q_t` of being
    drawn, so :math:`x_t / q_t` is on average at least :math:`h_t`, and the wealth

    .. math:: \prod_t \bigl(1 + \lambda_t (h_t - x_t / q_t)\bigr)

    would exceed 1 / (1 - confidence) with a probability of 1 - confidence at most, whenever you
    look. The bound is the largest k that is not refuted so. Nothing is assumed of the questions
    that were chosen, nor of the doubts by which audits were drawn and stakes were set.

    The one assumption is that labels make no more guesses wrong than right. Without it, the bound
    holds for the average over the audits, weighted by the stakes. As a guard, the latest audits are
    compared with those before: if significantly more of them are wrong, counting begins anew, and
    `ErrorEstimate.covers` says so.

    References
    ----------
    Waudby-Smith, Ramdas. *Confidence sequences for sampling without replacement.* NeurIPS 2020.

    Examples
    --------
    Ten of 300 nodes were labelled before, none of 27 uniform audits was wrong; each staked all:

    >>> audits = [StakedAudit(False, 1 / (290 - t), 1 / (290 - t), 1 / (260 - t), 290 - t)
    ...           for t in range(27)]
    >>> print(staked_estimate(audits, left=263, n_nodes=300))
    error about 0.0%, ... at most 11.0% of the 263 nodes left, 9.7% of all 300 (27 audits)
    """
    strictly_between("confidence", confidence, 0, 1)
    whole_number("left", left, 0)
    whole_number("n_nodes", n_nodes, left)
    for each in audits:
        # Both come from one division each: they may differ in the last digit where they are equal.
        if not 0.0 < each.least <= each.chance * (1 + 1e-9) <= 1 + 1e-9 or each.stake < 0.0:
            raise InputError(f"an audit must have a chance from least to 1 and a stake, got {each}")
    if left == 0:
        return ErrorEstimate(0.0, 0.0, 0.0, len(audits), confidence, left, n_nodes)
    if not audits:
        return ErrorEstimate(1.0, 0.0, 1.0, 0, confidence, left, n_nodes)
    began = counted_from([each.wrong for each in audits])
    record = np.array(audits[began:], dtype=np.float64).reshape(-1, len(StakedAudit._fields)).T
    goal = -float(np.log1p(-confidence))
    most = bisect_left(range(1, left + 1), goal, key=lambda k: log_wealth(record, k))
    upper = most / left
    estimate, lower = _recently(audits, confidence)
    return ErrorEstimate(
        estimate=min(estimate, upper),
        lower=min(lower, upper),
        upper=upper,
        audits=len(audits),
        confidence=confidence,
        left=left,
        n_nodes=n_nodes,
        covers=f"the error seems to have risen, so only {len(audits) - began} count"
        if began
        else "",
    )


def log_wealth(record: Array, supposed: int) -> float:
    """Return the logarithm of the wealth won against "this number of nodes is wrong now, or more".

    Stakes are lowered where they could lose more than everything if so few are wrong.
    """
    wrong, chance, least, stake, left, aside = record
    found = np.cumsum(wrong[::-1])[::-1]
    level = supposed + found - aside
    if (level > left).any():
        return float("inf")
    most = 1.0 / np.maximum(1.0 / least - (supposed - aside), 1e-9)
    factors = 1.0 + np.minimum(stake, most) * (level - wrong / chance)
    with np.errstate(divide="ignore"):
        return float(np.log(np.maximum(factors, 0.0)).sum())


def counted_from(wrong: Sequence[bool]) -> int:
    """Return the audit from which to count: the first, or the one after the error rose.

    The latest audits are compared with those before by Fisher's exact test.

    Examples
    --------
    >>> counted_from([False] * 40 + [True, False] * 4)
    47
    >>> counted_from([True, False] * 4 + [False] * 40)
    0
    """
    flags = np.asarray(wrong, dtype=np.intp)
    total = np.concatenate([[0], np.cumsum(flags)])
    began = 0
    for now in np.flatnonzero(flags) + 1:
        count = int(now) - began
        errors = int(total[now] - total[began])
        for recent in (each for each in RECENT if 2 * each <= count):
            late = int(total[now] - total[now - recent])
            if late > 1 and _by_chance(late, recent, errors, count) < SIGNIFICANT:
                began = int(now)
                break
    return began


def _by_chance(late: int, recent: int, errors: int, count: int) -> float:
    """Return how likely so many errors or more are among the recent if they lie anywhere."""
    there = np.arange(late, min(errors, recent) + 1, dtype=np.float64)
    logs = _log_choices(errors, there) + _log_choices(count - errors, recent - there)
    return float(np.exp(logs - _log_choices(count, np.array([recent], dtype=np.float64))).sum())


def _log_choices(n: int, k: Array) -> Array:
    """Return the logarithms of the numbers of ways to choose k of n."""
    return np.asarray(-np.log1p(n) - betaln(n - k + 1.0, k + 1.0))


def _recently(audits: Sequence[StakedAudit], confidence: float) -> tuple[float, float]:
    """Return the share of wrong guesses by the latest half of the audits, and a lower bound."""
    recent = audits[-max(20, len(audits) // 2) :]
    shares = np.array([each.wrong / (each.chance * each.left) for each in recent])
    goal = -float(np.log1p(-confidence))
    low, high = 0.0, 1.0
    for _ in range(20):
        middle = 0.5 * (low + high)
        wealth = np.log(1.0 + BETS[:, None] * (shares / middle - 1.0)).sum(axis=1)
        refuted = float(np.logaddexp.reduce(wealth)) - np.log(len(BETS)) >= goal
        low, high = (middle, high) if refuted else (low, middle)
    return float(shares.mean()), low
