"""Run independent tasks, here one after the other or on a cluster; a lost worker's run again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import CancelledError
from typing import Any, Protocol, TypeVar

from lapwing.cluster.connection import Cluster
from lapwing.cluster.engine.waiting import PATIENCE
from lapwing.optional import need

Result = TypeVar("Result")
Advance = Callable[[int, int], None]
"""Told how many of how many tasks are done."""


class Tasks(Protocol):
    """Runs a function of each item, anywhere and more than once if need be."""

    def map(
        self, function: Callable[..., Result], items: Iterable[Any], *common: Any
    ) -> list[Result]:
        """Return the results in the order of the items."""


class HereTasks:
    """Runs tasks in this process, one after the other.

    Examples
    --------
    >>> HereTasks().map(pow, [1, 2, 3], 2)
    [1, 4, 9]
    """

    def __init__(self, each: Advance | None = None) -> None:
        self._each = each

    def map(
        self, function: Callable[..., Result], items: Iterable[Any], *common: Any
    ) -> list[Result]:
        """Return the results in the order of the items."""
        wanted, found = list(items), []
        for item in wanted:
            found.append(function(item, *common))
            if self._each is not None:
                self._each(len(found), len(wanted))
        return found


class DaskTasks:
    """Runs tasks on a cluster; Dask repeats those of a worker that is lost.

    Tasks must not depend on where they run: they read and write files of a shared folder, and write
    each file under another name first.
    """

    def __init__(self, cluster: Cluster, each: Advance | None = None, retries: int = 5) -> None:
        self._cluster, self._each, self._retries = cluster, each, retries

    def map(
        self, function: Callable[..., Result], items: Iterable[Any], *common: Any
    ) -> list[Result]:
        """Return the results in the order of the items."""
        client = self._cluster.client
        wanted = list(items)
        futures = [client.submit(function, item, *common, pure=False) for item in wanted]
        try:
            self._wait(futures)
            return list(client.gather(futures))
        except BaseException:
            client.cancel(futures)
            raise

    def _wait(self, futures: Sequence[Any]) -> None:
        distributed = need("distributed", extra="cluster")
        left = list(futures)
        while left:
            try:
                distributed.wait(left, timeout=PATIENCE, return_when="FIRST_COMPLETED")
            except (TimeoutError, CancelledError):
                self._cluster.addresses()  # raises if the scheduler is gone
            for future in left:
                if future.status == "error":
                    raise future.exception()
            left = [future for future in left if not future.done()]
            if self._each is not None:
                self._each(len(futures) - len(left), len(futures))
