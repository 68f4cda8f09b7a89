"""Something that takes long to make, in the background if asked."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock, Thread
from typing import Self

from lapwing.types import Array


class Making:
    """The result of a function, made once: when it is first needed, or in a thread before that.

    Copies share it. An error is raised where the result is asked for.

    Examples
    --------
    >>> import numpy as np
    >>> made = Making(lambda: np.ones(2))
    >>> made.is_done, made.result().tolist(), made.is_done
    (False, [1.0, 1.0], True)
    """

    def __init__(self, function: Callable[[], Array]) -> None:
        self._function, self._lock = function, Lock()
        self._found: Array | None = None
        self._failed: Exception | None = None
        self._thread: Thread | None = None

    @property
    def is_done(self) -> bool:
        """Whether the result is there, or an error instead."""
        return self._found is not None or self._failed is not None

    def begin(self) -> None:
        """Begin in the background, unless it has begun."""
        with self._lock:
            if self._thread is None and not self.is_done:
                self._thread = Thread(target=self._make, daemon=True, name="lapwing rows")
                self._thread.start()

    def result(self) -> Array:
        """The result; waits for it if it is not there yet."""
        if self._found is not None:
            return self._found
        if self._thread is not None:
            self._thread.join()
        with self._lock:
            if not self.is_done:
                self._make()
        if self._failed is not None:
            raise self._failed
        assert self._found is not None
        return self._found

    def _make(self) -> None:
        try:
            self._found = self._function()
        except Exception as failed:  # it is raised where the result is needed
            self._failed = failed

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __getstate__(self) -> Array:
        """What is kept of it is its result, made now if it is not there yet."""
        return self.result()

    def __setstate__(self, found: Array) -> None:
        self.__init__(lambda: found)  # type: ignore[misc]  # made already: nothing else to keep
        self._found = found
