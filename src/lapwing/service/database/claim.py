"""One service per database file: a second one would not see what the first writes."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import IO

from lapwing.errors import InputError


def claimed(database: Path, *, shared: bool) -> IO[bytes]:
    """Hold a database file until what is returned is closed, or the process ends.

    Server processes that know of each other hold it together (`shared`).

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with claimed(Path(folder) / "service.db", shared=False):
    ...         claimed(Path(folder) / "service.db", shared=False)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: another service runs with service.db: stop it first, or serve with...
    """
    path = database.with_name(f"{database.name}-serve")
    file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b")
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise InputError(
            f"another service runs with {database.name}: stop it first, or serve with several "
            "--workers"
        ) from None
    return file
