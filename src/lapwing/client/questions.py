"""Questions as the service tells them, for people who use the client."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from lapwing.active import RecallEstimate
from lapwing.errors import InputError
from lapwing.session import MeasureProof, Neighbor, Question
from lapwing.session.log.confusion import PersonErrors


def question_told(told: Mapping[str, Any]) -> Question:
    """Return a question like those of `lapwing.Session`."""
    guess, blind = told["guess"], told["blind"]
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


def told_recall(told: Mapping[str, Any] | None) -> RecallEstimate:
    """The recall that a status tells; raise if the session has no class to find.

    Examples
    --------
    >>> told_recall({"found": 3, "total": 4.0, "fewest": 3, "most": 9, "audits": 8,
    ...              "confidence": 0.95, "words": ""}).estimate
    0.75
    """
    if told is None:
        raise InputError("this session has no class to find")
    return RecallEstimate(**{each.name: told[each.name] for each in fields(RecallEstimate)})


def people_told(told: Sequence[Mapping[str, Any]]) -> dict[str, PersonErrors]:
    """Return what each person mixes up, as `lapwing.Session` does."""
    return {
        each["by"]: PersonErrors(
            tuple(each["classes"]), tuple(map(tuple, each["said"])), each["right"], each["answers"]
        )
        for each in told
    }


def told_proof(told: Mapping[str, Any]) -> MeasureProof:
    """The proof that a status or a certificate tells.

    Examples
    --------
    >>> print(told_proof({"measure": "recall", "of": "red", "part": None, "estimate": 0.8,
    ...                   "bound": 0.6, "audits": 30, "confidence": 0.95, "words": "..."}))
    recall of red about 80.0%, with 95% confidence at least 60.0% (30 audits)
    """
    return MeasureProof(**{each.name: told[each.name] for each in fields(MeasureProof)})
