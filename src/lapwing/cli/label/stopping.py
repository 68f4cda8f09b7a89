"""Decide when a person can stop labelling."""

from __future__ import annotations

from dataclasses import dataclass

from lapwing.session import Advice, Session


@dataclass(frozen=True, slots=True)
class Rules:
    """Who answers, and when it is enough."""

    by: str
    budget: int | None
    target: float
    confidence: float

    def advice(self, session: Session) -> Advice:
        """Whether to stop now, and why or what is still missing."""
        return session.advice(
            target_error=self.target,
            confidence=self.confidence,
            budget=self.budget,
            by=self.by,
        )

    def enough(self, session: Session) -> str | None:
        """Why you can stop now; None if you cannot."""
        found = self.advice(session)
        return found.why if found.stop else None

    def progress(self, session: Session) -> str:
        """How far it is to the target, as a sentence."""
        said = self.advice(session).why
        return f"{said[0].upper()}{said[1:]}."
