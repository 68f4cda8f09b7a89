"""Where logs are kept: a database to which lines are only ever added."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from sqlalchemy import create_engine, event, func, insert, select
from sqlalchemy.engine import make_url
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from lapwing.errors import InputError, LapwingError
from lapwing.optional import need
from lapwing.session.log.events import Event, chained
from lapwing.session.store.schema import upgrade
from lapwing.session.store.tables import events, sessions


class StoreError(LapwingError):
    """The database cannot be used, or a log is not as it was written."""


class BehindError(StoreError):
    """Somebody else wrote to the session since it was read."""


@dataclass(frozen=True, slots=True)
class Record:
    """A session as it is stored: its name, what it stands on, and how long its log is."""

    name: str
    created: str
    header: Mapping[str, Any]
    n_events: int


class Store:
    """The database of sessions: SQLite in a file, or any database SQLAlchemy speaks to.

    SQLite runs in WAL mode with ``synchronous=FULL``: once `append` returns, the line survives
    the process and the machine going down. Lines are never changed or removed.

    Examples
    --------
    >>> with Store("sqlite://") as store:
    ...     store.create("mine", "2026-01-01T00:00:00Z", {"learner": "auto"})
    ...     store.append("mine", Event(1, "told", "2026-01-01T00:00:01Z", "ann", node=3, label=0))
    ...     [e.node for e in store.events("mine")], store.record("mine").n_events
    ([3], 1)
    """

    def __init__(self, where: str | Path) -> None:
        url = make_url(str(where) if "://" in str(where) else f"sqlite:///{Path(where)}")
        if url.get_backend_name() == "sqlite" and url.database:
            Path(url.database).parent.mkdir(parents=True, exist_ok=True)
        if url.drivername in ("postgresql", "postgresql+psycopg"):
            need("psycopg", extra="postgres")
            url = url.set(drivername="postgresql+psycopg")
        self.engine = create_engine(url)
        if url.get_backend_name() == "sqlite":
            event.listen(self.engine, "connect", _durable)
        try:
            upgrade(self.engine)
        except SQLAlchemyError as wrong:
            raise StoreError(f"{where} cannot be used as a database: {_reason(wrong)}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()

    def create(self, name: str, created: str, header: Mapping[str, Any]) -> None:
        """A new session of that name, with an empty log."""
        row = {"name": name, "created": created, "header": json.dumps(header, sort_keys=True)}
        try:
            with self.engine.begin() as connection:
                connection.execute(insert(sessions).values(**row))
        except IntegrityError:
            raise InputError(f"a session's name must be new, there is one named {name!r}") from None

    def append(self, name: str, line: Event) -> None:
        """Add one line to the end of a log; on return it is on disk."""
        try:
            with self.engine.begin() as connection:
                last = connection.execute(
                    select(events.c.number, events.c.digest)
                    .where(events.c.session == name)
                    .order_by(events.c.number.desc())
                    .limit(1)
                ).first()
                expected = (last.number if last else 0) + 1
                if line.number != expected:
                    raise BehindError(
                        f"session {name!r} has {expected - 1} events, so the next must be number "
                        f"{expected}, got {line.number}: somebody else wrote to it"
                    )
                text = line.line()
                digest = chained(last.digest if last else "", text)
                connection.execute(
                    insert(events).values(
                        session=name, number=line.number, line=text, digest=digest
                    )
                )
        except IntegrityError:
            raise BehindError(f"somebody else wrote to session {name!r}") from None

    def events(self, name: str, *, after: int = 0) -> list[Event]:
        """The lines of a log, in order; those after one number if asked."""
        return [Event.parsed(row.line) for row in self._lines(name, after)]

    def verified(self, name: str) -> str:
        """The log's digest, once every line has been checked against its own."""
        digest = ""
        for position, row in enumerate(self._lines(name), start=1):
            digest = chained(digest, row.line)
            if digest != row.digest or row.number != position:
                raise StoreError(f"session {name!r}: event {position} is not as it was written")
        return digest

    def record(self, name: str) -> Record:
        """What is stored about one session."""
        found = [record for record in self.records() if record.name == name]
        if not found:
            known = ", ".join(record.name for record in self.records()) or "none yet"
            raise InputError(f"there is no session named {name!r}; there are: {known}")
        return found[0]

    def records(self) -> list[Record]:
        """Every session, oldest first."""
        counts = (
            select(events.c.session, func.count().label("n")).group_by(events.c.session).subquery()
        )
        query = (
            select(sessions, func.coalesce(counts.c.n, 0).label("n"))
            .outerjoin(counts, counts.c.session == sessions.c.name)
            .order_by(sessions.c.created, sessions.c.name)
        )
        with self.engine.connect() as connection:
            rows = connection.execute(query).all()
        return [Record(row.name, row.created, json.loads(row.header), int(row.n)) for row in rows]

    def _lines(self, name: str, after: int = 0) -> Sequence[Any]:
        self.record(name)
        with self.engine.connect() as connection:
            return connection.execute(
                select(events.c.number, events.c.line, events.c.digest)
                .where(events.c.session == name, events.c.number > after)
                .order_by(events.c.number)
            ).all()


def _durable(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _reason(wrong: SQLAlchemyError) -> str:
    return str(getattr(wrong, "orig", None) or wrong).splitlines()[0]
