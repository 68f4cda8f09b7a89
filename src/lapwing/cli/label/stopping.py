"""Decide when a person can stop labelling."""

from __future__ import annotations

from dataclasses import dataclass

from lapwing.session import Advice, Session
from lapwing.session.opening.goals import is_search
from lapwing.session.reading.certificates import MeasureProof


@dataclass(frozen=True, slots=True)
class Rules:
    """Who answers, and when it is enough."""

    by: str
    budget: int | None
    target: float
    confidence: float
    recall: float | None = None

    def advice(self, session: Session) -> Advice:
        """Whether to stop now, and why or what is still missing."""
        return session.advice(
            target_error=self.target,
            confidence=self.confidence,
            budget=self.budget,
            target_recall=self.recall,
            by=self.by,
        )

    def measured(self, session: Session) -> str:
        """What the audits say: the error, or the recall where a class is to be found."""
        if is_search(session.header):
            return str(session.recall(confidence=self.confidence))
        proven = self.proven(session)
        return str(proven or session.error_estimate(confidence=self.confidence))

    def proven(self, session: Session) -> MeasureProof | None:
        """What the audits prove of what is to be certified; None if that is the error."""
        claim = session.header.get("certify")
        if claim is None or claim["of"] not in (None, *session.classes):
            return None
        return session.certificate(
            claim["measure"], of=claim["of"], part=claim["part"], confidence=self.confidence
        )

    def enough(self, session: Session) -> str | None:
        """Why you can stop now; None if you cannot."""
        found = self.advice(session)
        return found.words if found.stop else None

    def progress(self, session: Session) -> str:
        """How far it is to the target, as a sentence."""
        said = self.advice(session).words
        return f"{said[0].upper()}{said[1:]}."
