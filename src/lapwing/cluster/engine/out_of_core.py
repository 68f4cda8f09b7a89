"""Out of core on one machine: one block in memory at a time, columns in files."""

from __future__ import annotations

import mmap
import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from lapwing.cluster.engine.engine import Combining, Engine, combined
from lapwing.cluster.engine.part import GraphPart, NumberKind, Step, Work, passes_over
from lapwing.cluster.graph import PartitionedGraph
from lapwing.cluster.partition.blocks import RowBlock
from lapwing.linalg.passes import in_lines
from lapwing.types import Array


class OutOfCore(Engine):
    """Runs methods on one machine with one block of the graph in memory at a time.

    Columns are files in a folder of their own, which is removed at the end. Memory: one block, its
    rows and its halo.

    Examples
    --------
    >>> from lapwing.graph import Graph
    >>> from lapwing.cluster import write_partitioned
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = write_partitioned(Graph.from_edges([(0, 1), (1, 2)]), folder + "/path", blocks=2)
    ...     with OutOfCore(PartitionedGraph(folder + "/path")) as engine:
    ...         engine.total(lambda part: part.degrees, combine="join")
    array([1., 2., 1.])
    """

    def __init__(
        self,
        graph: PartitionedGraph,
        *,
        scratch: Path | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self.graph = graph
        self._scratch = Path(tempfile.mkdtemp(prefix="lapwing-columns-", dir=scratch))
        self._files: dict[str, np.memmap[Any, Any]] = {}
        self._parts = [
            DiskPart(graph, number, self._files, self._scratch) for number in range(graph.n_blocks)
        ]
        self._progress = progress
        graph.verify()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the columns' files."""
        self._files.clear()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def total(self, work: Work, *arguments: Any, combine: Combining = "sum") -> NDArray[Any]:
        found = []
        for part in self._parts:
            found.append(work(part, *arguments))
            part.forget()
        return combined(found, combine)

    def steps(self, steps: Sequence[Step]) -> None:
        for step in steps:
            for part in self._parts:
                part.step(step)
                part.forget()
            if self._progress is not None:
                self._progress(1)


class DiskPart(GraphPart):
    """One block as a part; its rows are read when they are needed and then forgotten."""

    def __init__(
        self,
        graph: PartitionedGraph,
        number: int,
        files: dict[str, np.memmap[Any, Any]],
        scratch: Path,
    ) -> None:
        super().__init__([(number, graph.manifest.blocks[number])], graph.n_nodes)
        self._graph, self._number, self._files, self._scratch = graph, number, files, scratch
        self._block: RowBlock | None = None

    @property
    def matrix(self) -> RowBlock:
        if self._block is None:
            self._block = self._graph.block(self._number)
        return self._block

    @property
    def degrees(self) -> Array:
        return self.matrix.degrees

    @property
    def components(self) -> NDArray[np.int64]:
        return self.matrix.components

    def make(
        self, name: str, width: int, kind: NumberKind = np.float32, *, walks: bool = True
    ) -> None:
        del walks  # a file holds the halo of every block
        shape, held = (self.n_nodes, width), self._files.get(name)
        if held is None or held.shape != shape or held.dtype != kind:
            self._files[name] = np.memmap(self._scratch / name, kind, "w+", shape=shape)
        self[name][...] = 0

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._files[name][self.first : self.stop]

    def drop(self, *names: str) -> None:
        """Columns are dropped with the last part, so that no other misses them."""
        if self._number == self._graph.n_blocks - 1:
            for name in names:
                self._files.pop(name, None)
                (self._scratch / name).unlink(missing_ok=True)

    def step(self, step: Step) -> None:
        """Do one pass over the block: read its rows and its halo, write its rows."""
        block, now = self.matrix, self._files[step.now]
        width, kind = now.shape[1], now.dtype.type
        near = in_lines((self.rows + len(block.halo), width), kind)
        near[: self.rows, :width] = now[self.first : self.stop]
        near[self.rows :, :width] = now[block.halo]
        rows = in_lines((self.rows, width), kind)
        rows[:, :width] = self[step.old]
        degrees = None if block.weights is None else block.degrees
        passes_over(block, degrees, kind).step(near, rows, **step.factors._asdict())
        self[step.old][...] = rows[:, :width]
        self.complete(step)

    def forget(self) -> None:
        """Give the block's memory back, and that of the columns' files."""
        self._block = None
        for array in self._files.values():
            held = getattr(array, "_mmap", None)
            if held is not None and hasattr(mmap, "MADV_DONTNEED"):
                held.madvise(mmap.MADV_DONTNEED)
