"""CPU seconds and memory of what is measured."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from typing import Any


def cpu(act: Callable[[], Any]) -> tuple[Any, float]:
    """The result, and the CPU seconds it took."""
    start = time.process_time()
    return act(), time.process_time() - start


def peak() -> int:
    """The largest memory so far, in KB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
