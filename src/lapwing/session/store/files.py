"""The database file: private, created atomically, and checked before it is used."""

from __future__ import annotations

import os
from pathlib import Path

from lapwing.session.store.logs import StoreError

APPLICATION = 0x4C415057
"""SQLite's application id of our files: "LAPW"."""
MAGIC = b"SQLite format 3\x00"
WAL_FORMAT = 2


def private_folder(folder: Path) -> None:
    """Make a folder, and those above it that are missing, for its owner alone."""
    missing = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    for each in reversed(missing):
        each.mkdir(exist_ok=True)
        each.chmod(0o700)


def private_file(path: Path) -> None:
    """Make an empty file for its owner alone, whatever the umask is."""
    handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        os.fchmod(handle, 0o600)
    finally:
        os.close(handle)


def put_in_place(fresh: Path, path: Path) -> None:
    """Give a finished file its name, unless another process was first; then that one stays."""
    with fresh.open("rb") as file:
        os.fsync(file.fileno())
    try:
        os.link(fresh, path)
    except FileExistsError:
        pass
    except OSError:
        if not path.exists():
            fresh.rename(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def check_file(path: Path) -> None:
    """Raise if a file cannot be a database of sessions, before SQLite turns it into one."""
    if not path.is_file():
        raise StoreError(f"{path} must be a file")
    with path.open("rb") as file:
        start = file.read(20)
    if not start:
        raise StoreError(f"{path} is empty: remove it to start a new database")
    if not start.startswith(MAGIC):
        raise StoreError(f"{path} cannot be used as a database: it is not an SQLite file")


def lacks_its_log(path: Path) -> bool:
    """Whether SQLite would look for a ``-wal`` file beside this one, and there is none."""
    with path.open("rb") as file:
        file.seek(18)
        version = file.read(1)
    return version == bytes([WAL_FORMAT]) and not Path(f"{path}-wal").exists()
