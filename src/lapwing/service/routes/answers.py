"""Addresses of the dialogue: next, ask, labels, skip, undo, withdraw, leases, answers."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import Query, Response
from fastapi.responses import JSONResponse

from lapwing.io import table_text
from lapwing.service.database.trail import Deed
from lapwing.service.http.addresses import addresses
from lapwing.service.http.bodies import AnswersBody, LeasesBody, NodeBody, NodesBody, SkipBody
from lapwing.service.http.doors import Annotator, Key, TheService, Viewer, repeat_of
from lapwing.service.http.question_replies import (
    AnswersReply,
    LabelsReply,
    LeasesReply,
    NextReply,
    QuestionReply,
    SkipReply,
    UndoReply,
    WithdrawReply,
)
from lapwing.service.people.leases import renewed
from lapwing.service.sessions.answering import (
    answers_recorded,
    asked,
    asked_about,
    released,
    skipped,
    undone,
    withdrawn,
)
from lapwing.service.sessions.notes import Note
from lapwing.service.sessions.questions import question_noted
from lapwing.service.sessions.status import advice_json, status_note
from lapwing.session import Session

answers_router = addresses("answers")


@answers_router.get("/sessions/{session}/next", response_model=NextReply)
async def next_questions(
    session: str, person: Annotator, service: TheService, k: Annotated[int, Query(ge=1, le=100)] = 1
) -> Any:
    """Up to `k` questions, leased to this person, and what others hold."""
    desk = await service.desk(person, session)
    await service.learned(desk)
    told = await service.write(
        lambda connection: asked(connection, desk, person.name, k, service.settings.lease),
        held=desk,
    )

    def look(held: Session) -> dict[str, Any]:
        numbers = told["numbers"]
        mine = [
            event for event in held.dialogue.state.open.values()
            if event.by == person.name and str(event.node) in numbers
        ]  # fmt: skip
        return {
            "questions": [
                question_noted(desk, held, event, numbers[str(event.node)]) for event in mine
            ],
            "held": told["held"],
            "advice": advice_json(desk, held, person.name),
        }

    return await service.read_aside(desk, look)


@answers_router.post("/sessions/{session}/ask", response_model=QuestionReply)
async def ask_about(session: str, body: NodeBody, person: Annotator, service: TheService) -> Any:
    """The question about one node; never an audit, since it was not drawn at random."""
    desk = await service.desk(person, session)
    await service.learned(desk)
    index, until = await service.write(
        lambda connection: asked_about(connection, desk, person.name, body, service.settings.lease),
        held=desk,
    )

    def look(held: Session) -> dict[str, Any]:
        return question_noted(desk, held, held.dialogue.state.open[index], until)

    return await service.read_aside(desk, look)


@answers_router.post("/sessions/{session}/labels", response_model=LabelsReply)
async def post_labels(
    session: str,
    body: AnswersBody,
    person: Annotator,
    service: TheService,
    key: Key = None,
    status: Annotated[bool, Query(description="Also return the status.")] = False,
) -> Any:
    """Record answers. The reply is sent when they are on disk."""
    desk = await service.desk(person, session)
    answers = [(each.node, each.label) for each in body.answers]
    reply = await service.write(
        lambda _: answers_recorded(desk, person.name, answers, known=body.known),
        held=desk,
        repeat=repeat_of(person, key, session, "labels", answers),
        deed=Deed(person, "labels", session, {"answers": len(answers)}),
    )
    if status:
        reply = dict(reply)
        reply["status"] = await service.read_noted(
            desk, lambda held: status_note(desk, held, person.name)
        )
    return JSONResponse(reply)


@answers_router.post("/sessions/{session}/skip", response_model=SkipReply)
async def post_skip(
    session: str, body: SkipBody, person: Annotator, service: TheService, key: Key = None
) -> Any:
    """Do not ask this person about a node again."""
    desk = await service.desk(person, session)
    return await service.write(
        lambda _: skipped(desk, person.name, body.node),
        held=desk,
        repeat=repeat_of(person, key, session, "skip", body.node),
        deed=Deed(person, "skip", session, {"node": body.node, "unsure": body.unsure}),
    )


@answers_router.post("/sessions/{session}/undo", response_model=UndoReply)
async def post_undo(session: str, person: Annotator, service: TheService, key: Key = None) -> Any:
    """Take back this person's latest answer."""
    desk = await service.desk(person, session)
    return await service.write(
        lambda _: undone(desk, person.name),
        held=desk,
        repeat=repeat_of(person, key, session, "undo"),
        deed=Deed(person, "undo", session),
    )


@answers_router.post("/sessions/{session}/withdraw", response_model=WithdrawReply)
async def post_withdraw(
    session: str, body: NodesBody, person: Annotator, service: TheService, key: Key = None
) -> Any:
    """Take back this person's answers on these nodes."""
    desk = await service.desk(person, session)
    return await service.write(
        lambda _: withdrawn(desk, person.name, body.nodes),
        held=desk,
        repeat=repeat_of(person, key, session, "withdraw", body.nodes),
        deed=Deed(person, "withdraw", session, {"nodes": len(body.nodes)}),
    )


@answers_router.post("/sessions/{session}/release", response_model=SkipReply)
async def post_release(
    session: str, body: NodeBody, person: Annotator, service: TheService, key: Key = None
) -> Any:
    """Give a question back, so that it can be put to anybody."""
    desk = await service.desk(person, session)
    return await service.write(
        lambda _: released(desk, person.name, body.node),
        held=desk,
        repeat=repeat_of(person, key, session, "release", body.node),
    )


@answers_router.post("/sessions/{session}/leases", response_model=LeasesReply)
async def renew_leases(
    session: str, body: LeasesBody, person: Annotator, service: TheService
) -> Any:
    """Keep questions a while longer."""
    desk = await service.desk(person, session)
    numbers = [int(each) for each in body.questions]

    def renew(connection: Any) -> dict[str, Any]:
        lease, shared = service.settings.lease, desk.shared.id
        return {"leases": renewed(connection, shared, desk.session, numbers, person.name, lease)}

    return await service.write(renew, held=desk)


@answers_router.get("/sessions/{session}/answers", response_model=AnswersReply)
async def list_answers(session: str, person: Viewer, service: TheService) -> Any:
    """Every answer that stands: who, what, when."""
    desk = await service.desk(person, session)

    def note(held: Session) -> Note[bytes]:
        return Note("answers", held.dialogue.state.n_events, None, lambda: _answers_json(held))

    return Response(await service.read_noted(desk, note), media_type="application/json")


@answers_router.get(
    "/sessions/{session}/labels",
    response_class=Response,
    responses={200: {"content": {"text/csv": {"schema": {"type": "string"}}}}},
)
async def labels_table(session: str, person: Viewer, service: TheService) -> Response:
    """The label of each node that has one, as CSV."""
    desk = await service.desk(person, session)
    text = await service.read_aside(desk, _labels_csv)
    return Response(text, media_type="text/csv; charset=utf-8")


def _answers_json(held: Session) -> bytes:
    answers = [
        {
            "node": str(each.node),
            "index": held.graph.names.index(each.node),
            "label": each.label,
            "by": each.by,
            "at": each.at,
        }
        for each in held.answers()
    ]
    return json.dumps({"answers": answers}, separators=(",", ":")).encode()


def _labels_csv(held: Session) -> str:
    labels = held.labels()
    return table_text({"node": [str(n) for n in labels], "label": list(labels.values())}, "csv")
