"""The audit trail: who did what, when."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.engine import Connection

from lapwing.service.database.tables import trail
from lapwing.service.moments import moment
from lapwing.service.people.person import Person

RECORDED = insert(trail)


@dataclass(frozen=True, slots=True)
class Deed:
    """What a person did, to which session or graph."""

    person: Person
    action: str
    target: str = ""
    detail: Mapping[str, Any] = field(default_factory=dict)


def deed_recorded(connection: Connection, deed: Deed) -> None:
    """Record a deed, in the transaction of what was done."""
    row = {
        "at": moment(),
        "team": deed.person.team,
        "person": deed.person.name,
        "action": deed.action,
        "target": deed.target,
        "detail": json.dumps(dict(deed.detail)),
    }
    connection.execute(RECORDED, row)


def deeds(connection: Connection, team: str, *, after: int, count: int) -> list[dict[str, Any]]:
    """Return what a team's people did after one entry, oldest first."""
    found = connection.execute(
        select(trail)
        .where(trail.c.team == team, trail.c.id > after)
        .order_by(trail.c.id)
        .limit(count)
    )
    return [
        {
            "entry": row.id,
            "at": row.at,
            "by": row.person,
            "action": row.action,
            "target": row.target,
            "detail": json.loads(row.detail),
        }
        for row in found
    ]
