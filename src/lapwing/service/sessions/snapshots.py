"""Snapshots: what a learner knows, kept in files so that a start need not learn it again.

They only save time. The database holds the digest of the file and the place in the log at which it
was taken. A snapshot is used if both are as recorded and the same programs made it; any other is
ignored, with a line in the service's log, and the labels are learned again.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import platform
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import scipy
import structlog
from sqlalchemy import delete, insert, select
from sqlalchemy.engine import Connection

import lapwing
from lapwing.errors import InputError
from lapwing.service.database.tables import snapshots
from lapwing.session import Dialogue, Store
from lapwing.session.log.journal import Learned

MADE_WITH = (
    f"lapwing {lapwing.__version__}, Python {platform.python_version()}, "
    f"NumPy {np.__version__}, SciPy {scipy.__version__}"
)
EVERY = 500
"""Changes of labels after which a new snapshot is worth its time in any case."""


class Snapshots:
    """The snapshots of one service, in a folder that only the service can write."""

    def __init__(self, folder: Path, store: Store) -> None:
        self.folder, self.store = folder, store
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._log = structlog.get_logger("lapwing.service")

    def taken(self, session: str, dialogue: Dialogue) -> tuple[dict[str, Any], bytes] | None:
        """Return a snapshot to keep; the caller keeps writers out meanwhile, but not for `kept`."""
        try:
            content = pickle.dumps(tuple(dialogue.learned()), protocol=5)
        except (pickle.PicklingError, TypeError, AttributeError) as wrong:
            self._log.info("no snapshot", session=session, reason=str(wrong))
            return None
        row = {
            "session": session,
            "number": dialogue.state.n_events,
            "head": dialogue.head,
            "digest": hashlib.sha256(content).hexdigest(),
            "made_with": MADE_WITH,
        }
        return row, content

    def kept(self, row: dict[str, Any], content: bytes) -> None:
        """Keep a snapshot in place of the one before."""
        _write(self._file(row["digest"]), content)
        with self.store.together() as connection:
            before = self._row(connection, row["session"])
            connection.execute(delete(snapshots).where(snapshots.c.session == row["session"]))
            connection.execute(insert(snapshots).values(**row))
        if before is not None and before.digest != row["digest"]:
            self._file(before.digest).unlink(missing_ok=True)

    def taken_up(self, session: str, dialogue: Dialogue) -> bool:
        """Let a session that was just replayed go on from its snapshot; whether there was one."""
        with self.store.reading() as connection:
            row = self._row(connection, session)
        if row is None:
            return False
        try:
            dialogue.resume(self._checked(row, dialogue))
        except (InputError, OSError) as wrong:
            self._log.warning("snapshot ignored", session=session, reason=str(wrong))
            return False
        return True

    def forgotten(self, connection: Connection, session: str) -> None:
        """Remove the snapshot of a session that is deleted."""
        row = self._row(connection, session)
        if row is not None:
            connection.execute(delete(snapshots).where(snapshots.c.session == session))
            with suppress(OSError):
                self._file(row.digest).unlink(missing_ok=True)

    def _checked(self, row: Any, dialogue: Dialogue) -> Learned:
        """The snapshot, if it is what was written, by these programs, from this log."""
        if row.made_with != MADE_WITH:
            raise InputError(f"it must be made with {MADE_WITH}, got {row.made_with}")
        if not _is_at(self.store, dialogue, row.number, row.head):
            raise InputError(f"it must stem from this log, whose event {row.number} is another")
        content = self._file(row.digest).read_bytes()
        if hashlib.sha256(content).hexdigest() != row.digest:
            raise InputError("its file must be as it was written, it is damaged")
        return Learned(*pickle.loads(content))

    def _file(self, digest: str) -> Path:
        return self.folder / f"{digest}.snapshot"

    def _row(self, connection: Connection, session: str) -> Any:
        return connection.execute(select(snapshots).where(snapshots.c.session == session)).first()


def _is_at(store: Store, dialogue: Dialogue, number: int, head: str) -> bool:
    """Whether the log's digest was this one after so many events."""
    if number == 0:
        return head == dialogue.record.root
    _, lines = store.lines(dialogue.record, after=number - 1)
    return bool(lines) and (lines[0].number, lines[0].digest) == (number, head)


def _write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, on disk before it is named."""
    fresh = path.with_suffix(f".{os.getpid()}")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
