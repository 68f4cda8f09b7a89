"""Questions as the page and the client see them."""

from __future__ import annotations

from typing import Any

import numpy as np

from lapwing.service.graphs.facts import attribute
from lapwing.service.moments import moment
from lapwing.service.sessions.desks import Desk
from lapwing.service.sessions.notes import Note
from lapwing.session import Event, Session
from lapwing.session.log.questions import Asked
from lapwing.session.reading.readings import question_of
from lapwing.types import UNKNOWN

TOP = 3


def question_noted(desk: Desk, session: Session, event: Event, until: float) -> dict[str, Any]:
    """Return a question; made once for each change of what the learner knows."""
    state = session.dialogue.state
    version = state.n_learned, len(state.labels), len(state.classes)
    note = Note("questions", version, event.number, lambda: question_json(session, event, until))
    return desk.notes.of(note) | {"lease": {"by": event.by, "until": moment(until)}}


def question_json(session: Session, event: Event, until: float) -> dict[str, Any]:
    """Return a question with all that helps to answer it; nothing of the guess on an audit."""
    dialogue = session.dialogue
    asked = Asked.of(event)
    told = question_of(dialogue, asked, event.by)
    return {
        "question": str(event.number),
        "number": event.number,
        "node": str(told.node),
        "index": asked.node,
        "audit": told.audit,
        "second": bool(event.detail.get("second", False)),
        "blind": told.blind,
        "reason": told.reason,
        "guess": told.guess,
        "confidence": told.confidence,
        "top": [] if told.guess is None else likeliest_classes(session, asked.node),
        "attributes": {name: attribute(value) for name, value in told.attributes.items()},
        "neighbors": _neighbors_json(session, asked.node, told),
        "neighbors_total": told.n_neighbors,
        "lease": {"by": event.by, "until": moment(until)},
    }


def hides_guess(event: Event) -> bool:
    """Whether the guess of an open question is hidden: an audit, or a second look."""
    return any(event.detail.get(name) for name in ("audit", "second", "blind"))


def is_hidden(session: Session, node: int, by: str) -> bool:
    """Whether a person must not see a node's guess now: they are asked about it without one."""
    asked = session.dialogue.state.open.get(node)
    return asked is not None and asked.by == by and hides_guess(asked)


def likeliest_classes(session: Session, node: int) -> list[dict[str, Any]]:
    """Return the most probable classes of a node."""
    chances = session.dialogue.chances(node)
    best = np.argsort(-chances, kind="stable")[:TOP]
    classes = session.dialogue.classes
    return [
        {"label": classes[k], "probability": round(float(chances[k]), 6)}
        for k in best.tolist()
        if chances[k] > 0
    ]


def _neighbors_json(session: Session, node: int, told: Any) -> list[dict[str, Any]]:
    graph, adjacency = session.graph, session.graph.adjacency
    found = []
    for each in told.neighbors:
        index = graph.names.index(each.node)
        found.append({
            "node": str(each.node),
            "index": index,
            "label": each.label if each.label is not None else each.guess,
            "answered": each.label is not None,
            "weight": float(adjacency[node, index]),
        })  # fmt: skip
    return found


def opinion_json(session: Session, event: Event | None) -> dict[str, Any] | None:
    """Return what was thought when a question was asked, to be shown once it is answered."""
    if event is None:
        return None
    guess = int(event.detail.get("guess", UNKNOWN))
    return {
        "guess": None if guess == UNKNOWN else session.dialogue.classes[guess],
        "confidence": event.detail.get("confidence"),
        "audit": bool(event.detail.get("audit", False)),
    }
