"""Transactions of a store: one per call or, together, one for many."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from threading import RLock, get_ident

from sqlalchemy.engine import Connection, Engine
from sqlalchemy.pool import StaticPool

from lapwing.session.store.connection import in_our_words


class Transactions:
    """Transactions on one database, which may be shared by threads.

    Writers take turns. Readers do not wait, except in memory, where all share one connection.
    """

    def __init__(self, engine: Engine, where: str) -> None:
        self.engine, self.where = engine, where
        self._lock = RLock()
        self._open: tuple[int, Connection] | None = None

    @property
    def _mine(self) -> Connection | None:
        """The connection of `together`, in the thread that is inside."""
        now = self._open
        return now[1] if now is not None and now[0] == get_ident() else None

    @contextmanager
    def together(self) -> Iterator[Connection]:
        """Commit all that this thread writes inside at once, at the end, or nothing of it."""
        with self._lock, in_our_words(self.where), self.engine.begin() as connection:
            self._open = get_ident(), connection
            try:
                yield connection
            finally:
                self._open = None

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction of its own, or the one of `together`."""
        mine = self._mine
        if mine is not None:
            with in_our_words(self.where):
                yield mine
            return
        with self._lock, in_our_words(self.where), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection for reading; inside `together` it sees what was written there."""
        mine = self._mine
        if mine is not None:
            with in_our_words(self.where):
                yield mine
            return
        turns = self._lock if isinstance(self.engine.pool, StaticPool) else nullcontext()
        with turns, in_our_words(self.where), self.engine.connect() as connection:
            yield connection.execution_options(reading=True)
