"""Leases: a question belongs to one person for a while, then it returns to the pool."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from sqlalchemy import bindparam, delete, insert, select
from sqlalchemy.engine import Connection

from lapwing.service.database.tables import leases
from lapwing.service.moments import moment, seconds_of
from lapwing.session import Event, Session

OF_SESSION = select(leases.c.number, leases.c.until).where(leases.c.session == bindparam("shared"))
DROPPED = delete(leases).where(
    leases.c.session == bindparam("shared"), leases.c.number == bindparam("question")
)
KEPT = insert(leases)


def ends(
    connection: Connection, shared: str, asked: Iterable[Event], lease: float
) -> dict[int, float]:
    """Return when the lease of each open question ends, by the question's number.

    A question that was never renewed is leased from the moment it was asked.
    """
    rows = connection.execute(OF_SESSION, {"shared": shared})
    renewed = {int(row.number): float(row.until) for row in rows}
    return {
        event.number: renewed.get(event.number, seconds_of(event.at) + lease) for event in asked
    }


def renewed(
    connection: Connection,
    shared: str,
    session: Session,
    numbers: Iterable[int],
    by: str,
    lease: float,
) -> list[dict[str, Any]]:
    """Extend a person's leases on these questions, and return those that they still hold."""
    mine = {
        event.number: event
        for event in session.dialogue.state.open.values()
        if event.by == by and event.number in set(numbers)
    }
    until = time.time() + lease
    if mine:
        connection.execute(DROPPED, [{"shared": shared, "question": number} for number in mine])
        connection.execute(
            KEPT, [{"session": shared, "number": number, "until": until} for number in mine]
        )
    return [{"question": str(number), "until": moment(until)} for number in mine]


def expired_released(
    connection: Connection, shared: str, session: Session, by: str, lease: float
) -> None:
    """Return the questions to the pool whose lease has ended; a person's own are theirs still."""
    dialogue, now = session.dialogue, time.time()
    others = [event for event in dialogue.state.open.values() if event.by != by]
    if not others:
        return
    until = ends(connection, shared, others, lease)
    for event in others:
        if until[event.number] <= now and event.node is not None:
            dialogue.release(event.node, event.by)
    connection.execute(delete(leases).where(leases.c.session == shared, leases.c.until <= now))


def holders(session: Session, until: dict[int, float], by: str) -> list[dict[str, Any]]:
    """Return who else holds which node, and until when."""
    names = session.graph.names
    return [
        {"node": str(names[event.node]), "index": event.node, "by": event.by,
         "until": moment(until[event.number])}
        for event in session.dialogue.state.open.values()
        if event.by != by and event.node is not None and event.number in until
    ]  # fmt: skip
