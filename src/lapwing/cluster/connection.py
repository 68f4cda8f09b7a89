"""Connect to a Dask cluster, or start one on this machine."""

from __future__ import annotations

import contextlib
import logging
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import resource_tracker
from typing import Any, Self

from lapwing.errors import InputError, LapwingError
from lapwing.optional import need

LOCAL = "local:"
TIMEOUT = 30
"""Seconds to wait for a scheduler, or for a first worker."""
MOST_LOCAL = 256
CALM = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "500 ms",
    "distributed.admin.system-monitor.interval": "5 s",
}
"""Workers of this machine do not watch themselves: that took a tenth of a core."""


class SchedulerLostError(LapwingError):
    """The scheduler no longer answers."""


class Cluster:
    """A connection to a Dask cluster; close it, or use it in a ``with`` block."""

    def __init__(self, client: Any, local: Any | None = None, count: int = 0) -> None:
        self.client, self._local, self._count = client, local, count

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; a cluster that was started here is stopped."""
        with contextlib.suppress(Exception):
            self.client.close(timeout=5)
        if self._local is not None:
            with contextlib.suppress(Exception):
                self._local.close(timeout=20)
            self._local = None

    def addresses(self) -> list[str]:
        """Return the addresses of the workers that are there now; some may be on their way."""
        try:
            found = sorted(self.client.nthreads())
        except Exception as gone:
            raise SchedulerLostError(
                f"the scheduler no longer answers ({type(gone).__name__}): start it again and run "
                "the same command, which continues from its last checkpoint"
            ) from gone
        if self._local is not None and len(found) < self._count:
            # A worker that is killed while it starts, or starts slowly, is given up by its nanny or
            # by the cluster: neither would replace it. Where one is on its way, this does nothing.
            self._local.scale(self._count)
        return found

    def workers(self) -> list[str]:
        """Return the addresses of the workers, waiting for a first one if there is none."""
        end = time.monotonic() + TIMEOUT
        while not (found := self.addresses()):
            if time.monotonic() > end:
                raise LapwingError(f"a cluster must have a worker, none came within {TIMEOUT} s")
            time.sleep(0.1)
        return found

    def pinned(self, address: str, task: Callable[..., Any], *arguments: Any) -> Any:
        """Submit a task to one worker; it is never moved to another."""
        return self.client.submit(
            task, *arguments, workers=[address], allow_other_workers=False, pure=False
        )

    def wait(self, futures: Sequence[Any], seconds: float, *, for_all: bool = True) -> None:
        """Wait until all tasks are done, or one of them; raise if that takes longer."""
        distributed = need("distributed", extra="cluster")
        until = "ALL_COMPLETED" if for_all else "FIRST_COMPLETED"
        with self.client.as_current():  # there may be another client in this process, or none
            distributed.wait(list(futures), timeout=seconds, return_when=until)

    def fetched(self, futures: Sequence[Any]) -> list[Any]:
        """Return the results of tasks that are done."""
        return list(self.client.gather(list(futures)))

    def release(self, job: str) -> None:
        """Let all workers forget a job."""
        forget = need("lapwing.cluster.engine.worker", extra="cluster").forget_job
        with contextlib.suppress(Exception):
            self.client.run(forget, job)


def connect(address: str) -> Cluster:
    """Connect to the scheduler at ``tcp://...``, or start ``local:4``: four workers here.

    Workers open a graph's folder by its path, so all machines must see it under the same one.

    Examples
    --------
    >>> connect("local:0")
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: a cluster must be tcp://host:port or local:N with N from 1 to 256,
    got 'local:0'
    """
    if address.startswith(LOCAL):
        count = address.removeprefix(LOCAL)
        if count.isdigit() and 1 <= int(count) <= MOST_LOCAL:
            return _started(int(count))
    elif address.startswith(("tcp://", "tls://", "ucx://")):
        return _connected(address)
    raise InputError(
        f"a cluster must be tcp://host:port or local:N with N from 1 to {MOST_LOCAL}, "
        f"got {address!r}"
    )


def _started(count: int) -> Cluster:
    distributed = need("distributed", extra="cluster")
    _quiet()
    config = need("dask", extra="cluster").config
    with _no_interrupts(), config.set(CALM):
        local = distributed.LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            memory_limit=0,
            silence_logs=logging.CRITICAL,
        )
    return Cluster(distributed.Client(local), local, count)


@contextlib.contextmanager
def _no_interrupts() -> Iterator[None]:
    """Let threads that begin here, and processes that they start later, never see Ctrl-C.

    A terminal sends it to all processes: workers would print tracebacks, and are stopped by this
    process anyway. Here Ctrl-C is heard at the end of the block.
    """
    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        yield
        return
    resource_tracker.ensure_running()  # a thread that starts it would see Ctrl-C again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _connected(address: str) -> Cluster:
    distributed = need("distributed", extra="cluster")
    _quiet()
    try:
        return Cluster(distributed.Client(address, timeout=TIMEOUT, set_as_default=False))
    except (OSError, TimeoutError, ValueError) as refused:
        raise InputError(f"no scheduler answers at {address}: {refused}") from None


def _quiet() -> None:
    """Keep the reports of lost workers out of the terminal: they are handled here."""
    for name in ("distributed", "distributed.client", "distributed.scheduler", "distributed.nanny"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
