"""CPU seconds and memory of what is measured."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def cpu(act: Callable[[], Any]) -> tuple[Any, float]:
    """The result, and the CPU seconds it took."""
    start = time.process_time()
    return act(), time.process_time() - start


def memory() -> float:
    """The memory that the process holds now, in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
