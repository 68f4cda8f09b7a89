"""When a person can stop labelling, and how far that is."""

from __future__ import annotations

from dataclasses import dataclass

from lapwing.session import Session
from lapwing.session.log.choosing import remaining_error


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
        left = checks_left(session, self.target, self.confidence)
        if left is None:
            return f"No number of spot checks brings the bound below {self.target:.0%}."
        checks = "1 more spot check" if left == 1 else f"{left:,} more spot checks"
        return f"{checks} without an error would bring the bound below {self.target:.0%}."


def checks_left(session: Session, target: float, confidence: float) -> int | None:
    """The least number of further spot checks without an error after which the bound is below.

    None if even asking about every node that is left would not be enough.
    """

    def below(more: int) -> bool:
        state, header, n_nodes = session.state, session.header, session.graph.n_nodes
        return remaining_error(state, header, n_nodes, confidence, more).below(target)

    never = set(session.header.get("forbidden", ())) - set(session.state.labels)
    low, high = 0, session.graph.n_nodes - len(never) - len(session.state.labels)
    if high < 1 or not below(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if below(middle) else (middle, high)
    return high
