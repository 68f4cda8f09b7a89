"""Addresses of the log: events as they happen, and all of it."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Response
from fastapi.responses import StreamingResponse

from lapwing.service.http.doors import Owner, TheService, Viewer
from lapwing.service.sessions.events import event_stream
from lapwing.session import exported

events_router = APIRouter(tags=["events"])
STREAM: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}
}
LINES: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}
}


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


@events_router.get("/sessions/{session}/export", response_class=Response, responses=LINES)
async def export_session(session: str, person: Owner, service: TheService) -> Response:
    """The whole log as JSON Lines, for `lapwing session import`."""
    desk = await service.desk(person, session)
    text = await asyncio.to_thread(exported, service.store, desk.record)
    headers = {"Content-Disposition": 'attachment; filename="session.jsonl"'}
    return Response(text, media_type="application/x-ndjson", headers=headers)
