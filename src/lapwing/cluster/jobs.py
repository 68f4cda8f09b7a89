"""What commands do with a partitioned graph, on a cluster or out of core on this machine."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.diffusion.propagation import Propagation
from lapwing.batch.diffusion.restarts import RestartingWalk
from lapwing.cluster.classification import checked_method, learned_on, write_predictions
from lapwing.cluster.connection import Cluster, SchedulerLostError
from lapwing.cluster.engine.checkpoint import Checkpoints
from lapwing.cluster.engine.engine import Engine
from lapwing.cluster.engine.on_dask import (
    OnDask,
    checkpoint_folder,
    job_name,
)
from lapwing.cluster.engine.out_of_core import OutOfCore
from lapwing.cluster.engine.part import GraphPart
from lapwing.cluster.graph import PartitionedGraph
from lapwing.cluster.labels import SparseLabels
from lapwing.cluster.methods.rows import rows_on
from lapwing.cluster.partition.dictionary import names_file, read_names
from lapwing.cluster.partition.files import swapped_folder
from lapwing.errors import InputError
from lapwing.io.tables import check_writable, write_table
from lapwing.linalg.chebyshev import semi_iteration

HALOS = ("float64", "float32", "float16")


@dataclass(frozen=True)
class Running:
    """Where and how a method runs; without a cluster, out of core on this machine.

    `halo` is the type in which rows travel between workers; by default their changes travel where
    a method converges, in 16 bits, and rows as they are otherwise;
    `progress` is told of every pass.
    """

    cluster: Cluster | None = None
    checkpoint_every: int | None = None
    halo: str | None = None
    progress: Callable[[int], None] | None = None

    def __post_init__(self) -> None:
        if self.checkpoint_every is not None and self.checkpoint_every < 1:
            raise InputError(f"checkpoint_every must be at least 1, got {self.checkpoint_every}")
        if self.halo not in (None, *HALOS):
            raise InputError(f"halo must be one of {', '.join(HALOS)}, got {self.halo!r}")

    @contextmanager
    def engine(self, graph: PartitionedGraph, output: Path, *job: Any) -> Iterator[Engine]:
        """The engine for one job with that output.

        Its checkpoints lie beside the output. They are kept if the scheduler is lost, so that the
        same job continues from them, and are removed otherwise.
        """
        if self.cluster is None:
            with OutOfCore(graph, progress=self.progress) as engine:
                yield engine
            return
        checkpoints = Checkpoints(checkpoint_folder(output.absolute()), job_name(graph, *job))
        running = OnDask(
            self.cluster, graph, checkpoints, checkpoint_every=self.checkpoint_every,
            halo=self.halo, progress=self.progress,
        )  # fmt: skip
        try:
            yield running
        except SchedulerLostError:
            raise
        except BaseException:
            running.close()
            checkpoints.remove()
            raise
        running.close()
        checkpoints.remove()


def classify_partitioned(
    graph: PartitionedGraph,
    labels: SparseLabels,
    output: Path,
    *,
    method: str = "pagerank",
    parameters: dict[str, Any] | None = None,
    running: Running | None = None,
) -> dict[str, Any]:
    """Predict all nodes' labels and write them to a folder with a Parquet file for each block.

    The columns are those of `Predictions`. Returns counts of nodes, labels and unknown nodes.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from lapwing import Graph
    >>> from lapwing.cluster import write_partitioned
    >>> from lapwing.cluster.labels import labels_of
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> with TemporaryDirectory() as folder:
    ...     _ = write_partitioned(graph, Path(folder) / "graph", blocks=2)
    ...     parts = PartitionedGraph(Path(folder) / "graph")
    ...     told = labels_of(parts, {0: "left", 5: "right"})
    ...     found = classify_partitioned(parts, told, Path(folder) / "predictions")
    ...     files = sorted(path.name for path in (Path(folder) / "predictions").iterdir())
    >>> found["nodes"], found["unknown"], files
    (6, 0, ['part-00000.parquet', 'part-00001.parquet'])
    """
    said = dict(parameters or {})
    model = checked_method(method, len(labels.classes), said)
    given = (labels.nodes.tolist(), labels.indicator.argmax(axis=1).tolist())
    run = running or Running()
    with (
        swapped_folder(output.absolute(), check_table_folder) as fresh,
        run.engine(graph, output, method, said, given) as engine,
    ):
        reading = learned_on(engine, model, labels)
        counts = write_predictions(engine, reading, labels, fresh)
        attempts = engine.attempts if isinstance(engine, OnDask) else 0
    return {
        "method": method, **counts, "labelled": len(labels.nodes),
        "classes": len(labels.classes), "workers_lost": attempts, "output": str(output),
    }  # fmt: skip


def expected_passes(model: GraphClassifier, labels: SparseLabels) -> int | None:
    """Return how many passes over the edges a method needs; None if that is not known before."""
    if isinstance(model, RestartingWalk):
        wanted = model.restarts(labels.known(1))
        return sum(1 for _ in semi_iteration(wanted.alpha, wanted.tol))
    return model.rounds if isinstance(model, Propagation) else None


def embed_partitioned(
    graph: PartitionedGraph,
    output: Path,
    *,
    rank: int = 100,
    tol: float = 1e-2,
    running: Running | None = None,
    progress: Callable[[float], None] | None = None,
) -> dict[str, Any]:
    """Compute rows and write them to a folder with a Parquet file for each block.

    A file has the columns node, x1, x2, ...: eigenvectors of the normalised Laplacian over the
    roots of their eigenvalues (`rows_on`).
    """
    run = running or Running()
    with (
        swapped_folder(output.absolute(), check_table_folder) as fresh,
        run.engine(graph, output, "rows", rank, tol) as engine,
    ):
        values = rows_on(engine, rank, tol=tol, progress=progress)
        engine.total(_write_rows, str(graph.folder), str(fresh))
        attempts = engine.attempts if isinstance(engine, OnDask) else 0
    return {
        "n_nodes": graph.n_nodes, "columns": len(values), "eigenvalues": values.tolist(),
        "workers_lost": attempts, "output": str(output),
    }  # fmt: skip


def check_table_folder(path: Path) -> None:
    """Raise unless a folder of Parquet files can be written there."""
    if path.exists() and (
        not path.is_dir()
        or any(not each.name.startswith("part-") or each.suffix != ".parquet"
               for each in path.iterdir())
    ):  # fmt: skip
        raise InputError(f"{path}: exists and holds something else: name another folder")
    check_writable(path / "part-00000.parquet")


def removed_leftovers(output: Path) -> None:
    """Remove what an interrupted job has left beside its output."""
    for folder in (checkpoint_folder(output), output.with_name(f".{output.name}.part")):
        shutil.rmtree(folder, ignore_errors=True)


def _write_rows(part: GraphPart, graph: str, folder: str) -> NDArray[np.int64]:
    for number, rows in part.by_block():
        values = part["rows"][rows]
        columns = {f"x{k + 1}": np.ascontiguousarray(values[:, k]) for k in range(values.shape[1])}
        names = read_names(names_file(Path(graph), number))
        write_table({"node": names, **columns}, Path(folder) / f"part-{number:05d}.parquet")
    return np.array([part.rows])
