"""Files and folders that are complete or not there."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def swapped_file(path: Path) -> Iterator[Path]:
    """A file that takes its name when it is complete.

    It is not forced to the disk, as `replaced_file` does: what is written here can be made again.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        yield fresh
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


@contextmanager
def swapped_folder(path: Path, check: Callable[[Path], None]) -> Iterator[Path]:
    """A folder that takes its name when it is complete; nothing is left of it otherwise.

    `check` raises if a folder of that name must not be replaced.
    """
    check(path)
    fresh = path.with_name(f".{path.name}.part")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    try:
        yield fresh
        if path.exists():
            shutil.rmtree(path)
        fresh.replace(path)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
