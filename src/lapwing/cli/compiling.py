"""Progress messages while code is being compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

from numba.core import event

from lapwing.cli.output import waiting

KIND = "numba:compile"


@contextmanager
def preparing(words: str) -> Iterator[None]:
    """`waiting`, for work that may compile code: it also says how many functions were compiled."""
    with waiting(words) as say, _heard(lambda seen: say(_compiled(words, seen.count))):
        yield


@contextmanager
def compile_time() -> Iterator[Compilations]:
    """Counts functions that are compiled in the meantime, and the seconds that takes."""
    with _heard(lambda _: None) as seen:
        yield seen


class Compilations(event.Listener):
    """Functions compiled so far and the seconds that took; tells `told`, at most once a second."""

    def __init__(self, told: Callable[[Compilations], None]) -> None:
        self.count, self.seconds = 0, 0.0
        self._told, self._last, self._started = told, 0.0, list[float]()

    def on_start(self, _: Any) -> None:
        """One begins, perhaps inside another."""
        self._started.append(monotonic())

    def on_end(self, ended: Any) -> None:
        """One more is done; only the outermost one's time counts."""
        began, now = self._started.pop(), monotonic()
        if not self._started:
            self.seconds += now - began
        function = getattr(ended.data.get("dispatcher"), "py_func", None)
        if str(getattr(function, "__module__", "")).startswith("lapwing."):
            self.count += 1
            if now - self._last >= 1.0:
                self._last = now
                self._told(self)


@contextmanager
def _heard(told: Callable[[Compilations], None]) -> Iterator[Compilations]:
    listener = Compilations(told)
    event.register(KIND, listener)
    try:
        yield listener
    finally:
        event.unregister(KIND, listener)


def _compiled(words: str, count: int) -> str:
    functions = "1 function" if count == 1 else f"{count} functions"
    return f"{words}: compiling, only this once, {functions} so far"
