"""How wrong the predictions still are, honestly, and when one may stop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import betainc, betaln

from lapwing.errors import InputError
from lapwing.types import Array, Mask

STARTS = (0, 10, 20, 40, 80, 160, 320, 640, 1280, 2560)
"""After how many audits a new count begins, so that early errors of a young learner fade."""


@dataclass(frozen=True, slots=True)
class ErrorEstimate:
    """The error on nodes not asked about: a best guess, and an interval that holds at any time.

    `audits` counts the questions drawn at random on which it rests.
    """

    estimate: float
    lower: float
    upper: float
    audits: int
    confidence: float

    def below(self, target: float) -> bool:
        """Whether one may stop: with this confidence the error is below the target."""
        return self.upper < target

    def __str__(self) -> str:
        if self.audits == 0:
            return "error unknown: no audit question answered yet"
        return (
            f"error about {self.estimate:.1%}, with {self.confidence:.0%} confidence "
            f"at most {self.upper:.1%} ({self.audits} audits)"
        )


def error_estimate(wrong: Sequence[bool], *, confidence: float = 0.95) -> ErrorEstimate:
    r"""The error from audits: `wrong` tells of each node drawn at random whether its guess was.

    Questions chosen for their use are no fair sample, so some are drawn at random from all nodes
    left, and the guess made *before* the answer is what counts. The upper bound is the smallest
    error level p that is refuted by betting against it: a wealth that would stay below 1 on average
    if the error were p or more, whenever one looks, has passed 1 / (1 - confidence). It is a
    mixture over how small the error is (density :math:`\propto q^{-1/2}` below p) and over
    the audit from which one counts, so that a learner that gets better is not held to its youth.

    Holds at every moment at once, so one may look after each answer and stop when one likes,
    provided the error does not rise while labels are added.

    Examples
    --------
    >>> print(error_estimate([False] * 40))
    error about 0.0%, with 95% confidence at most 10.4% (40 audits)
    >>> print(error_estimate([True] * 12 + [False] * 60))
    error about 0.0%, with 95% confidence at most 11.5% (72 audits)
    """
    if not 0 < confidence < 1:
        raise InputError(f"confidence must lie between 0 and 1, got {confidence}")
    record = np.asarray(wrong, dtype=bool)
    if len(record) == 0:
        return ErrorEstimate(1.0, 0.0, 1.0, 0, confidence)
    recent = record[-max(20, len(record) // 2) :]
    return ErrorEstimate(
        estimate=float(recent.mean()),
        lower=1.0 - _refuted_from(~record[-len(recent) :], confidence),
        upper=_refuted_from(record, confidence),
        audits=len(record),
        confidence=confidence,
    )


def _refuted_from(record: Mask, confidence: float) -> float:
    """The smallest level that the record refutes; 1 if it refutes none."""
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
    """The logarithm of the wealth won against "the error is `level` or more".

    For each start, the mixture of likelihood ratios of smaller errors against the level itself.
    """
    place = np.arange(1.0, len(errors) + 1.0)
    with np.errstate(divide="ignore"):
        inside = np.log(betainc(errors + 0.5, right + 1.0, level))
    mixture = betaln(errors + 0.5, right + 1.0) + inside - np.log(2.0 * np.sqrt(level))
    bets = mixture - errors * np.log(level) - right * np.log1p(-level)
    return float(np.logaddexp.reduce(bets - np.log(place * (place + 1.0))))
