"""What people do in a session: ask, answer, skip, take back. Called by the writer alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy.engine import Connection

from lapwing.errors import InputError
from lapwing.service.http.bodies import NodeBody
from lapwing.service.people.leases import ends, expired_released, holders, renewed
from lapwing.service.sessions.desks import Desk
from lapwing.service.sessions.names import node_index
from lapwing.service.sessions.questions import opinion_json
from lapwing.session import Session


def asked(connection: Connection, desk: Desk, by: str, count: int, lease: float) -> dict[str, Any]:
    """Lease up to `count` questions to a person; their numbers and who holds the others."""
    session, shared = desk.session, desk.shared.id
    expired_released(connection, shared, session, by, lease)
    session.dialogue.ask_several(count, by)
    mine = [event for event in session.dialogue.state.open.values() if event.by == by][:count]
    renewed(connection, shared, session, [event.number for event in mine], by, lease)
    until = ends(connection, shared, session.dialogue.state.open.values(), lease)
    return {
        "numbers": {str(event.node): until[event.number] for event in mine},
        "held": holders(session, until, by),
    }


def asked_about(
    connection: Connection, desk: Desk, by: str, wanted: NodeBody, lease: float
) -> tuple[int, float]:
    """Put one node to a person; return its index and when the lease ends."""
    session, shared = desk.session, desk.shared.id
    index = node_index(session.graph, wanted.node)
    event = session.dialogue.state.open.get(index)
    if event is None or event.by != by:
        session.dialogue.reask(index, by, blind=wanted.blind)
        event = session.dialogue.state.open[index]
    renewed(connection, shared, session, [event.number], by, lease)
    return index, ends(connection, shared, [event], lease)[event.number]


def answers_recorded(
    desk: Desk, by: str, answers: Sequence[tuple[str, str]], *, known: bool = False
) -> dict[str, Any]:
    """Record answers, all or none; those `known` otherwise count as no audits."""
    session = desk.session
    graph, state = session.graph, session.dialogue.state
    by_index: dict[int, str] = {}
    for node, label in answers:
        index = node_index(graph, node)
        if by_index.get(index, label) != label:
            raise InputError(f"node {node!r} must have one label, got two")
        by_index[index] = label
    was = None
    if len(by_index) == 1:
        (only,) = by_index
        was = opinion_json(session, state.open.get(only))
    recorded = {
        event.node: event for event in session.dialogue.tell_many(by_index, by, known=known)
    }
    saved = [
        {
            "node": str(graph.names[index]),
            "label": label,
            "event": recorded[index].number if index in recorded else state.n_events,
        }
        for index, label in by_index.items()
    ]
    return {"saved": saved, "was": was}


def skipped(desk: Desk, by: str, node: str) -> dict[str, Any]:
    """Do not ask this person about this node again."""
    session = desk.session
    index = node_index(session.graph, node)
    session.dialogue.skip(index, by)
    return {"node": str(session.graph.names[index]), "event": session.dialogue.state.n_events}


def undone(desk: Desk, by: str) -> dict[str, Any]:
    """Take back a person's latest answer."""
    session: Session = desk.session
    state = session.dialogue.state
    latest = state.votes.latest(by)
    if latest is None:
        return {"node": None, "label": None, "event": state.n_events}
    label = session.classes[state.votes.answers(latest)[by]]
    session.dialogue.withdraw(latest, by)
    return {"node": str(session.graph.names[latest]), "label": label, "event": state.n_events}


def withdrawn(desk: Desk, by: str, nodes: Sequence[str]) -> dict[str, Any]:
    """Take back a person's answers on these nodes, where there are any."""
    session = desk.session
    votes, names = session.dialogue.state.votes, session.graph.names
    wanted = dict.fromkeys(node_index(session.graph, node) for node in nodes)
    taken = [index for index in wanted if by in votes.answers(index)]
    if taken:
        session.dialogue.withdraw_many(taken, by)
    return {
        "nodes": [str(names[index]) for index in taken],
        "event": session.dialogue.state.n_events,
    }


def released(desk: Desk, by: str, node: str) -> dict[str, Any]:
    """Give a person's question back, so that it can be put to anybody."""
    session = desk.session
    index = node_index(session.graph, node)
    asked_now = session.dialogue.state.open.get(index)
    if asked_now is None or asked_now.by != by:
        raise InputError(f"a question to release must be open for {by!r}, none is about {node!r}")
    session.dialogue.release(index, by)
    return {"node": str(session.graph.names[index]), "event": session.dialogue.state.n_events}
