"""Open sessions: each replayed once from its log, shared by all who work on it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock, RLock
from typing import Any

from sqlalchemy import select
from sqlalchemy.engine import Connection

from lapwing.graph import Graph
from lapwing.service.database.tables import shared_sessions
from lapwing.service.graphs.library import Library
from lapwing.service.people.person import Person
from lapwing.service.problems import Refusal, no_session
from lapwing.service.sessions.notes import SessionNotes
from lapwing.service.sessions.shared import Shared, shared_of
from lapwing.service.sessions.snapshots import Snapshots
from lapwing.session import Record, Session, Store
from lapwing.session.asking.rounds import Rounds

LEARNED_AT_ONCE = 4
"""Labels that are learned before others get their turn."""
TURN = 0.001
"""Seconds to leave to others: a lock is not handed over in turn by itself."""
WORTH, DEAR = 0.5, 20.0
"""A snapshot is taken when it saves so many seconds, and so many times what the last one took."""


class Desk:
    """One open session, and a lock that keeps readers out until what they see is on disk.

    The session of a system has `rounds` in place of a dialogue with people.
    """

    def __init__(self, shared: Shared, held: Session | Rounds, others_write: bool) -> None:
        self.shared, self._held = shared, held
        self.others_write = others_write
        self.spoiled = self.has_rows = False
        self.notes = SessionNotes()
        self._in_snapshot = 0 if isinstance(held, Rounds) else held.dialogue.state.n_learned
        self._seconds_learning, self._seconds_of_snapshot = 0.0, 0.0
        self._lock = RLock()
        self._listeners: set[Callable[[], None]] = set()

    @property
    def session(self) -> Session:
        """The dialogue with people."""
        if isinstance(self._held, Rounds):
            raise Refusal(409, "for_systems", "this session is for systems: use predict, feedback "
                          "and rounds")  # fmt: skip
        return self._held

    @property
    def rounds(self) -> Rounds:
        """The rounds of a system."""
        if isinstance(self._held, Rounds):
            return self._held
        raise Refusal(409, "for_people", "this session is for people: use next and labels")

    @property
    def record(self) -> Record:
        """The session in the store."""
        held = self._held
        return held.record if isinstance(held, Rounds) else held.dialogue.record

    @property
    def is_behind(self) -> bool:
        """Whether the learner has something to learn before it can predict."""
        held = self._held
        return not isinstance(held, Rounds) and held.dialogue.state.is_behind

    def learn(self, stopped: Callable[[], bool] = lambda: False) -> None:
        """Learn the labels so far, a few at a time: those who write get their turn in between."""
        held = self._held
        if isinstance(held, Rounds):
            return
        state = held.dialogue.state
        goal = state.n_learned + state.n_to_learn
        while state.n_learned < goal and not stopped():
            with self._lock:
                began = time.perf_counter()
                held.dialogue.learn(LEARNED_AT_ONCE)
                self._seconds_learning += time.perf_counter() - began
            time.sleep(TURN)

    def snapshot(self, snapshots: Snapshots, least: int) -> tuple[dict[str, Any], bytes] | None:
        """Return a snapshot to keep, if it saves enough and little waits to be learned.

        It saves enough if so many changes were learned since the last, or if that took long.
        """
        held = self._held
        if isinstance(held, Rounds) or self.spoiled:
            return None
        with self._lock:
            if held.dialogue.state.n_to_learn <= LEARNED_AT_ONCE:
                held.dialogue.learn()
            learned = held.dialogue.state.n_learned
            long = max(WORTH, DEAR * self._seconds_of_snapshot)
            is_due = learned - self._in_snapshot >= least or self._seconds_learning >= long
            if held.dialogue.state.is_behind or learned == self._in_snapshot or not is_due:
                return None
            began = time.perf_counter()
            taken = snapshots.taken(self.shared.id, held.dialogue)
            self._seconds_of_snapshot = time.perf_counter() - began
            self._in_snapshot, self._seconds_learning = learned, 0.0
            return taken

    def catch_up(self) -> None:
        """Take in what other processes wrote."""
        held = self._held
        (held if isinstance(held, Rounds) else held.dialogue).catch_up()

    def acquire(self) -> None:
        """Keep readers out."""
        self._lock.acquire()

    def release(self) -> None:
        """Let readers in."""
        self._lock.release()

    def spoil(self) -> None:
        """Forget this copy: something in it was not recorded."""
        self.spoiled = True

    def committed(self) -> None:
        """Tell listeners that there may be new events."""
        for listener in list(self._listeners):
            listener()

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """The session while nobody writes; what other processes wrote is taken in first."""
        with self._lock:
            if self.others_write:
                self.catch_up()
            yield self.session

    @contextmanager
    def reading_now(self, *, learned: bool = True) -> Iterator[Session | None]:
        """The session if it can be read, and predicts if `learned`, without waiting; or None."""
        behind = self.others_write or (learned and self.is_behind)
        if behind or not self._lock.acquire(blocking=False):
            yield None
            return
        try:
            yield self.session
        finally:
            self._lock.release()

    @contextmanager
    def listening(self) -> Iterator[asyncio.Event]:
        """An event that is set when something was written."""
        loop, news = asyncio.get_running_loop(), asyncio.Event()

        def tell() -> None:
            loop.call_soon_threadsafe(news.set)

        self._listeners.add(tell)
        try:
            yield news
        finally:
            self._listeners.discard(tell)


class SeveralDesks:
    """Sessions that one command changes together."""

    def __init__(self, desks: Sequence[Desk]) -> None:
        self.desks = desks

    def acquire(self) -> None:
        """Keep readers out of all."""
        for desk in self.desks:
            desk.acquire()

    def release(self) -> None:
        """Let readers in."""
        for desk in self.desks:
            desk.release()

    def spoil(self) -> None:
        """Forget these copies."""
        for desk in self.desks:
            desk.spoil()

    def committed(self) -> None:
        """Tell the listeners of all."""
        for desk in self.desks:
            desk.committed()


class Desks:
    """Every open session; a session that two ask for at the same time is opened once."""

    def __init__(
        self, store: Store, library: Library, snapshots: Snapshots, *, others_write: bool
    ) -> None:
        self.store, self.library, self.snapshots = store, library, snapshots
        self.others_write = others_write
        self._open: dict[str, Desk] = {}
        self._opening: dict[str, Lock] = {}
        self._lock = Lock()

    def shared(self, connection: Connection, person: Person, session: str) -> Shared:
        """Return a session of the person's team; all others do not exist for them."""
        found = connection.execute(
            select(shared_sessions).where(
                shared_sessions.c.id == session, shared_sessions.c.team == person.team
            )
        ).first()
        if found is None:
            raise no_session()
        return shared_of(found)

    def opened(self, session: str) -> Desk | None:
        """Return the open session, if it is open and as the log says."""
        desk = self._open.get(session)
        return None if desk is None or desk.spoiled else desk

    def desk(self, shared: Shared) -> Desk:
        """Return the session, opened by replaying its log unless it is open."""
        with self._lock:
            opening = self._opening.setdefault(shared.id, Lock())
        with opening:
            found = self.opened(shared.id)
            if found is None:
                graph = self.library.graph(shared.begun_on)
                held = _opened(self.store, shared, graph)
                if isinstance(held, Session):
                    self.snapshots.taken_up(shared.id, held.dialogue)
                found = Desk(shared, held, self.others_write)
                self._open[shared.id] = found
            return found

    def keep_snapshots(self, least: int) -> None:
        """Keep a snapshot of each session that has learned at least so much since its last."""
        for desk in list(self._open.values()):
            taken = desk.snapshot(self.snapshots, least)
            if taken is not None:
                self.snapshots.kept(*taken)

    @property
    def count(self) -> int:
        """The number of open sessions."""
        return len(self._open)

    def forgotten(self, session: str) -> None:
        """Close a session that was deleted."""
        self._open.pop(session, None)

    def everything(self, connection: Connection, team: str | None = None) -> list[Shared]:
        """Return every session, or every one of a team, oldest first."""
        query = select(shared_sessions).order_by(shared_sessions.c.created)
        if team is not None:
            query = query.where(shared_sessions.c.team == team)
        return [shared_of(row) for row in connection.execute(query)]


def _opened(store: Store, shared: Shared, graph: Graph) -> Session | Rounds:
    if shared.choices.get("teacher") == "system":
        return Rounds(store, shared.id, graph)
    return Session.open(store, shared.id, graph=graph)
