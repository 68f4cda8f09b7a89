"""Checkpoints: the columns of all blocks and what the works have returned, every few passes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.cluster.engine.part import HeldPart
from lapwing.io.files import write_text

STATE = "state.json"


class Checkpoints:
    """A folder with the last checkpoint of a job: written beside the one before, then renamed.

    A checkpoint holds the columns of every block, so that any number of workers can read it, and
    what every work so far has returned: a driver that starts again plays its method without doing
    the works again, and goes on from the columns.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     kept = Checkpoints(Path(folder) / "job", "pagerank on a graph")
    ...     fresh = kept.begin()
    ...     kept.finish(fresh, [np.ones(2), None], passes=10)
    ...     again = Checkpoints(Path(folder) / "job", "pagerank on a graph")
    ...     print(again.done, again.results, Checkpoints(Path(folder) / "job", "another").done)
    2 [array([1., 1.]), None] 0
    """

    def __init__(self, folder: Path, job: str) -> None:
        self.folder, self.job = folder, job
        self.results: list[NDArray[Any] | None] = []
        self.path: Path | None = None
        self.passes = 0
        held = sorted(folder.glob("at-*/" + STATE))
        if held:
            self._open(held[-1].parent)

    @property
    def done(self) -> int:
        """How many calls of the method are done."""
        return len(self.results)

    def _open(self, path: Path) -> None:
        said = json.loads((path / STATE).read_text(encoding="utf-8"))
        if said["job"] != self.job:
            return
        with np.load(path / "results.npz", allow_pickle=False) as held:
            self.results = [held.get(str(k)) for k in range(said["calls"])]
        self.path, self.passes = path, said["passes"]

    def begin(self) -> Path:
        """Return the folder for a new checkpoint's columns."""
        fresh = self.folder / "new"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        return fresh

    def finish(self, fresh: Path, results: list[NDArray[Any] | None], *, passes: int) -> None:
        """Make the checkpoint the last one; the one before is removed."""
        some = {str(k): each for k, each in enumerate(results) if each is not None}
        np.savez(fresh / "results.npz", **some)  # type: ignore[arg-type]
        state = {"job": self.job, "calls": len(results), "passes": passes}
        write_text(json.dumps(state), fresh / STATE)
        before, path = self.path, self.folder / f"at-{len(results):08d}"
        shutil.rmtree(path, ignore_errors=True)
        fresh.replace(path)
        self.path, self.results, self.passes = path, list(results), passes
        if before is not None and before != path:
            shutil.rmtree(before, ignore_errors=True)

    def remove(self) -> None:
        """Remove all of it."""
        shutil.rmtree(self.folder, ignore_errors=True)


def save_columns(part: HeldPart, folder: Path) -> None:
    """Write the columns and facts of a part, a file for each block and name."""
    shapes = part.shapes()
    for number, rows in part.by_block():
        for name, *_ in shapes:
            np.save(folder / f"{number:05d}.{name}.npy", part[name][rows])
        for name, (nodes, values) in part.facts.items():
            low, high = part.first + rows.start, part.first + rows.stop
            mine = (nodes >= low) & (nodes < high)
            np.savez(folder / f"{number:05d}.{name}.npz", nodes=nodes[mine], values=values[mine])
        said = {"columns": shapes, "facts": list(part.facts)}
        (folder / f"{number:05d}.json").write_text(json.dumps(said), encoding="utf-8")


def load_columns(part: HeldPart, folder: Path) -> None:
    """Read the columns and facts that `save_columns` wrote, whatever shares wrote them."""
    facts: dict[str, list[tuple[NDArray[np.int64], NDArray[Any]]]] = {}
    made: set[str] = set()
    for number, rows in part.by_block():
        said = json.loads((folder / f"{number:05d}.json").read_text(encoding="utf-8"))
        for name, width, kind, walks in said["columns"]:
            if name not in made:
                part.make(name, width, np.dtype(kind).type, walks=walks)
                made.add(name)
            part[name][rows] = np.load(folder / f"{number:05d}.{name}.npy")
        for name in said["facts"]:
            with np.load(folder / f"{number:05d}.{name}.npz") as held:
                facts.setdefault(name, []).append((held["nodes"], held["values"]))
    for name, pieces in facts.items():
        nodes, values = zip(*pieces, strict=True)
        part.facts[name] = (np.concatenate(nodes), np.concatenate(values))
