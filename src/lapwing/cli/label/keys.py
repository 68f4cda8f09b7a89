"""One key at a time from a terminal."""

from __future__ import annotations

import os
import select
import sys
import termios
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager

ENTER = ("\n", "\r")
ESCAPE = b"\x1b"
SEQUENCE_SECONDS = 0.02
"""The bytes of an arrow or function key arrive within this time."""


def at_terminal() -> bool:
    """Whether a person can see the questions and type answers."""
    return sys.stdin.isatty() and sys.stdout.isatty()


@contextmanager
def keys() -> Iterator[tuple[Callable[[], str], Callable[[], None]]]:
    """Two functions: one waits for the next key ("" at the end of the input), one forgets keys.

    Keys typed before a question is shown are forgotten, so that nobody answers a question unseen.
    The terminal stays in one mode throughout. Ctrl-C interrupts.
    """
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor, termios.TCSADRAIN)
        yield lambda: _next(descriptor), lambda: termios.tcflush(descriptor, termios.TCIFLUSH)
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def _next(descriptor: int) -> str:
    first = os.read(descriptor, 1)
    if first == ESCAPE:
        while select.select([descriptor], [], [], SEQUENCE_SECONDS)[0]:
            first += os.read(descriptor, 1)
        return first.decode("utf-8", errors="replace")
    more = {0b110: 1, 0b1110: 2, 0b11110: 3}
    for lead, count in more.items():
        if first and first[0] >> (6 - count) == lead:
            first += os.read(descriptor, count)
    return first.decode("utf-8", errors="replace")
