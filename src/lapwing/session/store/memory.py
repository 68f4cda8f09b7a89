"""Logs in memory, for sessions that need not be kept; no extra is needed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from threading import RLock
from typing import Any

from lapwing.errors import InputError
from lapwing.session.log.events import Event, root
from lapwing.session.store.logs import Line, LogStore, Record, appended, header_text


class MemoryStore(LogStore):
    """Logs that are lost when the process ends.

    Examples
    --------
    >>> store = MemoryStore()
    >>> _ = store.create("mine", "2026-01-01T00:00:00Z", {"learner": "auto"})
    >>> _ = store.append("mine", Event(1, "told", "2026-01-01T00:00:01Z", "ann", node=3, label=0))
    >>> [e.node for e in store.events("mine")], store.record("mine").n_events
    ([3], 1)
    """

    def __init__(self) -> None:
        self._records: dict[int, Record] = {}
        self._lines: dict[int, list[Line]] = {}
        self._next = 1
        self._lock = RLock()

    def create(
        self, name: str, created: str, header: Mapping[str, Any], events: Sequence[Event] = ()
    ) -> Record:
        with self._lock:
            if self.holds(name, graph=header.get("graph_hash")):
                raise InputError(f"a session's name must be new, there is one named {name!r}")
            kept = json.loads(header_text(header))
            record = Record(self._next, name, created, kept, 0, root(created, kept))
            lines = appended(record, events)
            self._next += 1
            self._records[record.key], self._lines[record.key] = record, []
            self._add(record, lines)
            return self._records[record.key]

    def append(self, session: str | Record, *new: Event) -> str:
        with self._lock:
            record = self.record(session)
            self._add(record, appended(record, new))
            return self._records[record.key].head

    def _add(self, record: Record, lines: list[Line]) -> None:
        self._lines[record.key].extend(lines)
        if lines:
            self._records[record.key] = replace(
                record, n_events=lines[-1].number, head=lines[-1].digest
            )

    def records(self) -> list[Record]:
        with self._lock:
            return list(self._records.values())

    def record(self, session: str | Record, *, graph: str | None = None) -> Record:
        with self._lock:
            if isinstance(session, Record) and session.key in self._records:
                return self._records[session.key]
            return super().record(session, graph=graph)

    def lines(self, session: str | Record, *, after: int = 0) -> tuple[Record, list[Line]]:
        with self._lock:
            record = self.record(session)
            return record, self._lines[record.key][after:]

    def rename(self, session: str | Record, name: str) -> None:
        with self._lock:
            record = self.record(session)
            if self.holds(name, graph=record.header.get("graph_hash")):
                raise InputError(f"a session's name must be new, there is one named {name!r}")
            self._records[record.key] = replace(record, name=name)

    def delete(self, session: str | Record) -> None:
        with self._lock:
            record = self.record(session)
            del self._records[record.key], self._lines[record.key]

    def close(self) -> None:
        """Nothing is held that would have to be let go."""
