"""The one writer of a database: commits in groups, acknowledges after the commit."""

from __future__ import annotations

import json
import queue
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from threading import Thread
from typing import Any, Protocol

from sqlalchemy import text
from sqlalchemy.engine import Connection

from lapwing.service.database.idempotency import Repeat, earlier_reply, kept_reply
from lapwing.service.database.trail import Deed, deed_recorded
from lapwing.session import Store, StoreError

MOST = 256
"""Commands in one commit."""
PATIENCE = 30.0
"""Seconds to wait for the last commits."""
WRITER_LOCK = 0x1AB
"""The advisory lock of PostgreSQL: with several processes, one group is written at a time."""


class Held(Protocol):
    """What a command changes in memory: locked until the commit, dropped if it fails."""

    def acquire(self) -> None:
        """Keep readers out."""

    def release(self) -> None:
        """Let readers in."""

    def spoil(self) -> None:
        """Forget what was not recorded: the log is read again."""

    def committed(self) -> None:
        """Tell those who wait for news."""


@dataclass
class Command:
    """Something to write: `act` is given the connection and returns a reply in plain JSON.

    If an act of several `steps` fails, what it wrote before is undone.
    """

    act: Callable[[Connection], Any]
    held: Held | None = None
    repeat: Repeat | None = None
    deed: Deed | None = None
    steps: bool = False
    done: Future[Any] = field(default_factory=Future)


class Writer:
    """A thread that writes what it is given, many commands in one transaction.

    While one group is being committed the next gathers, so a busy service commits once for many
    answers and an idle one at once. A command that fails leaves the others alone; a commit that
    fails undoes the group, on disk and in memory, and nobody is told that it was recorded.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.groups = self.commands = 0
        self._queue: queue.SimpleQueue[Command | None] = queue.SimpleQueue()
        self._thread = Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def submit(self, command: Command) -> Future[Any]:
        """Return the reply to come: it is there once everything is on disk."""
        self._queue.put(command)
        return command.done

    def close(self) -> None:
        """Write what was submitted, then stop; a database that hangs is not waited for."""
        self._queue.put(None)
        self._thread.join(PATIENCE)

    @property
    def waiting(self) -> int:
        """The number of commands that wait."""
        return self._queue.qsize()

    def _run(self) -> None:
        going = True
        while going:
            group = [self._queue.get()]
            while len(group) < MOST and not self._queue.empty():
                group.append(self._queue.get())
            going = None not in group
            commands = [each for each in group if each is not None]
            if commands:
                self._write(commands)

    def _write(self, commands: list[Command]) -> None:
        outcomes: list[tuple[Any, Exception | None]] = []
        touched: dict[int, Held] = {}
        with ExitStack() as locks:
            try:
                with self.store.together() as connection:
                    if connection.dialect.name == "postgresql":
                        connection.execute(text(f"SELECT pg_advisory_xact_lock({WRITER_LOCK})"))
                    for command in commands:
                        if command.held is not None and id(command.held) not in touched:
                            command.held.acquire()
                            locks.callback(command.held.release)
                            touched[id(command.held)] = command.held
                        outcomes.append(_outcome(connection, command))
            except Exception as wrong:
                for held in touched.values():
                    held.spoil()
                outcomes = [(None, wrong)] * len(commands)
        self.groups += 1
        self.commands += len(commands)
        for held in touched.values():
            held.committed()
        for command, (reply, problem) in zip(commands, outcomes, strict=True):
            if problem is None:
                command.done.set_result(reply)
            else:
                command.done.set_exception(problem)


@contextmanager
def _undone_if_failed(connection: Connection, command: Command) -> Iterator[None]:
    if not command.steps:
        yield
        return
    try:
        with connection.begin_nested():
            yield
    except Exception:
        if command.held is not None:
            command.held.spoil()
        raise


def _outcome(connection: Connection, command: Command) -> tuple[Any, Exception | None]:
    """The reply or the error of one command; a failing database fails the group."""
    try:
        if command.repeat is not None:
            earlier = earlier_reply(connection, command.repeat)
            if earlier is not None:
                return earlier, None
        with _undone_if_failed(connection, command):
            reply = command.act(connection)
        if command.repeat is not None:
            kept_reply(connection, command.repeat, reply)
        if command.deed is not None:
            deed_recorded(connection, command.deed)
        return json.loads(json.dumps(reply)) if command.repeat else reply, None
    except StoreError:
        raise
    except Exception as wrong:
        if type(wrong).__module__.startswith("sqlalchemy."):
            raise
        return None, wrong
