"""Refuse in advance what cannot fit into memory."""

from __future__ import annotations

import os
from pathlib import Path

from lapwing.errors import InputError

MEMORY_FILE = Path("/proc/meminfo")


def free_memory() -> int | None:
    """Return the bytes that a program can have without swapping; None where nobody can tell.

    Examples
    --------
    >>> found = free_memory()
    >>> found is None or found > 0
    True
    """
    try:
        for line in MEMORY_FILE.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return 1024 * int(line.split()[1])
    except (OSError, ValueError):
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def fits_in_memory(what: str, needed: int, advice: str) -> None:
    """Raise unless this many bytes are free; `advice` says what to do instead.

    Examples
    --------
    >>> fits_in_memory("scores", 10**18, "name fewer classes")
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: scores need about 1,000,000,000 GB of memory, ... name fewer classes
    """
    free = free_memory()
    if free is not None and needed > free:
        raise InputError(
            f"{what} need about {needed / 1e9:,.0f} GB of memory, {free / 1e9:,.0f} GB are free: "
            f"{advice}"
        )
