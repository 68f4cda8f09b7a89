"""Addresses of doubts: answers that look wrong, and what people mix up."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import Query

from lapwing.service.http.addresses import addresses
from lapwing.service.http.doors import Annotator, TheService
from lapwing.service.http.doubt_replies import OddAnswersReply, PeopleReply
from lapwing.service.service import Service
from lapwing.service.sessions.desks import Desk
from lapwing.service.sessions.notes import Note
from lapwing.session import Session
from lapwing.session.reading.odd_answers import LIKELY, SecondOpinion

doubts_router = addresses("doubts")


@doubts_router.get("/sessions/{session}/odd", response_model=OddAnswersReply)
async def odd_answers_of(
    session: str,
    person: Annotator,
    service: TheService,
    least: Annotated[float, Query(ge=0, le=1)] = LIKELY,
) -> Any:
    """The answers that look wrong, the likeliest first: worth a second look."""
    opinion, event = await _opinion(service, await service.desk(person, session))
    found = await asyncio.to_thread(opinion.odd_answers, least)
    odd = [{**asdict(each), "node": str(each.node), "by": list(each.by)} for each in found]
    return {"odd": odd, "event": event}


@doubts_router.get("/sessions/{session}/people", response_model=PeopleReply)
async def people_of(session: str, person: Annotator, service: TheService) -> Any:
    """How often each person is right, and which classes they mix up."""
    opinion, event = await _opinion(service, await service.desk(person, session))
    found = await asyncio.to_thread(opinion.people_errors)
    people = [{"by": name, **asdict(each)} for name, each in found.items()]
    return {"people": people, "event": event}


async def _opinion(service: Service, desk: Desk) -> tuple[SecondOpinion, int]:
    """A second opinion and the last event it rests on; one is kept until the next event."""

    def look(held: Session) -> tuple[SecondOpinion, int]:
        event = held.dialogue.state.n_events
        note = Note("second opinion", event, "", lambda: SecondOpinion(held.dialogue))
        return desk.notes.of(note), event

    return await service.read_aside(desk, look, learned=True)
