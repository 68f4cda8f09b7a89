"""Addresses of personal requests: one node's question, answers taken back, a goal, nodes."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query

from lapwing.service.database.trail import Deed
from lapwing.service.http.bodies import GoalBody, NodeBody, NodesBody
from lapwing.service.http.doors import Annotator, Key, Owner, TheService, Viewer, repeat_of
from lapwing.service.http.replies import GoalReply, NodesReply, QuestionReply, WithdrawReply
from lapwing.service.sessions.personal_requests import asked_about, goal_set, nodes_json, withdrawn
from lapwing.service.sessions.questions import question_json
from lapwing.session import Session

personal_requests_router = APIRouter(tags=["answers"])
MOST_NODES = 200


@personal_requests_router.post("/sessions/{session}/ask", response_model=QuestionReply)
async def ask_about(session: str, body: NodeBody, person: Annotator, service: TheService) -> Any:
    """The question about one node; never an audit, since it was not drawn at random."""
    desk = await service.desk(person, session)
    index, until = await service.write(
        lambda connection: asked_about(
            connection, desk, person.name, body.node, service.settings.lease
        ),
        held=desk,
    )

    def look(held: Session) -> dict[str, Any]:
        return question_json(held, held.dialogue.state.open[index], until)

    return await service.read_aside(desk, look)


@personal_requests_router.post("/sessions/{session}/withdraw", response_model=WithdrawReply)
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


@personal_requests_router.post("/sessions/{session}/target", response_model=GoalReply)
async def post_target(session: str, body: GoalBody, person: Owner, service: TheService) -> Any:
    """Set the error below which the team wants to stop."""
    desk = await service.desk(person, session)
    return await service.write(
        lambda connection: goal_set(connection, desk, body.target_error),
        held=desk,
        deed=Deed(person, "target", session, {"target_error": body.target_error}),
    )


@personal_requests_router.get("/graphs/{graph}/nodes", response_model=NodesReply, tags=["graphs"])
async def graph_nodes(
    graph: str,
    person: Viewer,
    service: TheService,
    index: Annotated[str, Query(pattern=r"^\d{1,12}(,\d{1,12})*$", max_length=4000)],
) -> Any:
    """Names and attributes of up to 200 nodes, by their numbers separated by commas."""
    with service.store.reading() as connection:
        service.library.facts(connection, person, graph)
    held = await asyncio.to_thread(service.library.graph, graph)
    wanted = [int(each) for each in index.split(",")][:MOST_NODES]
    return {"nodes": nodes_json(held, wanted)}
