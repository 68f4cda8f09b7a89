"""The outbox: what is to be sent is on disk first, so that a crash of the client loses nothing."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from typing import IO, Any, NamedTuple
from uuid import uuid4

from lapwing.errors import InputError


class Letter(NamedTuple):
    """A request that waits: its key makes sending it twice harmless."""

    key: str
    path: str
    body: Any


class Outbox:
    """Requests that were not acknowledged yet, in order; in a file, or in memory without one.

    Each is a line of the file, synchronised to disk before it is sent. A line cut short by a crash
    was never sent and is dropped. One client at a time uses a file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     box = Outbox(Path(folder) / "outbox.jsonl")
    ...     letter = box.added("/labels", {"node": "ada"})
    ...     box.close()
    ...     again = Outbox(Path(folder) / "outbox.jsonl")
    ...     waiting = [each.body for each in again.waiting]
    ...     again.done(again.waiting[0])
    ...     again.close()
    >>> waiting, again.waiting
    ([{'node': 'ada'}], [])
    """

    def __init__(self, path: str | Path | None = None) -> None:
        self.waiting: list[Letter] = []
        self._file: IO[bytes] | None = None
        if path is not None:
            self._file = _opened(Path(path))
            self.waiting = _unsent(self._file)

    def added(self, path: str, body: Any) -> Letter:
        """Keep a request; it is on disk when this returns."""
        letter = Letter(str(uuid4()), path, body)
        self._write({"key": letter.key, "path": path, "body": body})
        self.waiting.append(letter)
        return letter

    def done(self, letter: Letter) -> None:
        """Forget a request that was acknowledged."""
        self.waiting.remove(letter)
        if not self.waiting and self._file is not None:
            self._file.truncate(0)
            self._file.seek(0)
        else:
            self._write({"done": letter.key})

    def close(self) -> None:
        """Let go of the file; what waits stays in it."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _write(self, line: dict[str, Any]) -> None:
        if self._file is not None:
            self._file.write(json.dumps(line).encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())


def _opened(path: Path) -> IO[bytes]:
    path.parent.mkdir(parents=True, exist_ok=True)
    file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600), "r+b")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise InputError(f"another client uses the outbox {path}: give each its own") from None
    return file


def _unsent(file: IO[bytes]) -> list[Letter]:
    found: dict[str, Letter] = {}
    whole = 0
    for line in file.read().splitlines(keepends=True):
        if not line.endswith(b"\n"):
            break
        try:
            told = json.loads(line)
        except ValueError:
            break
        whole += len(line)
        if "done" in told:
            found.pop(told["done"], None)
        else:
            found[told["key"]] = Letter(told["key"], told["path"], told["body"])
    file.truncate(whole)
    return list(found.values())
