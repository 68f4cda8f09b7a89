"""The engine on a Dask cluster: a share of the blocks per worker, and only halos between them."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lapwing.cluster.connection import Cluster
from lapwing.cluster.engine import worker
from lapwing.cluster.engine.checkpoint import Checkpoints
from lapwing.cluster.engine.engine import Combining, Engine, combined
from lapwing.cluster.engine.part import Step, Work
from lapwing.cluster.engine.waiting import LostWorkerError, awaited
from lapwing.cluster.graph import PartitionedGraph
from lapwing.cluster.partition.order import balanced_cuts
from lapwing.errors import LapwingError

CHECKPOINT_EVERY = 10
CHECKPOINT_SECONDS = 30.0
"""Passes between two checkpoints, and the least time: sooner, less would be lost than they cost."""
MOST_ATTEMPTS = 20
"""How often shares are opened again before a job is given up."""


class Call(NamedTuple):
    """One call of a method: a work with its arguments, or passes."""

    work: Work | None
    arguments: tuple[Any, ...] = ()
    combine: Combining = "sum"
    steps: tuple[Step, ...] = ()


class OnDask(Engine):
    """Runs methods on a cluster: every worker holds the rows of some consecutive blocks.

    Before each pass a worker sends every other one the rows that it needs, in one array. After
    every `checkpoint_every` passes the columns are written to `checkpoints`; by default after every
    ten, but not before half a minute has passed. If a worker is lost, the shares are opened again
    by the workers that are there, from the last checkpoint, and the calls since then are repeated;
    a worker that has joined is used from the next checkpoint on, which does not wait then.
    Rows of a method that converges travel as changes in 16 bits (`Messages`), others as they are.
    `halo` is a type in which all of them travel instead: float16 costs digits.
    """

    def __init__(
        self,
        cluster: Cluster,
        graph: PartitionedGraph,
        checkpoints: Checkpoints,
        *,
        checkpoint_every: int | None = None,
        halo: str | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self.graph, self.cluster, self.checkpoints = graph, cluster, checkpoints
        self.job = secrets.token_hex(4)
        self.moved = self.moved_bytes = self.passes = self.attempts = 0
        self._every = CHECKPOINT_EVERY if checkpoint_every is None else checkpoint_every
        self._pause = CHECKPOINT_SECONDS if checkpoint_every is None else 0.0
        self._kind, self._progress = halo, progress
        self._saved = time.monotonic()
        self._results: list[NDArray[Any] | None] = []
        self._recent: list[Call] = []
        self._workers: tuple[str, ...] = ()
        self._seen: frozenset[str] = frozenset()
        self._opened = False

    def total(self, work: Work, *arguments: Any, combine: Combining = "sum") -> NDArray[Any]:
        found = self._called(Call(work, arguments, combine))
        return np.zeros(0) if found is None else found

    def steps(self, steps: Sequence[Step]) -> None:
        while steps:
            room = self._every - self.passes % self._every
            self._called(Call(None, steps=tuple(steps[:room])))
            steps = steps[room:]

    def close(self) -> None:
        """Let the workers forget the job."""
        self.cluster.release(self.job)

    def _called(self, call: Call) -> NDArray[Any] | None:
        """Do one call, again and again if workers are lost; or take its result from before."""
        index = len(self._results)
        if index < self.checkpoints.done:
            found = self.checkpoints.results[index]
            self._results.append(found)
            self._count(len(call.steps))
            return found
        while True:
            try:
                self._ready()
                found = self._performed(call)
                break
            except (LostWorkerError, worker.LostShareError) as lost:
                self._opened = False
                self.attempts += 1
                if self.attempts > MOST_ATTEMPTS:
                    raise LapwingError(f"workers are lost again and again: {lost}") from lost
        self._results.append(found)
        self._recent.append(call)
        self._count(len(call.steps))
        if call.steps and self.passes % self._every == 0 and self._is_due():
            self._save()
        return found

    def _is_due(self) -> bool:
        return time.monotonic() - self._saved >= self._pause or self._has_joined()

    def _has_joined(self) -> bool:
        return bool(set(self.cluster.addresses()) - self._seen)

    def _count(self, steps: int) -> None:
        self.passes += steps
        if self._progress is not None and steps:
            self._progress(steps)

    def _save(self) -> None:
        """Write a checkpoint; if a worker is lost meanwhile, the next call finds out."""
        fresh = self.checkpoints.begin()
        try:
            self._everywhere(worker.save_share, str(fresh))
        except (LostWorkerError, worker.LostShareError):
            self._opened = False
            self.attempts += 1
            return
        self.checkpoints.finish(fresh, self._results, passes=self.passes)
        self._recent, self._saved = [], time.monotonic()
        if self._has_joined():
            self._opened = False  # a worker has joined: share the blocks out anew

    def _ready(self) -> None:
        """Open the shares if they are not open, and repeat the calls since the checkpoint."""
        if self._opened:
            return
        self._open()
        for call in self._recent:
            self._performed(call)
        self._opened = True

    def _open(self) -> None:
        """Share the blocks out among the workers that are there; tell each what others need."""
        self.cluster.release(self.job)
        blocks = self.graph.manifest.blocks
        here = self.cluster.workers()
        self._seen = frozenset(here)
        found = here[: len(blocks)]
        costs = np.array([each.entries + 8 * each.rows for each in blocks])
        cuts = balanced_cuts(costs, len(found))
        some = [k for k, (low, high) in enumerate(pairwise(cuts)) if high > low]
        self._workers = tuple(found[k] for k in some)
        spans = [(cuts[k], cuts[k + 1]) for k in some]
        self._bounds = [(blocks[low].first, blocks[high - 1].stop) for low, high in spans]
        kept = self.checkpoints.path
        at = None if kept is None else str(kept)
        keys = self._keys()
        halos = [
            self._submit(w, worker.open_share, keys[w], str(self.graph.folder),
                         list(range(*spans[w])), at)
            for w in range(len(self._workers))
        ]  # fmt: skip
        needs: dict[tuple[int, int], Any] = {}
        told = []
        for to, halo in enumerate(halos):
            for owner, bounds in enumerate(self._bounds):
                if owner != to:
                    part = self._submit(to, worker.halo_between, halo, *bounds)
                    needs[owner, to] = self._submit(owner, worker.expect, keys[owner], to, part,
                                                    halos[owner])  # fmt: skip
                    told.append((owner, to))
        counts = self._gathered([needs[pair] for pair in told])
        self._sends = {pair: count for pair, count in zip(told, counts, strict=True) if count}
        self._gathered(halos, fetch=False)
        self._last: list[Any] = [None] * len(self._workers)
        self._walked, self._moved_before = "", self.moved_bytes

    def _keys(self) -> list[worker.ShareKey]:
        return [worker.ShareKey(self.job, self.attempts, w) for w in range(len(self._workers))]

    def _submit(self, at: int, task: Callable[..., Any], *arguments: Any) -> Any:
        return self.cluster.pinned(self._workers[at], task, *arguments)

    def _gathered(self, futures: Sequence[Any], *, fetch: bool = True) -> list[Any]:
        awaited(self.cluster, futures, self._workers)
        return self.cluster.fetched(futures) if fetch else []

    def _everywhere(self, task: Callable[..., Any], *arguments: Any) -> list[Any]:
        """Do a task on every share after what was done before, and return the results."""
        self._last = [
            self._submit(w, task, key, *arguments, self._last[w])
            for w, key in enumerate(self._keys())
        ]
        return self._gathered(self._last)

    def _performed(self, call: Call) -> NDArray[Any] | None:
        if call.work is not None:
            self._walked = ""
            found = self._everywhere(worker.perform, call.work, call.arguments)
            return None if all(each is None for each in found) else combined(found, call.combine)
        for step in call.steps:
            self._pass(step)
        self.moved_bytes = self._moved_before + sum(self._gathered(self._last))
        return None

    def _pass(self, step: Step) -> None:
        """One pass: every pair of shares with common edges moves one array, then all advance."""
        keys, width = self._keys(), range(len(self._workers))
        goes_on, self._walked = self._walked == step.old, step.now
        parts = {
            (owner, to): self._submit(owner, worker.outgoing, keys[owner], step, to, goes_on,
                                      self._kind or "", self._last[owner])
            for owner, to in self._sends
        }  # fmt: skip
        news = []
        for to in width:
            owners = [owner for owner in width if (owner, to) in parts]
            places = np.cumsum([0, *(self._sends[owner, to] for owner in owners)])[:-1].tolist()
            incoming = [parts[owner, to] for owner in owners]
            # A pass overwrites the columns from which changes are taken, so it comes after them.
            after = [self._last[to], *(parts[pair] for pair in parts if pair[0] == to)]
            news.append(self._submit(to, worker.advance, keys[to], step, places, after, *incoming))
        self._last = news
        self.moved += sum(self._sends.values())


def job_name(graph: PartitionedGraph, *settings: Any) -> str:
    """Return what a checkpoint belongs to: the graph's blocks and the settings of the method."""
    hashes = "".join(block.hash[:8] for block in graph.manifest.blocks)
    return f"{hashes} {settings!r}"


def checkpoint_folder(output: Path) -> Path:
    """Where the checkpoints of a command with this output lie."""
    return output.with_name(f".{output.name}.checkpoint")
