"""Tokens: made once, shown once, kept as digests."""

from __future__ import annotations

import hashlib
import secrets
from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.engine import Connection

from lapwing.checks import plain_text
from lapwing.errors import InputError
from lapwing.service.database.tables import tokens
from lapwing.service.moments import moment, new_id
from lapwing.service.people.person import Person, Role

PREFIX = "lw_"
TEAM = "main"
"""The team unless another is named; also the one of a service without tokens."""


def created_token(
    connection: Connection, person: str, role: Role, team: str = TEAM
) -> tuple[str, str]:
    """Make a token and return its id and its text, which is stored nowhere.

    A token has 256 random bits, so one round of SHA-256 keeps it as safe as a slow hash would.
    """
    secret = PREFIX + secrets.token_urlsafe(32)
    row = {
        "id": new_id()[:12],
        "digest": token_digest(secret),
        "team": _name("team", team),
        "person": _name("person", person),
        "role": role.name,
        "created": moment(),
    }
    connection.execute(insert(tokens).values(**row))
    return row["id"], secret


def listed_tokens(connection: Connection) -> list[dict[str, Any]]:
    """Return every token without its digest, oldest first."""
    shown = (tokens.c.id, tokens.c.team, tokens.c.person, tokens.c.role, tokens.c.created,
             tokens.c.revoked)  # fmt: skip
    found = connection.execute(select(*shown).order_by(tokens.c.created, tokens.c.id))
    return [dict(row._mapping) for row in found]


def revoked_token(connection: Connection, token: str) -> None:
    """Revoke a token by its id."""
    done = connection.execute(
        update(tokens)
        .where(tokens.c.id == token, tokens.c.revoked.is_(None))
        .values(revoked=moment())
    )
    if done.rowcount != 1:
        raise InputError(f"no token in force has the id {token!r}")


def person_of(connection: Connection, secret: str) -> Person | None:
    """Return the person with this token; None if there is none, or it was revoked."""
    row = connection.execute(
        select(tokens).where(tokens.c.digest == token_digest(secret), tokens.c.revoked.is_(None))
    ).first()
    return None if row is None else Person(row.team, row.person, Role[row.role], row.id)


def any_token(connection: Connection) -> bool:
    """Whether a token is in force."""
    return (
        connection.execute(select(tokens.c.id).where(tokens.c.revoked.is_(None))).first()
        is not None
    )


def token_digest(secret: str) -> str:
    """Return what is kept of a token.

    Examples
    --------
    >>> token_digest("lw_example")[:8]
    'fc7b2ce5'
    """
    return hashlib.sha256(secret.encode()).hexdigest()


def _name(what: str, text: str) -> str:
    name = plain_text(what, text)
    if len(name) > 100:
        raise InputError(f"{what} must have at most 100 characters, got {len(name)}")
    return name
