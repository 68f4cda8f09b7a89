"""What runs inside a worker: its share of the blocks, long-lived, and the tasks on it.

A share is opened once and changed in place by tasks that the driver pins to its worker. A task on
a share that is not there, because its worker was replaced, raises `LostShareError`; the driver then
opens all shares again from the last checkpoint.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lapwing.cluster.engine.checkpoint import load_columns, save_columns
from lapwing.cluster.engine.messages import Messages
from lapwing.cluster.engine.part import HeldPart, Step, Work
from lapwing.cluster.graph import PartitionedGraph
from lapwing.errors import LapwingError


class LostShareError(LapwingError):
    """A worker no longer has the share that a task needs."""


class ShareKey(NamedTuple):
    """The share of one worker in one attempt at a job."""

    job: str
    attempt: int
    worker: int


_SHARES: dict[ShareKey, HeldPart] = {}
_SENDS: dict[tuple[ShareKey, int], Messages] = {}
_RECEIVED: dict[ShareKey, int] = {}


def open_share(
    key: ShareKey, folder: str, numbers: Sequence[int], checkpoint: str | None
) -> NDArray[np.int64]:
    """Read, verify and join the blocks of a share; return the nodes of its halo."""
    graph = PartitionedGraph(folder)
    graph.verify(numbers)
    blocks = [(number, graph.manifest.blocks[number]) for number in numbers]
    part = HeldPart(blocks, graph.n_nodes, lambda number: graph.block(number, mapped=False))
    if checkpoint is not None:
        load_columns(part, Path(checkpoint))
    _SHARES[key], _RECEIVED[key] = part, 0
    _give_back_memory()
    return part.matrix.halo


def halo_between(halo: NDArray[np.int64], first: int, stop: int) -> NDArray[np.int64]:
    """Return the part of a halo that one other share owns, as rows of that share."""
    low, high = np.searchsorted(halo, (first, stop))
    return np.asarray(halo[low:high] - first)


def expect(key: ShareKey, to: int, rows: NDArray[np.int64], _after: Any) -> int:
    """Remember the rows that another share needs before each pass; return how many."""
    _share(key)
    _SENDS[key, to] = Messages(rows)
    return len(rows)


def outgoing(
    key: ShareKey, step: Step, to: int, goes_on: bool, kind: str, *_after: Any
) -> NDArray[Any]:
    """Return what another share needs for a pass, in one array."""
    if kind:
        step = step._replace(settles=False)
    message = _share(key).message(step, _SENDS[key, to], goes_on=goes_on)
    return message.astype(kind) if kind else message


def advance(key: ShareKey, step: Step, places: Sequence[int], _after: Any, *messages: Any) -> int:
    """Do one pass, with what has come from the other shares; return its bytes so far."""
    share = _share(key)
    for place, message in zip(places, messages, strict=True):
        share.receive(step, place, message)
        _RECEIVED[key] += message.nbytes
    share.step(step)
    return _RECEIVED[key]


def perform(
    key: ShareKey, work: Work, arguments: tuple[Any, ...], _after: Any
) -> NDArray[Any] | None:
    """Do a work on the share."""
    return work(_share(key), *arguments)


def save_share(key: ShareKey, folder: str, _after: Any) -> bool:
    """Write the share's columns, block by block."""
    save_columns(_share(key), Path(folder))
    return True


def peak_memory(key: ShareKey) -> dict[str, int]:
    """Return the bytes of the share: its matrix, its columns, and of these the halo's."""
    share = _share(key)
    matrix = share.matrix
    arrays = (matrix.starts, matrix.ends, matrix.halo, matrix.weights, matrix.components)
    sizes = [array.nbytes for array in arrays if array is not None]
    return {"matrix": sum(sizes), "halo_rows": len(matrix.halo), "rows": share.rows}


def forget_job(job: str) -> None:
    """Forget everything about a job."""
    for key in [key for key in _SHARES if key.job == job]:
        _SHARES.pop(key, None)
        _RECEIVED.pop(key, None)
    for pair in [pair for pair in _SENDS if pair[0].job == job]:
        _SENDS.pop(pair, None)
    _give_back_memory()


def _share(key: ShareKey) -> HeldPart:
    found = _SHARES.get(key)
    if found is None:
        raise LostShareError(f"share {key.worker} of job {key.job} is no longer on this worker")
    return found


def _give_back_memory() -> None:
    """Return freed memory to the system, where the C library can."""
    try:
        ctypes.CDLL("libc.so.6").malloc_trim(0)
    except (OSError, AttributeError):
        return
