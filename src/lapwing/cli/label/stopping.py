"""Decide when a person can stop labelling."""

from __future__ import annotations

from dataclasses import dataclass

from lapwing.session import Dialogue
from lapwing.session.advice import advice, progress_words


@dataclass(frozen=True, slots=True)
class Rules:
    """Who answers, and when it is enough."""

    by: str
    budget: int | None
    target: float
    confidence: float

    def enough(self, session: Dialogue) -> str | None:
        """Why you can stop now; None if you cannot."""
        found = advice(session, by=self.by, target_error=self.target, confidence=self.confidence,
                       budget=self.budget)  # fmt: skip
        return found.why if found.stop else None

    def progress(self, session: Dialogue) -> str:
        """How far it is to the target, in words."""
        if not float(session.header.get("audit_share", 1.0)):
            return "Without spot checks (--audit 0) the error stays unknown."
        said = progress_words(session, self.target, self.confidence)
        return f"{said[0].upper()}{said[1:]}."
