"""When a person can stop labelling, and how far that is."""

from __future__ import annotations

from dataclasses import dataclass

from lapwing.active import error_estimate
from lapwing.session import Session

MOST_CHECKS = 100_000
"""How far ahead to look for the spot check that would be enough."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Who answers, and when it is enough."""

    by: str
    budget: int | None
    target: float
    confidence: float

    def enough(self, session: Session) -> str | None:
        """Why you can stop now; None if you cannot."""
        if self.budget is not None and len(session.state.labels) >= self.budget:
            return f"the budget of {self.budget} labels is used"
        estimate = session.error_estimate(confidence=self.confidence)
        if estimate.below(self.target):
            return f"with {self.confidence:.0%} confidence the error is below {self.target:.0%}"
        return None

    def progress(self, session: Session) -> str:
        """How far it is to the target, in words."""
        if session.error_estimate(confidence=self.confidence).below(self.target):
            return f"The bound is below {self.target:.0%}."
        if not float(session.header.get("audit_share", 1.0)):
            return "Without spot checks (--audit 0) the error stays unknown."
        left = checks_left(session.state.audits, self.target, self.confidence)
        if left is None:
            return f"No number of spot checks brings the bound below {self.target:.0%}."
        checks = "1 more spot check" if left == 1 else f"{left:,} more spot checks"
        return f"{checks} without an error would bring the bound below {self.target:.0%}."


def checks_left(audits: list[bool], target: float, confidence: float) -> int | None:
    """The least number of further spot checks without an error after which the bound is below.

    Examples
    --------
    >>> checks_left([False] * 30, 0.1, 0.95)
    12
    >>> error_estimate([False] * 41).upper < 0.1, error_estimate([False] * 42).upper < 0.1
    (False, True)
    """

    def below(more: int) -> bool:
        record = [*audits, *[False] * more]
        return error_estimate(record, confidence=confidence).below(target)

    if target <= 0:
        return None
    high = 1
    while not below(high):
        high *= 2
        if high > MOST_CHECKS:
            return None
    low = high // 2  # not enough, or 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if below(middle) else (middle, high)
    return high
