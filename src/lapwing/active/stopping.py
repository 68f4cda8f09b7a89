"""Estimate the remaining error from audits, and decide when to stop asking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import betainc, betaln

from lapwing.checks import strictly_between, whole_number
from lapwing.errors import InputError
from lapwing.types import Array, Mask

STARTS = (0, 10, 20, 40, 80, 160, 320, 640, 1280, 2560)
"""A new count begins after this many audits, so that early errors are forgotten."""


LOWERED = (np.arange(0.5, 16.0) / 16.0) ** 2
"""Factors, all equally likely, by which the error can be smaller than assumed."""


@dataclass(frozen=True, slots=True)
class ErrorEstimate:
    """The error on nodes not asked about: an estimate, and a bound that holds at any time.

    `audits` is the number of random questions on which the estimate is based. `left` is the number
    of nodes not asked about and `n_nodes` the number of all nodes; None if they were not given.
    """

    estimate: float
    lower: float
    upper: float
    audits: int
    confidence: float
    left: int | None = None
    n_nodes: int | None = None
    covers: str = ""
    """What else to know about the nodes that the bound covers."""

    @property
    def overall(self) -> float:
        """The upper bound of the error as a share of all nodes of the graph.

        Nodes that were asked about count as right. Equals `upper` if the number of nodes is not
        known.

        Examples
        --------
        >>> ErrorEstimate(0.0, 0.0, 0.2, 26, 0.95, left=20, n_nodes=100).overall
        0.04
        """
        if self.left is None or not self.n_nodes:
            return self.upper
        return self.upper * self.left / self.n_nodes

    def below(self, target: float) -> bool:
        """Whether you can stop: with this confidence the `overall` error is below the target."""
        return self.overall < target or self.left == 0

    def __str__(self) -> str:
        if self.left == 0:
            return "no error is left: every node has been asked about"
        if self.audits == 0:
            return "error unknown: no audit question answered yet"
        found = (
            f"error about {self.estimate:.1%}, with {self.confidence:.0%} confidence "
            f"at most {self.upper:.1%}"
        )
        if self.left is not None:
            found += f" of the {self.left:,} nodes left, {self.overall:.1%} of all {self.n_nodes:,}"
        also = f"; {self.covers}" if self.covers else ""
        return f"{found} ({self.audits} {'audit' if self.audits == 1 else 'audits'}{also})"


def error_estimate(
    wrong: Sequence[bool],
    *,
    confidence: float = 0.95,
    left: Sequence[int] | None = None,
    n_nodes: int | None = None,
) -> ErrorEstimate:
    r"""Estimate the error from audits; `wrong` says whether the guess of each audit was wrong.

    Questions chosen by a strategy are not a fair sample. Audits are questions drawn at random from
    all remaining nodes, and the guess made *before* the answer counts. The upper bound is the
    smallest error level p that is refuted by betting against it: a wealth that would stay below 1
    on average if the error were p or more, whenever you look, exceeds 1 / (1 - confidence). It is a
    mixture over how small the error is (density :math:`\propto q^{-1/2}` below p) and over the
    audit from which to count, so that early errors of a learner that improves lose weight.

    The bound holds at all times simultaneously, so you can look after each answer and stop when you
    like, provided the error does not rise while labels are added.

    On a small graph every question removes a node from those that can still be wrong. Pass `left`
    to use this: an audited node leaves exactly one node fewer, with its error if it had one
    (sampling without replacement, Waudby-Smith and Ramdas 2020). Then only what the learner
    learns and which other questions are asked must not raise the error.

    Parameters
    ----------
    wrong
        One entry per audit, in order.
    confidence
        Between 0 and 1.
    left
        Number of nodes not asked about when each audit was drawn, including the drawn one,
        followed by the number left now: one entry more than `wrong`.
    n_nodes
        Number of all nodes; by default the largest entry of `left`.

    References
    ----------
    Waudby-Smith, Ramdas. *Confidence sequences for sampling without replacement.* NeurIPS 2020.

    Examples
    --------
    >>> print(error_estimate([False] * 40))
    error about 0.0%, with 95% confidence at most 10.4% (40 audits)
    >>> print(error_estimate([True] * 12 + [False] * 60))
    error about 0.0%, with 95% confidence at most 11.5% (72 audits)

    A graph of 105 nodes, every fourth question an audit, 25 nodes left:

    >>> print(error_estimate([False] * 20, left=range(105, 24, -4), n_nodes=105))
    error about 0.0%, ... at most 24.0% of the 25 nodes left, 5.7% of all 105 (20 audits)
    >>> print(error_estimate([False, True], left=[2, 1, 0]))
    no error is left: every node has been asked about
    """
    strictly_between("confidence", confidence, 0, 1)
    record = _record(wrong)
    pools = None if left is None else _pools(left, len(record))
    now = None if pools is None else int(pools[-1])
    total = None if pools is None else int(pools.max())
    if n_nodes is not None:
        total = whole_number("n_nodes", n_nodes, 0 if total is None else total)
    if now == 0:
        return ErrorEstimate(0.0, 0.0, 0.0, len(record), confidence, now, total)
    if len(record) == 0:
        return ErrorEstimate(1.0, 0.0, 1.0, 0, confidence, now, total)
    recent = record[-max(20, len(record) // 2) :]
    if pools is None:
        upper = _refuted_from(record, confidence)
    else:
        upper = float(_most_left(record, pools, confidence) / pools[-1])
    return ErrorEstimate(
        estimate=min(float(recent.mean()), upper),
        lower=min(1.0 - _refuted_from(~recent, confidence), upper),
        upper=upper,
        audits=len(record),
        confidence=confidence,
        left=now,
        n_nodes=total,
    )


def _record(wrong: Sequence[bool]) -> Mask:
    """Return audits as booleans; raise for anything that is neither true nor false."""
    given = np.asarray(wrong)
    if given.ndim != 1 or (given.size and given.dtype.kind not in "bi"):
        raise InputError(f"wrong must be a flat list of true and false, got {wrong!r}")
    if given.size and not np.isin(given, (0, 1)).all():
        raise InputError(f"wrong must be a flat list of true and false, got {wrong!r}")
    return given.astype(bool)


def _pools(left: Sequence[int], audits: int) -> Array:
    """Check and return the number of nodes left at each audit and now."""
    counts = [whole_number("left", count, 0) for count in left]
    if len(counts) != audits + 1:
        raise InputError(f"left must have {audits + 1} entries, got {len(counts)}")
    if min(counts[:-1], default=1) < 1:
        raise InputError("left must be at least 1 where an audit was drawn, got 0")
    return np.array(counts, dtype=np.float64)


def _most_left(record: Mask, pools: Array, confidence: float) -> int:
    """Return the largest number of wrong guesses among remaining nodes that is not refuted.

    If now a share s of the nodes left is wrong, and the share rose through audits alone, then at
    audit i at least the share slope_i s + offset_i was: an audit takes away one node, and its
    error if it had one. Each audit multiplies the wealth by the likelihood ratio of a share that is
    smaller by a factor. That ratio rises with the share supposed, so the wealth against the least
    possible share is at most that against the true one, which is a martingale.
    """
    slope, offset = np.empty(len(record)), np.empty(len(record))
    a, b = 1.0, 0.0
    for i in range(len(record) - 1, -1, -1):
        rest = (pools[i] - 1.0) / pools[i]
        a, b = a * rest, b * rest + record[i] / pools[i]
        slope[i], offset[i] = a, b
    goal = -np.log1p(-confidence)
    low, high = 0, int(pools[-1]) + 1
    while high - low > 1:
        middle = (low + high) // 2
        shares = slope * (middle / pools[-1]) + offset
        if _log_wealth_of(record, shares) >= goal:
            high = middle
        else:
            low = middle
    return low


def _log_wealth_of(record: Mask, shares: Array) -> float:
    """Return the log of the wealth won against these shares of wrong guesses, one per audit."""
    if (shares > 1.0 + 1e-9).any():
        return float("inf")
    share = np.minimum(shares, 1.0 - 1e-12)[:, None]
    bets = np.where(record[:, None], np.log(LOWERED), np.log1p(-share * LOWERED) - np.log1p(-share))
    starts = np.array([start for start in STARTS if start < len(record)])
    ahead = np.cumsum(bets[::-1], axis=0)[::-1][starts]
    mixture = np.logaddexp.reduce(ahead, axis=1) - np.log(len(LOWERED))
    place = np.arange(1.0, len(starts) + 1.0)
    return float(np.logaddexp.reduce(mixture - np.log(place * (place + 1.0))))


def _refuted_from(record: Mask, confidence: float) -> float:
    """Return the smallest error level that the audits refute; 1 if they refute none."""
    goal = -np.log1p(-confidence)
    starts = [start for start in STARTS if start < len(record)]
    errors = np.array([record[start:].sum() for start in starts], dtype=np.float64)
    right = len(record) - np.array(starts) - errors
    low, high = 0.0, 1.0 - 1e-9
    if _log_wealth(errors, right, high) < goal:
        return 1.0
    for _ in range(40):
        middle = 0.5 * (low + high)
        if _log_wealth(errors, right, middle) >= goal:
            high = middle
        else:
            low = middle
    return high


def _log_wealth(errors: Array, right: Array, level: float) -> float:
    """Return the logarithm of the wealth won against "the error is `level` or more".

    For each start, the mixture of likelihood ratios of smaller errors against the level itself.
    """
    place = np.arange(1.0, len(errors) + 1.0)
    with np.errstate(divide="ignore"):
        inside = np.log(betainc(errors + 0.5, right + 1.0, level))
    mixture = betaln(errors + 0.5, right + 1.0) + inside - np.log(2.0 * np.sqrt(level))
    bets = mixture - errors * np.log(level) - right * np.log1p(-level)
    return float(np.logaddexp.reduce(bets - np.log(place * (place + 1.0))))
