"""Addresses for systems: predict now, feedback later; and yes or no from people."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Any

from lapwing.errors import InputError
from lapwing.service.http.addresses import addresses
from lapwing.service.http.bodies import FeedbackBody, NodeBody
from lapwing.service.http.doors import Annotator, Key, TheService, Viewer, repeat_of
from lapwing.service.http.question_replies import FeedbackReply, RegretReply, RoundReply
from lapwing.service.sessions.answering import answers_recorded
from lapwing.service.sessions.desks import Desk
from lapwing.service.sessions.names import node_index
from lapwing.service.sessions.questions import hides_guess
from lapwing.types import UNKNOWN

rounds_router = addresses("systems")


@rounds_router.post("/sessions/{session}/predict", response_model=RoundReply)
async def post_predict(
    session: str, body: NodeBody, person: Annotator, service: TheService, key: Key = None
) -> Any:
    """Guess a node's class and open a round for its feedback."""
    desk = await service.desk(person, session)

    def guess(_: Any) -> dict[str, Any]:
        rounds = desk.rounds
        made = rounds.guess(node_index(rounds.graph, body.node), person.name)
        return {
            "round": made.number,
            "node": str(rounds.graph.names[made.node]),
            "guess": rounds.classes[made.guess],
            "explored": made.explored,
        }

    return await service.write(
        guess, held=desk, repeat=repeat_of(person, key, session, "predict", body.node)
    )


@rounds_router.post("/sessions/{session}/feedback", response_model=FeedbackReply)
async def post_feedback(
    session: str, body: FeedbackBody, person: Annotator, service: TheService, key: Key = None
) -> Any:
    """Say whether the guess of a round (systems) or of a question (people) was right."""
    desk = await service.desk(person, session)
    if (body.round is None) == (body.question is None):
        raise InputError("give either a round or a question")

    def hear(_: Any) -> dict[str, Any]:
        if body.question is not None:
            return {"event": said_yes_or_no(desk, person.name, int(body.question), body.correct)}
        rounds = desk.rounds
        rounds.feedback(int(body.round or 0), body.correct, person.name)
        return {"event": rounds.n_events}

    said = body.model_dump()
    return await service.write(
        hear, held=desk, repeat=repeat_of(person, key, session, "feedback", said)
    )


@rounds_router.get("/sessions/{session}/rounds", response_model=RegretReply)
async def session_rounds(session: str, person: Viewer, service: TheService) -> Any:
    """Rounds, exploration and regret of a session for systems."""
    desk = await service.desk(person, session)

    def look() -> dict[str, Any]:
        desk.acquire()
        try:
            if desk.others_write:
                desk.catch_up()
            return asdict(desk.rounds.regret()) | {"event": desk.rounds.n_events}
        finally:
            desk.release()

    return await asyncio.to_thread(look)


def said_yes_or_no(desk: Desk, by: str, question: int, correct: bool) -> int:
    """Record the guess of a question, or the other of two classes, as a person's answer."""
    session = desk.session
    events = session.dialogue.state.open.values()
    found = next((each for each in events if each.number == question and each.by == by), None)
    if found is None or found.node is None:
        raise InputError(f"question must be open for {by!r}, got {question}")
    guess = int(found.detail.get("guess", UNKNOWN))
    if guess == UNKNOWN or hides_guess(found):
        raise InputError("this question showed no guess: answer it with a label")
    label = session.classes[guess]
    if not correct:
        others = [name for name in session.classes if name != label]
        if len(others) != 1:
            raise InputError("no is an answer with two classes only: answer it with a label")
        (label,) = others
    node = str(session.graph.names[found.node])
    saved = answers_recorded(desk, by, [(node, label)])["saved"]
    return int(saved[0]["event"])
