"""Logs in a database, to which lines are only ever added."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, closing, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.engine import URL, Connection
from sqlalchemy.exc import IntegrityError

from lapwing.errors import InputError
from lapwing.session.log.events import Event, root
from lapwing.session.store.connection import address, engine_at, in_our_words
from lapwing.session.store.files import (
    check_file,
    lacks_its_log,
    private_file,
    private_folder,
    put_in_place,
)
from lapwing.session.store.logs import (
    BehindError,
    Line,
    LogStore,
    Record,
    StoreError,
    appended,
    header_text,
)
from lapwing.session.store.schema import events, made, made_or_upgraded, sessions
from lapwing.session.store.transactions import Transactions

CHANGED = "session {!r}: its header was changed after it was written"
# What every answer runs is put together once; that takes longer than running it.
FOUND = select(sessions).where(sessions.c.id == bindparam("key"))
FOUND_AND_LOCKED = FOUND.with_for_update()
ADDED = insert(events)
ADVANCED = (
    update(sessions)
    .where(sessions.c.id == bindparam("key"))
    .values(n_events=bindparam("number"), head=bindparam("digest"))
)


class Store(LogStore):
    """A database of sessions: SQLite in a file, or any database that SQLAlchemy supports.

    SQLite runs in WAL mode with ``synchronous=FULL`` and a checkpoint after each commit. Once
    `append` returns, the line survives a crash of the process or the machine, and it is in the main
    file. With a larger `checkpoint` (pages of the ``-wal`` file) commits are cheaper, and the
    newest lines are in the ``-wal`` file beside it. Only the owner can read the file (mode 0600,
    new folders 0700). If something fails, a `StoreError` is raised and nothing was recorded; you
    can try again.

    Examples
    --------
    >>> with Store("sqlite://") as store:
    ...     _ = store.create("mine", "2026-01-01T00:00:00Z", {"learner": "auto"})
    ...     line = Event(1, "told", "2026-01-01T00:00:01Z", "ann", node=3, label=0)
    ...     _ = store.append("mine", line)
    ...     [e.node for e in store.events("mine")], store.record("mine").n_events
    ([3], 1)
    """

    def __init__(self, where: str | Path, *, checkpoint: int = 1) -> None:
        url = address(where)
        self.where = url.render_as_string(hide_password=True) if "://" in str(where) else str(where)
        in_file = url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:")
        self.file = Path(str(url.database)) if in_file else None
        with in_our_words(self.where):
            if self.file is not None:
                self.file = self.file.absolute()
                _file_with_tables(self.file)
            lost = self.file is not None and lacks_its_log(self.file)
            self.engine = engine_at(url, checkpoint=checkpoint)
            made_or_upgraded(self.engine, self.where, self.file, lost=lost)
        self._transactions = Transactions(self.engine, self.where)

    def close(self) -> None:
        """Close the connections to the database."""
        self.engine.dispose()

    def create(
        self, name: str, created: str, header: Mapping[str, Any], events: Sequence[Event] = ()
    ) -> Record:
        text = header_text(header)
        kept = json.loads(text)
        empty = Record(0, name, created, kept, 0, root(created, kept))
        lines = appended(empty, events)
        row = {
            "name": name,
            "graph_hash": str(kept.get("graph_hash", "")),
            "created": created,
            "header": text,
            "n_events": len(lines),
            "head": lines[-1].digest if lines else empty.head,
        }
        try:
            with self._transactions.writing() as connection:
                made = connection.execute(insert(sessions).values(**row)).inserted_primary_key
                key = int(made[0]) if made is not None else 0
                _insert(connection, key, lines)
        except IntegrityError:
            raise InputError(f"a session's name must be new, there is one named {name!r}") from None
        return Record(key, name, created, kept, len(lines), str(row["head"]))

    def append(self, session: str | Record, *new: Event) -> str:
        known = session if isinstance(session, Record) else self.record(session)
        try:
            with self._transactions.writing() as connection:
                record = _found(connection, known, locked=True)
                lines = appended(record, new)
                if not lines:
                    return record.head
                _insert(connection, record.key, lines)
                last = lines[-1]
                now = {"key": record.key, "number": last.number, "digest": last.digest}
                connection.execute(ADVANCED, now)
                return last.digest
        except IntegrityError:
            raise BehindError(f"somebody else wrote to session {known.name!r}") from None

    def records(self) -> list[Record]:
        with self.reading() as connection:
            order = (sessions.c.created, sessions.c.name, sessions.c.id)
            return [_record(row) for row in connection.execute(select(sessions).order_by(*order))]

    def record(self, session: str | Record, *, graph: str | None = None) -> Record:
        if isinstance(session, Record):
            with self.reading() as connection:
                return _found(connection, session)
        return super().record(session, graph=graph)

    def lines(self, session: str | Record, *, after: int = 0) -> tuple[Record, list[Line]]:
        known = session if isinstance(session, Record) else self.record(session)
        with self.reading() as connection:
            record = _found(connection, known)
            rows = connection.execute(
                select(events.c.number, events.c.line, events.c.digest)
                .where(events.c.session == record.key)
                .where(events.c.number > after, events.c.number <= record.n_events)
                .order_by(events.c.number)
            ).all()
        return record, [Line(row.number, str(row.line), row.digest) for row in rows]

    def rename(self, session: str | Record, name: str) -> None:
        record = self.record(session)
        try:
            with self._transactions.writing() as connection:
                connection.execute(
                    update(sessions).where(sessions.c.id == record.key).values(name=name)
                )
        except IntegrityError:
            raise InputError(f"a session's name must be new, there is one named {name!r}") from None

    def delete(self, session: str | Record) -> None:
        record = self.record(session)
        with self._transactions.writing() as connection:
            connection.execute(delete(events).where(events.c.session == record.key))
            connection.execute(delete(sessions).where(sessions.c.id == record.key))

    def together(self) -> AbstractContextManager[Connection]:
        """Commit everything that this thread writes inside at once, at the end, or nothing of it.

        What is read inside includes what was written there. Other threads can read in the
        meantime; they wait to write.

        Examples
        --------
        >>> with Store("sqlite://") as store:
        ...     _ = store.create("mine", "2026-01-01T00:00:00Z", {"learner": "auto"})
        ...     with store.together():
        ...         for number in (1, 2):
        ...             told = Event(number, "told", "2026-01-01", "ann", node=3, label=0)
        ...             _ = store.append("mine", told)
        ...     store.record("mine").n_events
        2
        """
        return self._transactions.together()

    def reading(self) -> AbstractContextManager[Connection]:
        """A connection for reading, also of tables that others added to the database."""
        return self._transactions.reading()


def _found(connection: Connection, known: Record, *, locked: bool = False) -> Record:
    """A session's row as it is now; held until the end of the transaction if `locked`."""
    row = connection.execute(FOUND_AND_LOCKED if locked else FOUND, {"key": known.key}).first()
    if row is None:
        raise InputError(f"session {known.name!r} was deleted")
    return _record(row)


def _file_with_tables(path: Path) -> None:
    """The database file: recognised if there is one, otherwise made whole under another name."""
    if path.exists():
        check_file(path)
        return
    private_folder(path.parent)
    fresh = path.with_name(f"{path.name}.new-{os.getpid()}-{os.urandom(4).hex()}")
    private_file(fresh)
    try:
        engine = engine_at(URL.create("sqlite", database=str(fresh)))
        with engine.begin() as connection:
            made(connection)
        with closing(engine.raw_connection()) as raw:  # all into the file itself, or an error
            raw.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
        engine.dispose()
        put_in_place(fresh, path)
    finally:
        for left in (fresh, Path(f"{fresh}-wal"), Path(f"{fresh}-shm")):
            with suppress(FileNotFoundError):
                left.unlink()


def _insert(connection: Connection, key: int, lines: Sequence[Line]) -> None:
    if lines:
        rows = [
            {"session": key, "number": line.number, "line": line.text, "digest": line.digest}
            for line in lines
        ]
        connection.execute(ADDED, rows)


def _record(row: Any) -> Record:
    try:
        header = json.loads(row.header)
    except (TypeError, ValueError):
        raise StoreError(CHANGED.format(row.name)) from None
    if not isinstance(header, dict) or not isinstance(row.n_events, int):
        raise StoreError(CHANGED.format(row.name))
    return Record(row.id, str(row.name), str(row.created), header, row.n_events, str(row.head))
