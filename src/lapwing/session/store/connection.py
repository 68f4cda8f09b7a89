"""The connection to a database: its address, its settings, and its failures as one sentence."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, event
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.pool import StaticPool

from lapwing.optional import need
from lapwing.session.store.logs import StoreError

WAIT = 5
"""Seconds to wait for a lock that another program holds, and for a server to answer."""

_SENTENCES = (
    ("is full", "there is no space left to write {where}; nothing was recorded"),
    ("no space left", "there is no space left to write {where}; nothing was recorded"),
    ("disk i/o", "{where} cannot be written ({reason}; is the disk full?); nothing was recorded"),
    ("locked", f"another program has held {{where}} locked for over {WAIT} seconds; try again"),
    ("readonly", "{where} must be writable, but it is read-only"),
    ("unable to open", "{where} cannot be opened: its folder must exist and be writable"),
    ("permission denied", "{where} cannot be opened: its folder must exist and be writable"),
    ("not a database", "{where} cannot be used as a database: {reason}"),
    ("malformed", "{where} is damaged: {reason}; restore it from a backup"),
)


def address(where: str | Path) -> URL:
    """The database's address: a file is SQLite, PostgreSQL is reached with psycopg."""
    try:
        url = make_url(str(where)) if "://" in str(where) else URL.create(
            "sqlite", database=str(where)
        )  # fmt: skip
    except ArgumentError:
        raise StoreError(f"{str(where)!r} must be a file or a database's address") from None
    if url.drivername in ("postgresql", "postgresql+psycopg"):
        need("psycopg", extra="postgres")
        url = url.set(drivername="postgresql+psycopg")
    return url


def engine_at(url: URL, *, checkpoint: int = 1) -> Engine:
    """An engine whose commits are on disk when they return.

    SQLite moves its ``-wal`` file into the database once it has `checkpoint` pages.
    """
    if url.get_backend_name() != "sqlite":
        try:
            waiting = {"connect_timeout": WAIT} if url.get_backend_name() == "postgresql" else {}
            return create_engine(url, pool_pre_ping=True, connect_args=waiting)
        except ImportError as missing:
            raise StoreError(f"{url.drivername} databases cannot be used: {missing}") from None
    if url.database in (None, "", ":memory:"):
        once = {"check_same_thread": False}
        engine = create_engine(url, poolclass=StaticPool, connect_args=once)
    else:
        engine = create_engine(url)
    event.listen(engine, "connect", partial(_durable, checkpoint))
    event.listen(engine, "begin", _begun)
    return engine


def _durable(checkpoint: int, connection: Any, _: Any) -> None:
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in (
        f"busy_timeout={1000 * WAIT}",
        "journal_mode=WAL",
        "synchronous=FULL",
        f"wal_autocheckpoint={checkpoint}",
        "foreign_keys=ON",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begun(connection: Connection) -> None:
    """Writers wait for each other at the beginning; readers wait for nobody."""
    reading = connection.get_execution_options().get("reading", False)
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")


@contextmanager
def in_our_words(where: str) -> Iterator[None]:
    """Turn a database's error into a `StoreError` that says what to do; let conflicts pass."""
    try:
        yield
    except IntegrityError:
        raise
    except (SQLAlchemyError, sqlite3.Error, OSError, UnicodeDecodeError) as wrong:
        raise StoreError(sentence(where, wrong)) from None


def sentence(where: str, wrong: Exception) -> str:
    """Return one sentence about what went wrong with a database.

    Examples
    --------
    >>> sentence("labels.db", sqlite3.OperationalError("database or disk is full"))
    'there is no space left to write labels.db; nothing was recorded'
    >>> sentence("labels.db", sqlite3.OperationalError("no such column: x"))
    'labels.db cannot be used as a database: no such column: x'
    """
    said = str(wrong.orig if isinstance(wrong, DBAPIError) else wrong)
    reason = said.splitlines()[0] if said else type(wrong).__name__
    for sign, text in _SENTENCES:
        if sign in reason.lower():
            return text.format(where=where, reason=reason)
    return f"{where} cannot be used as a database: {reason}"
