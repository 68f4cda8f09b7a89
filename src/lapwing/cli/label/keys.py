"""One key at a time from a terminal, none lost however fast they come."""

from __future__ import annotations

import os
import sys
import termios
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def keys() -> Iterator[Callable[[], str]]:
    """A function that waits for the next key; "" at the end of the input.

    The terminal stays in one mode from the first key to the last, so that what is typed
    between two questions is read after them. Ctrl-C interrupts as ever.
    """
    descriptor = sys.stdin.fileno()
    if not os.isatty(descriptor):
        yield lambda: _next(descriptor)
        return
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor, termios.TCSADRAIN)
        yield lambda: _next(descriptor)
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def _next(descriptor: int) -> str:
    first = os.read(descriptor, 1)
    more = {0b110: 1, 0b1110: 2, 0b11110: 3}
    for lead, count in more.items():
        if first and first[0] >> (6 - count) == lead:
            first += os.read(descriptor, count)
    return first.decode("utf-8", errors="replace")
