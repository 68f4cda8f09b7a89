"""Refuse in advance what cannot fit into memory."""

from __future__ import annotations

import os
from pathlib import Path

from lapwing.errors import InputError

MEMORY_FILE = Path("/proc/meminfo")
CONTAINER = Path("/sys/fs/cgroup")
"""Where a container's limit and use of memory are told."""


def free_memory() -> int | None:
    """Return the bytes that a program can have without swapping; None where nobody can tell.

    A container's limit counts if it is lower than the machine's memory, and so does a limit of this
    process (``ulimit -v``).

    Examples
    --------
    >>> found = free_memory()
    >>> found is None or found > 0
    True
    """
    known = [each for each in (_of_machine(), _of_container(), _of_process()) if each is not None]
    return max(min(known), 0) if known else None


def _of_machine() -> int | None:
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


def _of_container() -> int | None:
    """What is left of a container's limit; files that it has read make room when needed."""
    try:
        limit = int((CONTAINER / "memory.max").read_text())
        used = int((CONTAINER / "memory.current").read_text())
        facts = dict(line.split() for line in (CONTAINER / "memory.stat").read_text().splitlines())
        return limit - used + int(facts.get("inactive_file", 0))
    except (OSError, ValueError):  # no container, or "max"
        return None


def _of_process() -> int | None:
    try:
        import resource  # noqa: PLC0415 - not on Windows

        limit, _ = resource.getrlimit(resource.RLIMIT_AS)
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (ImportError, OSError, ValueError):
        return None
    return None if limit == resource.RLIM_INFINITY else limit - pages * resource.getpagesize()


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
            f"{what} need about {memory_size(needed)} of memory, {memory_size(free)} are free: "
            f"{advice}"
        )


def memory_size(count: int) -> str:
    """Return a number of bytes for people.

    Examples
    --------
    >>> memory_size(1_234_000_000), memory_size(45_600_000_000), memory_size(3_000_000)
    ('1.2 GB', '46 GB', '3 MB')
    """
    if count >= 1e10:
        return f"{count / 1e9:,.0f} GB"
    return f"{count / 1e9:.1f} GB" if count >= 1e8 else f"{count / 1e6:.0f} MB"
