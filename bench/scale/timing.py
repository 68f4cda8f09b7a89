"""Seconds and peaks of memory, as lines of the table of works."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Found = list[dict[str, Any]]


def spent(act: Callable[[], Any], repeats: int = 1) -> tuple[float, float]:
    """CPU seconds of all threads and seconds on the clock, the least of several runs each."""
    turns = []
    for _ in range(repeats):
        start = time.process_time(), time.perf_counter()
        act()
        turns.append((time.process_time() - start[0], time.perf_counter() - start[1]))
    return min(cpu for cpu, _ in turns), min(wall for _, wall in turns)


def peak() -> float:
    """Peak memory of this process in GB; `getrusage` would count its parent's, too."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(r"VmHWM:\s*(\d+) kB", status)[1]) * 1024 / 1e9


def row(
    what: str, took: tuple[float, float], rival: str = "", other: float = float("nan"), **more: Any
) -> dict[str, Any]:
    seconds, wall = took
    told = {"what": what, "cpu": seconds, "wall": wall, "rival": rival, "other": other}
    return {**told, "peak": peak(), **more}
