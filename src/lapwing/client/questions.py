"""Questions as the service tells them, for people who use the client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lapwing.session import Neighbor, Question


def question_told(told: Mapping[str, Any]) -> Question:
    """Return a question like those of `lapwing.Session`."""
    guess, blind = told["guess"], told["audit"] or told["second"]
    return Question(
        node=told["node"],
        reason=told["reason"],
        audit=told["audit"],
        attributes=told["attributes"],
        neighbors=tuple(
            Neighbor(
                each["node"],
                each["label"] if each["answered"] else None,
                None if each["answered"] else each["label"],
            )
            for each in told["neighbors"]
        ),
        n_neighbors=told["neighbors_total"],
        by=told["lease"]["by"],
        blind=blind,
        _guess=guess,
        _confidence=told["confidence"],
    )
