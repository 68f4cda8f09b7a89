"""Questions with nodes by index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from lapwing.session.log.events import Event


@dataclass(frozen=True, slots=True)
class Asked:
    """A node to ask about, and the learner's guess (`UNKNOWN` if it has none)."""

    node: int
    guess: int
    confidence: float | None
    audit: bool = False

    @classmethod
    def of(cls, asked: Event) -> Self:
        """The question that an event of kind asked put.

        Examples
        --------
        >>> detail = {"guess": 1, "confidence": 0.75, "audit": True}
        >>> Asked.of(Event(1, "asked", "2026-01-01T00:00:00Z", "ann", node=3, detail=detail))
        Asked(node=3, guess=1, confidence=0.75, audit=True)
        """
        detail = asked.detail
        node = -1 if asked.node is None else asked.node
        audit = bool(detail.get("audit", False))
        return cls(node, int(detail["guess"]), detail["confidence"], audit)
