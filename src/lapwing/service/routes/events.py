"""Addresses of the log: server-sent events as they happen, resumable by number; all of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Literal

from fastapi import Header, Query, Response
from fastapi.responses import StreamingResponse

from lapwing.io import write_graph
from lapwing.service.http.addresses import addresses
from lapwing.service.http.doors import Owner, TheService, Viewer
from lapwing.service.service import Service
from lapwing.service.sessions.desks import Desk
from lapwing.session import Event, Kind, Session, exported

events_router = addresses("events")
STREAM: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}
}
FILES: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {
            kind: {"schema": {"type": "string"}}
            for kind in ("application/x-ndjson", "application/graphml+xml")
        }
    }
}
NAMES = {
    Kind.TOLD: "labels",
    Kind.CORRECTED: "labels",
    Kind.WITHDRAWN: "withdraw",
    Kind.SKIPPED: "skip",
    Kind.CLASS: "class",
    Kind.ASKED: "lease",
    Kind.RELEASED: "lease",
    Kind.GROWN: "grow",
}
QUIET = 15.0
"""Seconds without an event after which a comment keeps the connection open."""
LOOK = 1.0
"""Seconds after which the log is looked at again where other processes write, too."""


@events_router.get("/sessions/{session}/events", response_class=StreamingResponse, responses=STREAM)
async def session_events(
    session: str,
    person: Viewer,
    service: TheService,
    last: Annotated[str | None, Header(alias="Last-Event-ID", pattern="^[0-9]{1,15}$")] = None,
    after: Annotated[int | None, Query(ge=0, lt=2**31)] = None,
) -> Response:
    """Events as they happen; `Last-Event-ID` or `after` resumes after an event."""
    desk = await service.desk(person, session)
    start = int(last) if last is not None else after
    if start is None:
        start = await service.read(desk, lambda held: held.dialogue.state.n_events)
    return StreamingResponse(
        event_stream(service, desk, start), media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )  # fmt: skip


async def event_stream(service: Service, desk: Desk, after: int) -> AsyncIterator[str]:
    """Yield what happened after one event, then what happens, until the client goes."""
    quiet = 0.0
    with desk.listening() as news:
        yield ": connected\n\n"
        while not service.closing:
            news.clear()
            fresh = await asyncio.to_thread(_events_after, service, desk, after)
            for event in fresh:
                yield event_text(desk, event)
                after = event.number
            quiet = 0.0 if fresh else quiet
            pause = LOOK if desk.others_write else min(QUIET - quiet, 2.0)
            try:
                await asyncio.wait_for(news.wait(), max(pause, 0.05))
            except TimeoutError:
                quiet += pause
            if quiet >= QUIET:
                quiet = 0.0
                yield ": still here\n\n"


def _events_after(service: Service, desk: Desk, after: int) -> list[Event]:
    return service.store.events(desk.record, after=after)


def event_text(desk: Desk, event: Event) -> str:
    """Return one event; it says nothing of what the learner thought."""
    name = NAMES.get(event.kind, str(event.kind.value))
    return f"id: {event.number}\nevent: {name}\ndata: {json.dumps(event_json(desk, event))}\n\n"


def event_json(desk: Desk, event: Event) -> dict[str, Any]:
    """Return an event with names in place of indices."""
    session = desk.session
    names, classes = session.graph.names, session.dialogue.classes
    known = event.label is not None and event.label < len(classes)
    return {
        "number": event.number,
        "kind": event.kind.value,
        "by": event.by,
        "at": event.at,
        "node": None if event.node is None else str(names[event.node]),
        "index": event.node,
        "label": classes[event.label]
        if known and event.label is not None
        else event.detail.get("name"),
    }


@events_router.get("/sessions/{session}/export", response_class=Response, responses=FILES)
async def export_session(
    session: str,
    person: Owner,
    service: TheService,
    format: Annotated[
        Literal["jsonl", "graphml"],
        Query(description="The log as JSON Lines, or the graph with labels as GraphML."),
    ] = "jsonl",
) -> Response:
    """The whole log, for `lapwing session import`; or the graph with every label, for other tools.

    In GraphML each node has `lapwing_label`, `lapwing_confidence` and `lapwing_asked` (whether
    people gave the label) beside its own attributes.
    """
    desk = await service.desk(person, session)
    if format == "graphml":
        content = await service.read_aside(desk, labelled_graphml, learned=True)
        kind = "application/graphml+xml"
    else:
        content = await asyncio.to_thread(exported, service.store, desk.record)
        kind = "application/x-ndjson"
    headers = {"Content-Disposition": f'attachment; filename="session.{format}"'}
    return Response(content, media_type=kind, headers=headers)


def labelled_graphml(session: Session) -> str:
    """Return a session's graph with its labels and predictions as GraphML.

    Examples
    --------
    >>> from lapwing.graph import Graph
    >>> session = Session(Graph.from_edges([("ada", "bo")]), labels={"ada": "red"})
    >>> labelled_graphml(session).count(">red</data>")
    2
    """
    found, graph = session.predictions().columns, session.graph
    columns = dict(graph.node_table.items()) | {
        "lapwing_label": found["label"],
        "lapwing_confidence": found["confidence"],
        "lapwing_asked": found["asked"],
    }
    with TemporaryDirectory() as folder:
        file = Path(folder) / "session.graphml"
        write_graph(graph.with_node_table(columns), file)
        return file.read_text(encoding="utf-8")
