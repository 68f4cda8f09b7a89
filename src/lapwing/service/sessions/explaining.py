"""What a node's label rests on, as JSON."""

from __future__ import annotations

from typing import Any

from lapwing.service.problems import Refusal
from lapwing.service.sessions.names import node_index
from lapwing.service.sessions.questions import is_hidden
from lapwing.session import Session


def explanation_json(session: Session, by: str, node: str) -> dict[str, Any]:
    """Return the evidence for a node's label; not while it is an open audit of this person."""
    index = node_index(session.graph, node)
    if is_hidden(session, index, by):
        raise Refusal(409, "hidden", "the guess is hidden until this question is answered")
    found = session.explain(session.graph.names[index])
    return {
        "node": str(found.node),
        "label": found.label,
        "confidence": found.confidence,
        "runner_up": found.runner_up,
        "parts": [{"name": name, "share": share} for name, share in found.parts],
        "labels": [
            {"node": str(name), "index": session.graph.names.index(name), "label": label,
             "share": share}
            for name, label, share in found.labels
        ],
        "features": [{"name": name, "effect": effect} for name, effect in found.features],
        "neighbors": [
            {"node": str(each.node), "label": each.label or each.guess,
             "answered": each.label is not None}
            for each in found.neighbors
        ],
        "note": found.note,
        "words": str(found),
    }  # fmt: skip
