"""Worker processes for long work; a second request for the same work waits for the first."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from threading import Lock, Thread
from typing import Any

import structlog


class Workers:
    """Processes that are started when the first work comes."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._pool: ProcessPoolExecutor | None = None
        self._running: dict[str, Future[Any]] = {}
        self._lock = Lock()
        self._log = structlog.get_logger("lapwing.service")

    def running(self, key: str, work: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Return the work of this name that is under way, started now unless it is."""
        with self._lock:
            found = self._running.get(key)
            if found is None:
                found = self._started(work, arguments)
                self._running[key] = found
                begun = time.monotonic()
                self._log.info("work begun", work=key)
                found.add_done_callback(lambda done: self._ended(key, begun, done))
            return found

    @property
    def count(self) -> int:
        """The number of works under way."""
        return len(self._running)

    def _ended(self, key: str, begun: float, done: Future[Any]) -> None:
        self._running.pop(key, None)
        wrong = None if done.cancelled() else done.exception()
        told = {"work": key, "seconds": round(time.monotonic() - begun, 3)}
        if wrong is None:
            self._log.info("work done", **told)
        else:
            self._log.warning("work failed", **told, reason=f"{type(wrong).__name__}: {wrong}")

    def _started(self, work: Callable[..., Any], arguments: tuple[Any, ...]) -> Future[Any]:
        try:
            return self._processes().submit(work, *arguments)
        except BrokenProcessPool:
            self._pool = None
            return self._processes().submit(work, *arguments)

    def _processes(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._count, mp_context=get_context("spawn"), initializer=_end_with_the_service
            )
        return self._pool

    def close(self) -> None:
        """Stop without waiting for what is under way."""
        if self._pool is not None:
            for process in list((self._pool._processes or {}).values()):
                process.terminate()
            self._pool.shutdown(wait=False, cancel_futures=True)


def _end_with_the_service() -> None:
    """Let this worker end when the service is gone, also if it was killed."""
    service = parent_process()

    def wait() -> None:
        if service is not None:
            service.join()
            os._exit(1)

    Thread(target=wait, name="parent", daemon=True).start()
