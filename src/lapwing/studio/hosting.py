"""Give a graph to the service, and find or make its session there."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.engine import Connection

from lapwing.data import Dataset
from lapwing.graph import Graph
from lapwing.service.database.tables import graphs, shared_sessions
from lapwing.service.graphs.facts import graph_facts
from lapwing.service.graphs.shelf import shelved
from lapwing.service.graphs.truth import is_truth_kept, keep_truth
from lapwing.service.moments import moment, new_id
from lapwing.service.operation.settings import ServiceSettings
from lapwing.service.people.person import Person, Role
from lapwing.service.people.tokens import TEAM
from lapwing.service.service import Service
from lapwing.service.sessions.shared import Shared
from lapwing.session import Session

ME = Person(TEAM, "me", Role.owner)


@dataclass(frozen=True, slots=True)
class Wish:
    """A session to show: its graph, name, classes, labels known beforehand, and the truth.

    `aims` are arguments of `Session` that say what it is for: `target_error`, `goal` and `positive`
    or `certify`; and `target_recall`.
    """

    graph: Graph
    name: str
    classes: Sequence[str] = ()
    labels: Mapping[Any, str] | None = None
    truth: Dataset | None = None
    aims: Mapping[str, Any] = field(default_factory=dict)


def hosted_session(settings: ServiceSettings, wish: Wish) -> str:
    """Return the id of the session with that name on that graph; make both if they are missing."""
    service = Service(settings)
    try:
        return asyncio.run(_hosted(service, wish))
    finally:
        service.close()


def adopted_session(settings: ServiceSettings, name: str) -> str:
    """Return the id of a session that is in the database, made known to the service if need be."""
    service = Service(settings)
    try:
        with service.store.reading() as connection:
            known = connection.execute(
                select(shared_sessions).where(shared_sessions.c.id == name)
            ).first()
        if known is None:
            asyncio.run(_adopted(service, Session.open(service.store, name), name))
        return name
    finally:
        service.close()


async def _adopted(service: Service, session: Session, name: str) -> None:
    """Put the session's graph on the shelf and the session among those of the service."""
    graph = new_id()
    shelved(session.graph, service.library.place(graph))
    told = {"facts": graph_facts(session.graph), "hash": session.graph.hash}
    choices = {"classes": session.classes, "target_error": session.target_error, "twice": 0.0}

    def adopt(connection: Connection) -> None:
        service.library.added(connection, ME, graph, name, told)
        connection.execute(
            insert(shared_sessions).values(
                id=name, team=TEAM, name=name, graph=graph, choices=json.dumps(choices),
                created=moment(),
            )
        )  # fmt: skip

    await service.write(adopt)


async def _hosted(service: Service, wish: Wish) -> str:
    with service.store.reading() as connection:
        graph = _graph_id(connection, wish.graph)
        known = None if graph is None else _session_id(connection, graph, wish.name)
    if known is not None:
        return known
    if graph is None:
        graph = new_id()
        folder = service.library.place(graph)
        shelved(wish.graph, folder)
        if wish.truth is not None:
            keep_truth(folder, wish.truth.labels, list(map(str, wish.truth.classes)))
        facts, place = graph_facts(wish.graph) | {"truth": is_truth_kept(folder)}, graph
        told = {"facts": facts, "hash": wish.graph.hash}
        await service.write(lambda c: service.library.added(c, ME, place, wish.name, told))
    return await _made(service, graph, wish)


async def _made(service: Service, graph: str, wish: Wish) -> str:
    choices = {"classes": list(wish.classes), "target_error": 0.1, "twice": 0.0, **wish.aims}
    shared = Shared(new_id(), TEAM, wish.name, graph, choices, moment())
    held = service.library.graph(graph)

    def make(connection: Connection) -> str:
        labels = dict(wish.labels) if wish.labels else None
        Session(
            held, wish.classes, name=shared.id, store=service.store, labels=labels, by="me",
            **wish.aims,
        )  # fmt: skip
        connection.execute(
            insert(shared_sessions).values(
                id=shared.id, team=shared.team, name=shared.name, graph=graph,
                choices=json.dumps(choices), created=shared.created,
            )
        )  # fmt: skip
        return shared.id

    made: str = await service.write(make)
    return made


def _graph_id(connection: Connection, graph: Graph) -> str | None:
    """Return the id of a graph with the same nodes, edges and columns, if the service has one."""
    facts = graph_facts(graph)
    for row in connection.execute(select(graphs).where(graphs.c.team == TEAM)):
        held = json.loads(row.facts)
        if held.get("hash") == graph.hash and held["columns"] == facts["columns"]:
            return str(row.id)
    return None


def _session_id(connection: Connection, graph: str, name: str) -> str | None:
    row = connection.execute(
        select(shared_sessions).where(
            shared_sessions.c.graph == graph,
            shared_sessions.c.name == name,
            shared_sessions.c.team == TEAM,
        )
    ).first()
    return None if row is None else str(row.id)
