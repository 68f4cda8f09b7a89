"""Addresses of growth: nodes and edges are added to a session's graph, or to a graph."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlalchemy import update
from sqlalchemy.engine import Connection

from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.service.database.idempotency import earlier_reply
from lapwing.service.database.tables import shared_sessions
from lapwing.service.database.trail import Deed
from lapwing.service.graphs.facts import graph_facts
from lapwing.service.graphs.reading import check_upload_size
from lapwing.service.graphs.shelf import shelved
from lapwing.service.graphs.truth import carry_truth, is_truth_kept
from lapwing.service.graphs.uploads import discarded
from lapwing.service.http.addresses import addresses
from lapwing.service.http.bodies import GraphGrowthBody, GrowthBody
from lapwing.service.http.doors import Key, Owner, TheService, repeat_of
from lapwing.service.http.graph_replies import GrownGraphReply, GrowthReply
from lapwing.service.moments import new_id
from lapwing.service.people.person import Person
from lapwing.service.problems import Refusal
from lapwing.service.service import Service
from lapwing.service.sessions.desks import Desk, SeveralDesks
from lapwing.service.sessions.names import number_named
from lapwing.service.sessions.shared import Shared
from lapwing.session.log.growth import Growth
from lapwing.session.opening.gained import grown_by, with_all_of

growth_router = addresses("sessions")


@growth_router.post("/sessions/{session}/grow", response_model=GrowthReply)
async def post_growth(
    session: str, body: GrowthBody, person: Owner, service: TheService, key: Key = None
) -> Any:
    """Add nodes and edges, by name; every answer stays."""
    desk = await service.desk(person, session)
    await service.learned(desk)
    return await service.write(
        lambda _: grown_session(desk, person.name, body),
        held=desk,
        repeat=repeat_of(person, key, session, "grow", body.model_dump()),
        deed=Deed(person, "grow", session, {"edges": len(body.edges), "nodes": len(body.nodes)}),
    )


def grown_session(desk: Desk, by: str, body: GrowthBody) -> dict[str, Any]:
    """Grow a session's graph and return what was added."""
    session = desk.session
    told = session.grow(**additions(session.graph, body), by=by)
    desk.notes.clear()
    return {
        "words": str(told),
        "nodes": session.graph.n_nodes,
        "edges": session.graph.n_edges,
        "event": session.dialogue.state.n_events,
    }


def additions(graph: Graph, body: GrowthBody) -> dict[str, Any]:
    """Return the edges, nodes and weights of a request, named as the graph names its nodes."""
    if not body.edges and not body.nodes:
        raise InputError("edges or nodes must be given to grow a graph")
    if body.weights and len(body.weights) != len(body.edges):
        raise InputError(f"weights must be one per edge, got {len(body.weights)}")
    names = graph.names
    numbers = len(names) > 0 and isinstance(names[0], int)

    def name(text: str) -> Any:
        number = number_named(text) if numbers else None
        return text if number is None else number

    return {
        "edges": [(name(a), name(b)) for a, b in body.edges] or None,
        "nodes": [name(each) for each in body.nodes] or None,
        "weights": body.weights or None,
    }


@growth_router.post(
    "/graphs/{graph}/grow", response_model=GrownGraphReply, status_code=201, tags=["graphs"]
)
async def grow_graph(
    graph: str, body: GraphGrowthBody, person: Owner, service: TheService, key: Key = None
) -> Any:
    """Add nodes and edges, by name, or all of another graph: with weights and node columns.

    The grown graph has an id of its own, and sessions follow.

    The sessions of the graph, or those that are named, keep every answer and go on with the grown
    graph: all of them or none.
    """
    repeat = repeat_of(person, key, graph, "grow", body.model_dump())
    with service.store.reading() as connection:
        facts = service.library.facts(connection, person, graph)
        if body.added is not None:
            service.library.facts(connection, person, body.added)
        # The sessions have left this graph by the time a request is repeated.
        if repeat is not None and (earlier := earlier_reply(connection, repeat)) is not None:
            return earlier
        shared = service.desks.everything(connection, person.team)
    desks = [await service.desk(person, each) for each in _followers(shared, graph, body.sessions)]
    for desk in desks:
        await service.learned(desk)
    fresh = new_id()
    place = service.library.place(fresh)
    try:
        found = await asyncio.to_thread(_shelved_growth, service, graph, body, place)
        reply: dict[str, Any] = await service.write(
            lambda connection: _followed(connection, service, person, desks, fresh, found, facts),
            held=SeveralDesks(desks),
            repeat=repeat,
            deed=Deed(person, "grow", graph, {"grown": fresh, "sessions": len(desks)}),
            steps=True,
        )
    except BaseException:
        discarded(place)
        raise
    if reply["graph"] != fresh:
        discarded(place)
    return reply


def _followers(shared: list[Shared], graph: str, named: list[str] | None) -> list[str]:
    """The ids of the sessions that follow; a session for systems cannot."""
    people = {
        each.id: each for each in shared if each.choices.get("teacher") != "system"
    }  # fmt: skip
    if named is None:
        return [each.id for each in people.values() if each.graph == graph]
    for each in named:
        if each not in people or people[each].graph != graph:
            raise Refusal(404, "unknown_session", "a session that follows must be one of people, "
                          "on this graph")  # fmt: skip
    return list(dict.fromkeys(named))


def _shelved_growth(
    service: Service, graph: str, body: GraphGrowthBody, place: Path
) -> tuple[Growth, Graph]:
    before = service.library.graph(graph)
    after = _grown(service, before, body)
    growth = Growth.between(before, after)
    if growth.is_empty:
        raise InputError("a growth must add nodes or edges, all of these are there")
    check_upload_size(after, service.settings.upload_rows)
    shelved(after, place)
    carry_truth(service.library.place(graph), place)
    return growth, after


def _grown(service: Service, before: Graph, body: GraphGrowthBody) -> Graph:
    if body.added is None:
        given = additions(before, body)
        return grown_by(before, given["edges"], given["nodes"], weights=given["weights"])
    if body.edges or body.nodes:
        raise InputError("a graph grows by edges and nodes or by another graph, got both")
    return with_all_of(before, service.library.graph(body.added))


def _followed(
    connection: Connection, service: Service, person: Person, desks: list[Desk], fresh: str,
    found: tuple[Growth, Graph], facts: dict[str, Any],
) -> dict[str, Any]:  # fmt: skip
    """Record the grown graph, and let the sessions follow."""
    growth, after = found
    for desk in desks:
        if growth.after(desk.session.graph).hash != after.hash:
            raise Refusal(409, "grown_alone", f"session {desk.shared.id} has grown by itself")
        desk.session.dialogue.grow(growth.after(desk.session.graph), person.name)
        choices = desk.shared.choices | {"begun_on": desk.shared.begun_on}
        desk.shared = replace(desk.shared, graph=fresh, choices=choices)
        desk.notes.clear()
        connection.execute(
            update(shared_sessions)
            .where(shared_sessions.c.id == desk.shared.id)
            .values(graph=fresh, choices=json.dumps(choices))
        )
    truth = {"truth": is_truth_kept(service.library.place(fresh))}
    told = {"facts": graph_facts(after) | truth, "hash": after.hash}
    added = service.library.added(connection, person, fresh, facts["name"], told)
    return added | {"words": str(growth), "sessions": [desk.shared.id for desk in desks]}
