"""Addresses of a session's graph: nodes and edges are added, a label is explained."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query

from lapwing.errors import InputError
from lapwing.service.database.trail import Deed
from lapwing.service.http.bodies import GrowthBody
from lapwing.service.http.doors import Key, Owner, TheService, Viewer, repeat_of
from lapwing.service.http.graph_replies import GrowthReply
from lapwing.service.http.session_replies import ExplanationReply
from lapwing.service.problems import Refusal
from lapwing.service.sessions.desks import Desk
from lapwing.service.sessions.names import node_index
from lapwing.session import Session

growth_router = APIRouter(tags=["sessions"])


@growth_router.post("/sessions/{session}/grow", response_model=GrowthReply)
async def post_growth(
    session: str, body: GrowthBody, person: Owner, service: TheService, key: Key = None
) -> Any:
    """Add nodes and edges, by name; every answer stays."""
    desk = await service.desk(person, session)
    return await service.write(
        lambda _: grown_session(desk, person.name, body),
        held=desk,
        repeat=repeat_of(person, key, session, "grow", body.model_dump()),
        deed=Deed(person, "grow", session, {"edges": len(body.edges), "nodes": len(body.nodes)}),
    )


def grown_session(desk: Desk, by: str, body: GrowthBody) -> dict[str, Any]:
    """Grow a session's graph and return what was added."""
    session = desk.session
    if not body.edges and not body.nodes:
        raise InputError("edges or nodes must be given to grow a graph")
    if body.weights and len(body.weights) != len(body.edges):
        raise InputError(f"weights must be one per edge, got {len(body.weights)}")
    names = session.graph.names
    numbers = len(names) > 0 and isinstance(names[0], int)

    def name(text: str) -> Any:
        return int(text) if numbers and text.lstrip("-").isdigit() else text

    told = session.grow(
        edges=[(name(a), name(b)) for a, b in body.edges] or None,
        nodes=[name(each) for each in body.nodes] or None,
        weights=body.weights or None,
        by=by,
    )
    desk.notes.clear()
    return {
        "words": str(told),
        "nodes": session.graph.n_nodes,
        "edges": session.graph.n_edges,
        "event": session.dialogue.state.n_events,
    }


@growth_router.get("/sessions/{session}/explain", response_model=ExplanationReply)
async def explain_label(
    session: str,
    person: Viewer,
    service: TheService,
    node: Annotated[str, Query(min_length=1, max_length=1000)],
) -> Any:
    """What a node's label rests on, in words; not while it is an open audit of this person."""
    desk = await service.desk(person, session)

    def look(held: Session) -> dict[str, Any]:
        index = node_index(held.graph, node)
        asked = held.dialogue.state.open.get(index)
        hidden = asked is not None and (asked.detail.get("audit") or asked.detail.get("second"))
        if hidden and asked is not None and asked.by == person.name:
            raise Refusal(409, "hidden", "the guess is hidden until this question is answered")
        found = held.explain(held.graph.names[index])
        return {
            "node": str(found.node),
            "label": found.label,
            "confidence": found.confidence,
            "words": str(found),
        }

    return await service.read_aside(desk, look)
