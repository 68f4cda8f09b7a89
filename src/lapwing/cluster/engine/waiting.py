"""Wait for tasks that are pinned to workers, and notice when a worker or the scheduler is gone."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import CancelledError
from typing import Any

from lapwing.cluster.connection import Cluster
from lapwing.errors import LapwingError
from lapwing.optional import need

PATIENCE = 0.5
"""Seconds after which the workers are counted while tasks are waited for."""


class LostWorkerError(LapwingError):
    """A worker on which tasks depend is gone."""


def awaited(cluster: Cluster, futures: Sequence[Any], workers: Sequence[str]) -> None:
    """Return when all tasks are done; raise the first one's error, or if a worker is gone."""
    left = list(futures)
    while left:
        try:
            cluster.wait(left, PATIENCE)
            break
        except TimeoutError:
            gone = set(workers) - set(cluster.addresses())
            if gone:
                cluster.client.cancel(left)
                raise LostWorkerError(f"worker {min(gone)} is gone") from None
            left = [future for future in left if not future.done()]
        except (CancelledError, asyncio.CancelledError):
            break
    for future in futures:
        if future.status == "error":
            raise _meant(future.exception())
        if future.status in ("cancelled", "lost"):
            cluster.addresses()  # raises if it is the scheduler that is gone
            raise LostWorkerError("a worker is gone, and the tasks with it")


def _meant(error: BaseException) -> BaseException:
    """The error of a task, or that a worker was lost."""
    killed = need("distributed.scheduler", extra="cluster").KilledWorker
    return LostWorkerError(str(error)) if isinstance(error, killed) else error
