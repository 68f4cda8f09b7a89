"""What a database says when it fails, as one sentence of ours."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from lapwing.session.store.logs import StoreError

WAIT = 5
"""Seconds to wait for a lock that another program holds."""

_SENTENCES = (
    ("is full", "there is no space left to write {where}; nothing was recorded"),
    ("disk i/o", "{where} cannot be written ({reason}; is the disk full?); nothing was recorded"),
    ("locked", f"another program has held {{where}} locked for over {WAIT} seconds; try again"),
    ("readonly", "{where} must be writable, it is not"),
    ("unable to open", "{where} cannot be opened: its folder must exist and be writable"),
    ("not a database", "{where} cannot be used as a database: {reason}"),
    ("malformed", "{where} is damaged: {reason}; bring it back from a copy"),
)


@contextmanager
def in_our_words(where: str) -> Iterator[None]:
    """Turn a database's error into a `StoreError` that says what to do; keep conflicts as such."""
    try:
        yield
    except IntegrityError:
        raise
    except (SQLAlchemyError, sqlite3.Error, OSError, UnicodeDecodeError) as wrong:
        raise StoreError(sentence(where, wrong)) from None


def sentence(where: str, wrong: Exception) -> str:
    """What went wrong with a database, for a person.

    Examples
    --------
    >>> sentence("labels.db", sqlite3.OperationalError("database or disk is full"))
    'there is no space left to write labels.db; nothing was recorded'
    >>> sentence("labels.db", sqlite3.OperationalError("no such column: x"))
    'labels.db cannot be used as a database: no such column: x'
    """
    said = str(getattr(wrong, "orig", None) or wrong)
    reason = said.splitlines()[0] if said else type(wrong).__name__
    for sign, text in _SENTENCES:
        if sign in reason.lower():
            return text.format(where=where, reason=reason)
    return f"{where} cannot be used as a database: {reason}"
