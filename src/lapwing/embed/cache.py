"""A cache of embeddings on disk, so that each graph is embedded only once."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from lapwing.types import Array

MAGIC = b"lapwing rows 1\n"
LIMIT = 4 * 2**30
"""Size of the folder in bytes above which the least recently used files are removed."""


class RowCache:
    """A folder of arrays by key; each array is checked when it is read.

    A file holds a line with the array's shape and sha256, followed by its bytes. A file that does
    not match its checksum (truncated, damaged, another format) counts as absent and is removed.
    Files are written atomically, so several processes can share the folder. If the folder is not
    writable, nothing is cached.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     cache = RowCache(Path(folder))
    ...     cache.store("karate, rank 2", np.ones((34, 1)))
    ...     cache.load("karate, rank 2").shape, cache.load("another") is None, cache.clear()
    ((34, 1), True, 1)
    """

    def __init__(self, folder: Path, *, limit: int = LIMIT) -> None:
        self.folder, self.limit = folder, limit

    def path(self, key: str) -> Path:
        """Return the path of the array with that key."""
        return self.folder / f"{hashlib.sha256(key.encode()).hexdigest()[:40]}.rows"

    def load(self, key: str) -> Array | None:
        """Return the array with that key, or None if it is absent or damaged."""
        path = self.path(key)
        try:
            with path.open("rb") as file:
                rows = _read(file, key)
        except OSError:
            return None
        with suppress(OSError):
            if rows is None:
                path.unlink()
            else:
                os.utime(path)
        return rows

    def store(self, key: str, rows: NDArray[np.floating[Any]]) -> None:
        """Store an array; the least recently used ones go if the folder outgrows its limit."""
        kind = "<f4" if rows.dtype == np.float32 else "<f8"
        rows = np.ascontiguousarray(rows, dtype=kind)
        digest = hashlib.sha256(rows.data).hexdigest()
        note = {"key": key, "shape": rows.shape, "kind": kind, "sha256": digest}
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=self.folder, suffix=".part")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(MAGIC + json.dumps(note).encode() + b"\n")
                    file.write(rows.data)
                os.replace(temporary, self.path(key))
            finally:
                Path(temporary).unlink(missing_ok=True)
            self._keep_within_limit()

    def clear(self) -> int:
        """Remove every file of the cache and return their number."""
        files = self._files()
        for path in files:
            path.unlink(missing_ok=True)
        for leftover in self.folder.glob("*.part"):
            leftover.unlink(missing_ok=True)
        return len(files)

    def _files(self) -> list[Path]:
        """List the cached files, least recently used first."""
        return sorted(self.folder.glob("*.rows"), key=_last_use)

    def _keep_within_limit(self) -> None:
        files = self._files()
        sizes = [path.stat().st_size for path in files]
        total = sum(sizes)
        for path, size in zip(files[:-1], sizes, strict=False):
            if total <= self.limit:
                return
            total -= size
            path.unlink(missing_ok=True)


def _last_use(path: Path) -> float:
    """Return when a file was last used; 0 if another process has just removed it."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _read(file: BinaryIO, key: str) -> Array | None:
    """Read the array in a file if it is intact and has that key."""
    if file.readline() != MAGIC:
        return None
    try:
        note = json.loads(file.readline())
        shape, digest, found = tuple(note["shape"]), note["sha256"], note["key"]
        kind = {"<f4": np.float32}.get(note.get("kind"), np.float64)
    except (ValueError, KeyError, TypeError):
        return None
    values = np.fromfile(file, dtype=np.dtype(kind).newbyteorder("<"))
    fits = found == key and values.size == int(np.prod(shape)) and not file.read(1)
    if not fits or hashlib.sha256(values.data).hexdigest() != digest:
        return None
    return values.reshape(shape)


def default_cache() -> RowCache:
    """Return the user's cache: the folder ``LAPWING_CACHE``, or the platform's default.

    Examples
    --------
    >>> default_cache().folder.name
    'rows'
    """
    named = os.environ.get("LAPWING_CACHE")
    return RowCache((Path(named) if named else _platform_folder()) / "rows")


def _platform_folder() -> Path:
    try:
        home = Path.home()
    except RuntimeError:
        return Path(tempfile.gettempdir()) / "lapwing"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "lapwing"
    variable = "LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME"
    return Path(os.environ.get(variable) or home / ".cache") / "lapwing"
