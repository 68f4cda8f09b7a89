"""The service behind the HTTP side: database, writer, graphs, open sessions, long work."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Any, TypeVar

import structlog

from lapwing.errors import LapwingError
from lapwing.service.database.claim import claimed
from lapwing.service.database.idempotency import Repeat, forgotten_replies
from lapwing.service.database.schema import service_tables_made
from lapwing.service.database.trail import Deed
from lapwing.service.database.writer import PATIENCE, Command, Held, Writer
from lapwing.service.graphs.library import Library
from lapwing.service.graphs.rows import rows_are_made, rows_made, takes_rows
from lapwing.service.operation.settings import ServiceSettings
from lapwing.service.operation.workers import Workers
from lapwing.service.people.person import Person, Role
from lapwing.service.people.tokens import any_token, person_of, token_digest
from lapwing.service.sessions.desks import Desk, Desks
from lapwing.service.sessions.notes import Note
from lapwing.service.sessions.shared import Shared
from lapwing.service.sessions.snapshots import EVERY, Snapshots
from lapwing.session import Session, Store

T = TypeVar("T")
PAGES = 1000
"""Pages of the -wal file before SQLite moves them into the database."""
FORGET = 600.0
"""Seconds after which old replies are looked for again."""
REMEMBERED = 1.0
"""Seconds for which a token is not looked up again; a revoked one works no longer than that."""


class Service:
    """Everything that requests share; one per process."""

    def __init__(self, settings: ServiceSettings) -> None:
        self.settings = settings
        settings.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.store = Store(settings.database_address, checkpoint=PAGES)
        service_tables_made(self.store.engine, self.store.where)
        self.library = Library(settings.folder / "graphs")
        several = settings.workers > 1 or self.store.file is None
        file = self.store.file
        self._claim = None if file is None else claimed(file, shared=several)
        snapshots = Snapshots(settings.folder / "snapshots", self.store)
        self.desks = Desks(self.store, self.library, snapshots, others_write=several)
        self.writer = Writer(self.store)
        self.workers = Workers(settings.processes)
        self.replayed, self.to_replay = 0, 0
        self.ready = self.closing = False
        self._forget_at = 0.0
        self._people: dict[str, tuple[float, Person | None]] = {}

    def close(self) -> None:
        """Write what was submitted, then let go of everything."""
        self.closing = True
        self.writer.close()
        self._keep_snapshots(EVERY // 10)
        self.workers.close()
        self.store.close()
        if self._claim is not None:
            self._claim.close()

    def keep_order(self) -> None:
        """Keep what was learned, forget replies that nobody will ask for again."""
        self._keep_snapshots(EVERY)
        now = time.time()
        if now >= self._forget_at:
            self._forget_at = now + FORGET
            old = now - 3600 * self.settings.keep_replies_hours
            forget = Command(lambda connection: forgotten_replies(connection, old))
            self.writer.submit(forget).result(PATIENCE)

    def _keep_snapshots(self, least: int) -> None:
        try:
            self.desks.keep_snapshots(least)
        except (OSError, LapwingError) as wrong:
            structlog.get_logger("lapwing.service").warning("no snapshot", reason=str(wrong))

    def replay(self) -> None:
        """Open every session, so that nobody waits for the replay of its log later."""
        with self.store.reading() as connection:
            everything = self.desks.everything(connection)
        self.to_replay = len(everything)
        for shared in everything:
            if self.closing:
                return
            try:
                making = self.rows(shared)
                while making is not None and not making.done() and not self.closing:
                    wait([making], 0.5)
                self.desks.desk(shared).learn(lambda: self.closing)
            except Exception:
                log = structlog.get_logger("lapwing.service")
                log.exception("a session could not be replayed", session=shared.id)
            self.replayed += 1
        self.ready = not self.closing

    @property
    def needs_tokens(self) -> bool:
        """Whether a token is in force; without one the service answers this computer alone."""
        return self._remembered("", lambda: self._any_token()) is not None

    def _any_token(self) -> Person | None:
        with self.store.reading() as connection:
            return _SOMEBODY if any_token(connection) else None

    def person(self, secret: str) -> Person | None:
        """Return the person with this token, if there is one."""
        return self._remembered(token_digest(secret), lambda: self._person(secret))

    def _person(self, secret: str) -> Person | None:
        with self.store.reading() as connection:
            return person_of(connection, secret)

    def _remembered(self, key: str, find: Callable[[], Person | None]) -> Person | None:
        now = time.monotonic()
        until, found = self._people.get(key, (0.0, None))
        if now >= until:
            found = find()
            if len(self._people) > 10_000:
                self._people.clear()
            self._people[key] = now + REMEMBERED, found
        return found

    async def desk(self, person: Person, session: str) -> Desk:
        """Return an open session of the person's team."""
        desk = self.desks.opened(session)
        if desk is not None and desk.shared.team == person.team:
            return desk
        with self.store.reading() as connection:
            shared = self.desks.shared(connection, person, session)
        return await asyncio.to_thread(self.desks.desk, shared)

    async def rows_ready(self, desk: Desk) -> None:
        """Return when the rows that a session needs of a large graph are made."""
        if not desk.has_rows:
            making = await asyncio.to_thread(self.rows, desk.shared)
            if making is not None:
                await asyncio.wait([asyncio.wrap_future(making)])
            desk.has_rows = True

    def rows(self, shared: Shared) -> Future[None] | None:
        """The work that makes a session's rows, begun now unless it is under way; None if done.

        If it fails, they are made when the session is read.
        """
        graph, learner = shared.begun_on, str(self.store.record(shared.id).header["learner"])
        place = self.library.place(graph)
        if rows_are_made(place, learner) or not takes_rows(self.library.graph(graph), learner):
            return None
        return self.workers.running(f"rows {graph} {learner}", rows_made, str(place), learner)

    async def write(
        self,
        act: Callable[[Any], Any],
        *,
        held: Held | None = None,
        repeat: Repeat | None = None,
        deed: Deed | None = None,
        steps: bool = False,
    ) -> Any:
        """Return the reply of `act`, once what it did is on disk."""
        command = Command(act, held=held, repeat=repeat, deed=deed, steps=steps)
        return await asyncio.wrap_future(self.writer.submit(command))

    async def read(self, desk: Desk, look: Callable[[Session], T]) -> T:
        """Return what `look` finds in a session; in a thread if it cannot be read at once."""
        with desk.reading_now() as session:
            if session is not None:
                return look(session)
        return await self.read_aside(desk, look, learned=True)

    async def read_noted(self, desk: Desk, note: Callable[[Session], Note[T]]) -> T:
        """Return a note on a session; in a thread if it is to be made."""
        with desk.reading_now(learned=False) as session:
            if session is not None and desk.notes.has(found := note(session)):
                return desk.notes.of(found)
        return await self.read_aside(desk, lambda held: desk.notes.of(note(held)))

    async def read_aside(
        self, desk: Desk, look: Callable[[Session], T], *, learned: bool = False
    ) -> T:
        """Return what `look` finds, in a thread: for what takes longer than a few milliseconds.

        With `learned`, the labels so far are learned first, without keeping writers out.
        """

        if learned:
            await self.rows_ready(desk)

        def go() -> T:
            if learned:
                desk.learn()
            with desk.reading() as session:
                return look(session)

        return await asyncio.to_thread(go)

    async def learned(self, desk: Desk) -> None:
        """Return when the labels so far are learned, so that the writer need not wait for that."""
        await self.rows_ready(desk)
        if desk.is_behind:
            await asyncio.to_thread(desk.learn)


_SOMEBODY = Person("", "", Role.viewer)
