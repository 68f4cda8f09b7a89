"""Run independent tasks, here one after the other or on a cluster; a lost worker's run again."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from typing import Any, Protocol, TypeVar

from lapwing.cluster.connection import Cluster
from lapwing.cluster.engine.waiting import PATIENCE
from lapwing.errors import LapwingError
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

    def __init__(self, cluster: Cluster, each: Advance | None = None) -> None:
        self._cluster, self._each = cluster, each

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

    def as_done(
        self, function: Callable[..., Result], items: Iterable[Any]
    ) -> Generator[Result, None, None]:
        """Yield each result when it is there, in any order."""
        client = self._cluster.client
        futures = [client.submit(function, item, pure=False) for item in items]
        try:
            for future in self._done(futures):
                yield future.result()
        finally:
            client.cancel(futures)

    def _wait(self, futures: Sequence[Any]) -> None:
        for done, _ in enumerate(self._done(futures), start=1):
            if self._each is not None:
                self._each(done, len(futures))

    def _done(self, futures: Sequence[Any]) -> Iterator[Any]:
        """Yield tasks that are done; raise the error of one that failed."""
        left = list(futures)
        while left:
            try:
                self._cluster.wait(left, PATIENCE, for_all=False)
            except (TimeoutError, CancelledError):
                self._cluster.addresses()  # raises if the scheduler is gone
            ready = [future for future in left if future.done()]
            left = [future for future in left if not future.done()]
            for future in ready:
                if future.status != "finished":
                    raise _said(future)
                yield future


def _said(future: Any) -> BaseException:
    """The error of a task; of a task whose workers died again and again, it says so."""
    if future.status != "error":
        return LapwingError("a task was lost together with the scheduler or its worker")
    error: BaseException = future.exception()
    killed = need("distributed.scheduler", extra="cluster").KilledWorker
    if isinstance(error, killed):
        return LapwingError(f"a task's workers died again and again, for lack of memory? {error}")
    return error
