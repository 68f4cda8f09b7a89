"""A command at a terminal of its own, as a person sees it: what it shows, and keys to press."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
SECONDS = 240.0
PROMPT = "→ "
"""What ``lapwing label`` shows when it waits for a key."""


class Terminal:
    """``lapwing`` run at a pseudo-terminal.

    `screen` is all text shown so far without colours; `raw` are the bytes as they came.
    """

    def __init__(self, *arguments: object, columns: int = 200) -> None:
        self.ours, theirs = pty.openpty()
        command = [sys.executable, "-m", "lapwing", *map(str, arguments)]
        environment = os.environ | {"COLUMNS": str(columns), "TERM": "xterm-256color"}
        self.process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment
        )
        os.close(theirs)
        self.raw = b""

    @property
    def screen(self) -> str:
        return ANSI.sub("", self.raw.decode(errors="replace")).replace("\r\n", "\n")

    def until(self, done: Callable[[str], bool]) -> str:
        """Read until the screen is as it should be, or the command ends; the screen."""
        end = time.monotonic() + SECONDS
        while not done(self.screen):
            if time.monotonic() > end:
                raise TimeoutError(f"nothing came in {SECONDS} s:\n{self.screen[-2000:]}")
            if not select.select([self.ours], [], [], 0.5)[0]:
                if self.process.poll() is not None:
                    break
                continue
            try:
                read = os.read(self.ours, 65536)
            except OSError:
                break
            if not read:
                break
            self.raw += read
        return self.screen

    def prompted(self, number: int) -> str:
        """Wait until it has waited for a key so many times."""
        return self.until(lambda screen: screen.count(PROMPT) >= number)

    def press(self, keys: str) -> None:
        os.write(self.ours, keys.encode())

    def answer(self, keys: str) -> str:
        """Press keys one by one, each after a new question; the screen after the last."""
        for key in keys:
            shown = self.screen.count(PROMPT)
            self.press(key)
            self.prompted(shown + 1)
        return self.screen

    def leave(self) -> str:
        """Press q and wait for the end; the screen."""
        self.press("q")
        self.until(lambda screen: "to continue" in screen)
        self.process.wait(60)
        return self.screen

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait(60)
        os.close(self.ours)
