"""Addresses of the log: server-sent events as they happen, resumable by number; all of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Response
from fastapi.responses import StreamingResponse

from lapwing.service.http.doors import Owner, TheService, Viewer
from lapwing.service.service import Service
from lapwing.service.sessions.desks import Desk
from lapwing.session import Event, Kind, exported

events_router = APIRouter(tags=["events"])
STREAM: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}
}
LINES: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}
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


@events_router.get("/sessions/{session}/export", response_class=Response, responses=LINES)
async def export_session(session: str, person: Owner, service: TheService) -> Response:
    """The whole log as JSON Lines, for `lapwing session import`."""
    desk = await service.desk(person, session)
    text = await asyncio.to_thread(exported, service.store, desk.record)
    headers = {"Content-Disposition": 'attachment; filename="session.jsonl"'}
    return Response(text, media_type="application/x-ndjson", headers=headers)
