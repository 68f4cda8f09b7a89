"""Counts of requests in fixed windows of time, kept in memory for `limits`."""

from __future__ import annotations

import time

from limits.storage import Storage

MOST = 100_000
"""Windows after which those that are over are dropped."""


class Windows(Storage):
    """The count and the end of each window.

    The event loop alone counts, so there is nothing to lock, and windows that are over are dropped
    when there are many. The memory storage of `limits` starts a thread for that a hundred times a
    second, which took a quarter of the time of a request.

    Examples
    --------
    >>> windows = Windows()
    >>> windows.incr("ada", 60), windows.incr("ada", 60), windows.get("bo")
    (1, 2, 0)
    """

    STORAGE_SCHEME = None

    def __init__(self) -> None:
        super().__init__()
        self._windows: dict[str, tuple[int, float]] = {}

    @property
    def base_exceptions(self) -> type[Exception]:
        """What can go wrong here."""
        return ValueError

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Count, and return the count of the window."""
        now = time.monotonic()
        count, end = self._windows.get(key, (0, 0.0))
        if end <= now:
            count, end = 0, now + expiry
            if len(self._windows) >= MOST:
                self._windows = {k: w for k, w in self._windows.items() if w[1] > now}
        self._windows[key] = count + amount, end
        return count + amount

    def get(self, key: str) -> int:
        """Return the count of the window that has not ended."""
        count, end = self._windows.get(key, (0, 0.0))
        return count if end > time.monotonic() else 0

    def get_expiry(self, key: str) -> float:
        """Return when the window ends, in seconds since 1970."""
        now = time.monotonic()
        return time.time() + max(self._windows.get(key, (0, now))[1] - now, 0.0)

    def check(self) -> bool:
        """Whether counting is possible."""
        return True

    def reset(self) -> int:
        """Forget all windows, and return how many there were."""
        count = len(self._windows)
        self._windows.clear()
        return count

    def clear(self, key: str) -> None:
        """Forget one window."""
        self._windows.pop(key, None)
