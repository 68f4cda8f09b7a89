"""Repeated requests: the same key changes nothing and returns the same reply."""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import bindparam, delete, insert, select
from sqlalchemy.engine import Connection

from lapwing.service.database.tables import replies
from lapwing.service.problems import Refusal

EARLIER = select(replies.c.fingerprint, replies.c.body).where(
    replies.c.scope == bindparam("scope"), replies.c.key == bindparam("key")
)
KEPT = insert(replies)


@dataclass(frozen=True, slots=True)
class Repeat:
    """What makes two requests the same: who sent it, its key, and a digest of what it asks."""

    scope: str
    key: str
    fingerprint: str


def fingerprint(*parts: object) -> str:
    """Return a digest of a request.

    Examples
    --------
    >>> fingerprint("POST", "/v1/x", b"1") == fingerprint("POST", "/v1/x", b"2")
    False
    """
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def earlier_reply(connection: Connection, repeat: Repeat) -> Any:
    """Return the reply that was given to this key before; None if it is new.

    It is kept in the transaction that recorded the answer, so it is there exactly if the answer is.
    """
    row = connection.execute(EARLIER, {"scope": repeat.scope, "key": repeat.key}).first()
    if row is None:
        return None
    if row.fingerprint != repeat.fingerprint:
        raise Refusal(422, "key_reused", "this Idempotency-Key was used for another request")
    return json.loads(row.body)


def kept_reply(connection: Connection, repeat: Repeat, reply: Any) -> None:
    """Keep a reply, in the transaction of what it acknowledges."""
    row = asdict(repeat) | {"body": json.dumps(reply), "at": time.time()}
    connection.execute(KEPT, row)


def forgotten_replies(connection: Connection, before: float) -> int:
    """Remove replies older than a time and return their number."""
    return connection.execute(delete(replies).where(replies.c.at < before)).rowcount
