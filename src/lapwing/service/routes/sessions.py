"""Addresses of sessions: create, list, show, delete, status, the goal, the audit trail."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict, replace
from typing import Annotated, Any

from fastapi import Query, Response
from sqlalchemy import delete, insert, update

from lapwing.errors import InputError
from lapwing.service.database.tables import leases, shared_sessions
from lapwing.service.database.trail import Deed, deeds
from lapwing.service.http.addresses import addresses
from lapwing.service.http.bodies import GoalBody, SessionBody
from lapwing.service.http.doors import Key, Owner, TheService, Viewer, repeat_of
from lapwing.service.http.session_replies import (
    CertificateReply,
    GoalReply,
    LeadsReply,
    MeasuresReply,
    SessionReply,
    SessionsReply,
    StatusReply,
    TrailReply,
)
from lapwing.service.moments import moment, new_id
from lapwing.service.sessions.costs import asking_costs
from lapwing.service.sessions.names import node_index
from lapwing.service.sessions.shared import Shared
from lapwing.service.sessions.status import status_note
from lapwing.session import Session
from lapwing.session.asking.rounds import Rounds
from lapwing.session.opening.goals import is_search

sessions_router = addresses("sessions")


@sessions_router.get("/sessions", response_model=SessionsReply)
async def list_sessions_of_team(person: Viewer, service: TheService) -> Any:
    """The team's sessions."""
    with service.store.reading() as connection:
        found = service.desks.everything(connection, person.team)
    return {"sessions": [_json(shared) for shared in found]}


@sessions_router.post("/sessions", response_model=SessionReply, status_code=201)
async def create_session(
    body: SessionBody, person: Owner, service: TheService, key: Key = None
) -> Any:
    """Create a session, empty or with known labels."""
    with service.store.reading() as connection:
        service.library.facts(connection, person, body.graph)
    graph = await asyncio.to_thread(service.library.graph, body.graph)
    known = {graph.names[node_index(graph, node)]: label for node, label in body.labels.items()}
    aside = {"graph", "name", "labels", "costs", "forbidden"}
    choices = body.model_dump(exclude=aside, exclude_none=True)
    shared = Shared(new_id(), person.team, body.name, body.graph, choices, moment())
    given: dict[str, Any] = {
        part: choices[part]
        for part in (
            "learner",
            "strategy",
            "seed",
            "audit_share",
            "twice",
            "second_looks",
            "goal",
            "positive",
            "certify",
        )
        if part in choices
    }
    if body.goal != "find" and "target_error" in body.model_fields_set:
        given["target_error"] = body.target_error
    if body.target_recall is not None and body.goal != "find":
        raise InputError("target_recall goes with the goal 'find'")
    if body.target_recall is not None:
        given["target_recall"] = body.target_recall
    if body.use is not None and body.teacher == "system":
        raise InputError("use is for sessions with people")
    if body.use is not None:
        given["parameters"] = {"use": body.use}
    if body.teacher == "system" and body.goal == "find":
        raise InputError("the goal 'find' is for sessions with people")
    given |= asking_costs(graph, body)

    def create(connection: Any) -> dict[str, Any]:
        if body.teacher == "system":
            Rounds.create(
                service.store, shared.id, graph, classes=body.classes, learner=body.learner,
                parameters={} if body.seed is None else {"seed": body.seed},
            )  # fmt: skip
        else:
            begin()
        connection.execute(
            insert(shared_sessions).values(
                id=shared.id, team=shared.team, name=shared.name, graph=shared.graph,
                choices=json.dumps(choices), created=shared.created,
            )
        )  # fmt: skip
        return _json(shared)

    def begin() -> None:
        Session(
            graph, body.classes, name=shared.id, store=service.store, labels=known or None,
            by=person.name, **given,
        )  # fmt: skip

    reply = await service.write(
        create,
        repeat=repeat_of(person, key, "session", body.model_dump()),
        deed=Deed(person, "session", shared.id, {"name": body.name}),
        steps=True,
    )
    await asyncio.to_thread(service.rows, shared)  # begun, so that the first question comes soon
    return reply


@sessions_router.get("/sessions/{session}", response_model=SessionReply)
async def show_session(session: str, person: Viewer, service: TheService) -> Any:
    """One session."""
    return _json((await service.desk(person, session)).shared)


@sessions_router.delete("/sessions/{session}", status_code=204)
async def delete_session(session: str, person: Owner, service: TheService) -> Response:
    """Remove a session and its log for good."""
    desk = await service.desk(person, session)

    def remove(connection: Any) -> None:
        service.store.delete(desk.record)
        service.desks.snapshots.forgotten(connection, session)
        connection.execute(delete(leases).where(leases.c.session == session))
        connection.execute(delete(shared_sessions).where(shared_sessions.c.id == session))
        desk.spoil()

    await service.write(
        remove, held=desk, deed=Deed(person, "delete", session, {"name": desk.shared.name})
    )
    service.desks.forgotten(session)
    return Response(status_code=204)


@sessions_router.get("/sessions/{session}/status", response_model=StatusReply)
async def session_status(session: str, person: Viewer, service: TheService) -> Any:
    """How far a session is: answers, audits, the bound, advice, agreement."""
    desk = await service.desk(person, session)
    return await service.read_noted(desk, lambda held: status_note(desk, held, person.name))


@sessions_router.post("/sessions/{session}/target", response_model=GoalReply)
async def post_target(session: str, body: GoalBody, person: Owner, service: TheService) -> Any:
    """Set the error below which the team wants to stop, or the share to find."""
    desk = await service.desk(person, session)
    given = body.model_dump(exclude_none=True)
    if not given:
        raise InputError("a target must be given: target_error or target_recall")
    if body.target_recall is not None and not is_search(desk.session.header):
        raise InputError("target_recall goes with the goal 'find'")

    def set_goal(connection: Any) -> dict[str, Any]:
        choices = desk.shared.choices | given
        connection.execute(
            update(shared_sessions)
            .where(shared_sessions.c.id == desk.shared.id)
            .values(choices=json.dumps(choices))
        )
        desk.shared = replace(desk.shared, choices=choices)
        desk.notes.pop("status", None)
        error, recall = desk.shared.targets
        return {"target_error": error, "target_recall": recall}

    return await service.write(
        set_goal,
        held=desk,
        deed=Deed(person, "target", session, given),
    )


@sessions_router.get("/sessions/{session}/leads", response_model=LeadsReply)
async def session_leads(
    session: str,
    person: Viewer,
    service: TheService,
    count: Annotated[int, Query(ge=1, le=10_000)] = 100,
) -> Any:
    """The nodes not asked about that are likeliest to be positive, in a session to find them."""
    desk = await service.desk(person, session)

    def read(held: Session) -> dict[str, Any]:
        leads = [
            {"node": str(lead.node), "index": held.graph.names.index(lead.node),
             "probability": lead.probability}
            for lead in held.leads(count)
        ]  # fmt: skip
        return {"leads": leads, "event": held.dialogue.state.n_events}

    return await service.read_aside(desk, read)


@sessions_router.get("/sessions/{session}/measures", response_model=MeasuresReply)
async def class_measures_of(
    session: str, label: Annotated[str, Query(min_length=1)], person: Viewer, service: TheService
) -> Any:
    """Precision and recall of one class, from the audits."""
    desk = await service.desk(person, session)
    return await service.read_aside(desk, lambda held: asdict(held.class_measures(label)))


@sessions_router.get("/sessions/{session}/certificate", response_model=CertificateReply)
async def proof_of_measure(
    session: str,
    person: Viewer,
    service: TheService,
    measure: Annotated[str, Query(min_length=1)] = "error",
    of: Annotated[str, Query(max_length=200)] = "",
    part: Annotated[str, Query(max_length=300)] = "",
) -> Any:
    """What the audits prove: error, class-error, macro-f1, or recall or precision of a class."""
    desk = await service.desk(person, session)
    return await service.read_aside(
        desk, lambda held: asdict(held.certificate(measure, of=of or None, part=part or None))
    )


@sessions_router.get("/trail", response_model=TrailReply)
async def audit_trail(
    person: Owner,
    service: TheService,
    after: Annotated[int, Query(ge=0, lt=2**31)] = 0,
    count: Annotated[int, Query(ge=1, le=10_000)] = 1000,
) -> Any:
    """Who did what in the team, oldest first."""
    with service.store.reading() as connection:
        return {"entries": deeds(connection, person.team, after=after, count=count)}


def _json(shared: Shared) -> dict[str, Any]:
    return {
        "session": shared.id,
        "name": shared.name,
        "graph": shared.graph,
        "created": shared.created,
        "choices": shared.choices,
    }
