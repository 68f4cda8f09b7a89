"""The plan of a conversion: its files, its folder of stages, and what is known before it begins."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.cluster.partition.files import swapped_file
from lapwing.cluster.partition.writing import ENTRIES, LEAST_BLOCKS
from lapwing.cluster.tasks import Tasks
from lapwing.errors import InputError, ReadError
from lapwing.graph.construction import Directed
from lapwing.io.columns import ENDS, chosen_columns
from lapwing.io.files import write_text
from lapwing.io.graphs.parquet import arrow_errors
from lapwing.io.text.layout import TableOptions
from lapwing.optional import need


@dataclass(frozen=True)
class ReadingPlan:
    """What every task of a conversion is given."""

    files: tuple[str, ...]
    stages: str
    parts: int
    options: TableOptions
    directed: Directed

    def stage(self, *words: object) -> Path:
        """The path of a file between two stages."""
        return Path(self.stages) / "-".join(map(str, words))

    @property
    def graph(self) -> Path:
        """The folder of the graph that is being written."""
        return Path(self.stages) / "graph"


def planned_reading(
    source: Path,
    stages: Path,
    options: TableOptions,
    directed: Directed,
    blocks: int | None,
) -> ReadingPlan:
    """Return the plan for a Parquet file or a folder of them; only their ends are read."""
    files = sorted(source.rglob("*.parquet")) if source.is_dir() else [source]
    files = [file for file in files if not file.name.startswith((".", "_"))]
    if not files:
        raise InputError(f"{source}: must hold Parquet files of edges, it has none")
    rows = 0
    for file in files:
        with arrow_errors(file), need("pyarrow.parquet", extra="cluster").ParquetFile(file) as held:
            names = held.schema_arrow.names
            chosen_columns(len(names), names, (options.first, options.second), options.weight, ENDS)
            rows += held.metadata.num_rows
    if rows == 0:
        raise ReadError(source, "has no edges")
    if blocks is not None and blocks < 1:
        raise InputError(f"blocks must be at least 1, got {blocks}")
    parts = max(LEAST_BLOCKS, -(-2 * rows // ENTRIES)) if blocks is None else blocks
    return ReadingPlan(tuple(map(str, files)), str(stages), parts, options, directed)


class Stages:
    """Runs the stages of a conversion; one that is done is not done again after a restart."""

    def __init__(self, plan: ReadingPlan, tasks: Tasks, say: Callable[[str], None]) -> None:
        self._plan, self._tasks, self._say = plan, tasks, say
        self._count = 0

    def run(self, words: str, task: Callable[..., Any], items: Iterable[Any], *more: Any) -> Any:
        """Run a task for every item, or return what it returned before a restart."""
        self._count += 1
        kept = self._plan.stage("done", self._count, task.__name__).with_suffix(".json")
        if kept.exists():
            return json.loads(kept.read_text(encoding="utf-8"))
        self._say(words)
        found = self._tasks.map(task, items, self._plan, *more)
        write_text(json.dumps(found), kept)
        return found


def save_arrays(path: Path, **arrays: NDArray[Any]) -> None:
    """Write arrays to one file, which is complete or not there."""
    with swapped_file(path) as fresh, fresh.open("wb") as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]


def load_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Read what `save_arrays` wrote."""
    with np.load(path, allow_pickle=False) as held:
        return {name: held[name] for name in held.files}


def save_array(path: Path, array: NDArray[Any]) -> None:
    """Write one array that others can map; it is complete or not there."""
    with swapped_file(path) as fresh, fresh.open("wb") as file:
        np.save(file, array)
