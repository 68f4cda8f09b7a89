"""What every store of logs can do, and what can go wrong with one."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Self

from lapwing.errors import InputError, LapwingError
from lapwing.session.log.events import Event, chained, root


class StoreError(LapwingError):
    """The database cannot be used, or a log was changed after it was written."""


class BehindError(StoreError):
    """Somebody else wrote to the session since it was read."""


@dataclass(frozen=True, slots=True)
class Record:
    """A session as it is stored: its name, its header, and the head of its log.

    `n_events` and `head` are the length and the digest of the log, so a truncated log is detected.
    `key` is the store's own number of the session.
    """

    key: int
    name: str
    created: str
    header: Mapping[str, Any]
    n_events: int
    head: str

    @property
    def root(self) -> str:
        """The digest before the first event: it covers the header and the time of creation."""
        return root(self.created, self.header)


class Line(NamedTuple):
    """One event as it is stored."""

    number: int
    text: str
    digest: str


class LogStore(ABC):
    """Where logs are kept; lines are only ever added.

    A session is given by its `Record`, or by its name where that is enough. `file` is the database
    file, if there is one.
    """

    file: Path | None = None

    @abstractmethod
    def create(
        self, name: str, created: str, header: Mapping[str, Any], events: Sequence[Event] = ()
    ) -> Record:
        """A new session, with the events of its log if there are any: whole or not at all."""

    @abstractmethod
    def append(self, session: str | Record, *new: Event) -> str:
        """Add events to the end of a log, all or none; the new head, safe once this returns."""

    @abstractmethod
    def records(self) -> list[Record]:
        """Every session, oldest first."""

    @abstractmethod
    def lines(self, session: str | Record, *, after: int = 0) -> tuple[Record, list[Line]]:
        """The lines of a log in order, those after one number if asked, and the head they lead to.

        All of it is from one moment: a consistent snapshot.
        """

    @abstractmethod
    def rename(self, session: str | Record, name: str) -> None:
        """Give a session another name; its log stays as it is."""

    @abstractmethod
    def delete(self, session: str | Record) -> None:
        """Remove a session and its log for good."""

    @abstractmethod
    def close(self) -> None:
        """Release all resources."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def events(self, session: str | Record, *, after: int = 0) -> list[Event]:
        """The events of a log, in order; those after one number if asked."""
        record, lines = self.lines(session, after=after)
        return [_parsed(record, line) for line in lines]

    def checked_events(
        self, session: str | Record, *, after: int = 0, digest: str | None = None
    ) -> tuple[list[Event], str]:
        """The events after one number and the head, once the chain holds from `digest` on."""
        record, lines = self.lines(session, after=after)
        found = record.root if digest is None else digest
        for position, line in enumerate(lines, start=after + 1):
            found = chained(found, line.text)
            if found != line.digest or line.number != position:
                what = f"event {position}" if position > 1 else "the header or event 1"
                raise StoreError(
                    f"session {record.name!r}: {what} was changed after it was written"
                )
        if after + len(lines) != record.n_events:
            raise StoreError(
                f"session {record.name!r} must have {record.n_events} events, "
                f"got {after + len(lines)}: the end of its log is missing"
            )
        if found != record.head:
            what = "its last event" if record.n_events else "its header"
            raise StoreError(f"session {record.name!r}: {what} was changed after it was written")
        return [_parsed(record, line) for line in lines], found

    def verified(self, session: str | Record) -> str:
        """The log's digest, once header, every line and the head have been checked."""
        return self.checked_events(session)[1]

    def record(self, session: str | Record, *, graph: str | None = None) -> Record:
        """What is stored about one session; `graph` is a hash that tells namesakes apart."""
        key = session.key if isinstance(session, Record) else None
        name = session.name if isinstance(session, Record) else session
        everyone = self.records()
        named = [each for each in everyone if (each.key == key if key else each.name == name)]
        found = [each for each in named if graph in (None, each.header.get("graph_hash"))]
        if len(found) == 1:
            return found[0]
        if found:
            places = ", ".join(str(each.header.get("graph")) for each in found)
            raise InputError(f"{len(found)} sessions are named {name!r}, on the graphs {places}: "
                             "specify the graph, or rename one of them")  # fmt: skip
        known = ", ".join(dict.fromkeys(each.name for each in everyone)) or "none yet"
        raise InputError(f"there is no session named {name!r}; there are: {known}")

    def holds(self, name: str, *, graph: str | None = None) -> bool:
        """Whether there is a session of that name (on the graph with that hash)."""
        return any(
            each.name == name and graph in (None, each.header.get("graph_hash"))
            for each in self.records()
        )


def appended(record: Record, new: Iterable[Event]) -> list[Line]:
    """The lines that these events add to a log, if their numbers follow its last."""
    lines: list[Line] = []
    number, digest = record.n_events, record.head
    for event in new:
        number += 1
        if event.number != number:
            raise BehindError(
                f"session {record.name!r} has {number - 1} events, so the next must be number "
                f"{number}, got {event.number}: somebody else wrote to it"
            )
        text = event.line()
        digest = chained(digest, text)
        lines.append(Line(number, text, digest))
    return lines


def header_text(header: Mapping[str, Any]) -> str:
    """A header as canonical JSON, if it can be written as that."""
    try:
        return json.dumps(dict(header), sort_keys=True, allow_nan=False)
    except (TypeError, ValueError) as wrong:
        raise InputError(f"a session's header must be plain JSON: {wrong}") from None


def _parsed(record: Record, line: Line) -> Event:
    try:
        return Event.parsed(line.text)
    except (KeyError, TypeError, ValueError):
        raise StoreError(
            f"session {record.name!r}: event {line.number} cannot be read as an event"
        ) from None
