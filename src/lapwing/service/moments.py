"""Times as text, and identifiers that cannot be guessed."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime


def moment(seconds: float | None = None) -> str:
    """Return a time in UTC as text; now unless seconds since 1970 are given.

    Examples
    --------
    >>> moment(0.5)
    '1970-01-01T00:00:00.500Z'
    """
    when = datetime.now(UTC) if seconds is None else datetime.fromtimestamp(seconds, UTC)
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def seconds_of(text: str) -> float:
    """Return a time written by `moment` as seconds since 1970.

    Examples
    --------
    >>> seconds_of("1970-01-01T00:00:00.500Z")
    0.5
    """
    return datetime.fromisoformat(text).timestamp()


def new_id() -> str:
    """Return 128 random bits as text.

    Examples
    --------
    >>> len(new_id()), new_id() == new_id()
    (32, False)
    """
    return secrets.token_hex(16)
