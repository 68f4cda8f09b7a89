"""The status of a session, from `Session.standing` alone."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from lapwing.active import RecallEstimate
from lapwing.service.sessions.desks import Desk
from lapwing.service.sessions.notes import Note
from lapwing.session import Session
from lapwing.session.log.auditing.plans import plans_audits
from lapwing.session.opening.claims import SMALL_IS_GOOD
from lapwing.session.reading.certificates import MeasureProof
from lapwing.session.reading.finding import search_facts
from lapwing.session.reading.standing import bound_after

CONFIDENCE = 0.95


def status_note(desk: Desk, session: Session, by: str) -> Note[dict[str, Any]]:
    """Return the status of a session, kept until the next event."""
    version = session.dialogue.state.n_events, desk.shared.targets
    return Note("status", version, by, lambda: _status(desk, session, by))


def status_json(desk: Desk, session: Session, by: str) -> dict[str, Any]:
    """Return the status of a session as it is now."""
    found: dict[str, Any] = desk.notes.of(status_note(desk, session, by))
    return dict(found)


def advice_json(desk: Desk, session: Session, by: str) -> dict[str, Any]:
    """Return whether to stop, and why; kept until the next event."""

    def make() -> dict[str, Any]:
        error, recall = desk.shared.targets
        found = session.advice(target_error=error, target_recall=recall, by=by)
        return {"stop": found.stop, "words": found.words}

    version = session.dialogue.state.n_events, desk.shared.targets
    return desk.notes.of(Note("advice", version, by, make))


def _status(desk: Desk, session: Session, by: str) -> dict[str, Any]:
    error, recall = desk.shared.targets
    told = session.standing(target_error=error, target_recall=recall, confidence=CONFIDENCE, by=by)
    estimate, searches = told.estimate, told.recall is not None
    return {
        "answers": told.answers,
        "labels": len(session.dialogue.state.labels),
        "nodes": session.graph.n_nodes,
        "classes": session.classes,
        "counts": told.counts,
        "audits": estimate.audits,
        "audit_errors": told.audit_errors,
        "error": estimate.estimate if estimate.audits and not searches else None,
        "bound": None if searches else estimate.overall,
        "estimate": asdict(estimate),
        "confidence": CONFIDENCE,
        "target_error": error,
        "recall": None if told.recall is None else _recall(session, told.recall),
        "target_recall": recall,
        "certified": None if told.certified is None else _certified(session, told.certified),
        "advice": {"stop": told.advice.stop, "words": told.advice.words},
        "answers_left": told.answers_left,
        "curve": bound_curve(desk, session),
        "people": [{"by": name, "answers": count} for name, count in told.people.items()],
        "agreement": asdict(told.agreement),
        "disagreements": [
            {
                "node": str(each.node),
                "index": session.graph.names.index(each.node),
                "said": each.said,
                "label": each.label,
            }
            for each in told.disagreements
        ],
        "event": session.dialogue.state.n_events,
    }


def _recall(session: Session, found: RecallEstimate) -> dict[str, Any]:
    shares = {"estimate": found.estimate, "lower": found.lower, "upper": found.upper}
    facts = search_facts(session.dialogue, found)
    told = {name: facts[name] for name in ("hit_rate", "estimated_hidden", "hidden_at_most")}
    said = {"positive": list(session.header["positive"]), "words": str(found)}
    return asdict(found) | shares | told | said


def _certified(session: Session, found: MeasureProof) -> dict[str, Any]:
    """What is to be certified, how far it is, and the target."""
    return asdict(found) | {
        "what": found.what,
        "at_most": found.measure in SMALL_IS_GOOD,
        "target": float(session.header["certify"]["target"]),
        "words": str(found),
    }


def bound_curve(desk: Desk, session: Session) -> list[list[float]]:
    """Return the labels known at each audit and the bound right after it.

    Audits from before a growth speak of fewer nodes: on a grown graph, and where audits were not
    drawn with equal probability, there is the bound of now.
    """
    state, header = session.dialogue.state, session.dialogue.header
    if state.grown.boundary is not None or plans_audits(header):
        now = session.error_estimate(confidence=CONFIDENCE).overall
        return [[len(state.labels), round(now, 6)]]
    curve: list[list[float]] = desk.notes.setdefault("curve", [])
    for count in range(len(curve) + 1, len(state.audits) + 1):
        bound = bound_after(
            state.audits[:count], state.labelled[:count], header, session.graph.n_nodes
        )
        curve.append([state.labelled[count - 1] + 1, round(bound, 6)])
    return list(curve)
