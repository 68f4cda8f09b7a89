"""Open GRAPH as a partitioned graph, connect to a cluster, and tell how far a command is."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

from lapwing.cli.inputs import Reading, problem
from lapwing.cli.output import errors, visible, waiting
from lapwing.cluster.connection import Cluster, connect
from lapwing.cluster.graph import PartitionedGraph
from lapwing.cluster.jobs import Running
from lapwing.cluster.labels import SparseLabels, read_sparse_labels
from lapwing.cluster.partition.writing import write_partitioned
from lapwing.cluster.reading.convert import convert_parquet
from lapwing.cluster.tasks import DaskTasks, HereTasks, Tasks
from lapwing.errors import InputError
from lapwing.io.formats import format_of

CLUSTER_PANEL = "Beyond one machine"
ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        rich_help_panel=CLUSTER_PANEL,
        help="Run on a Dask cluster: tcp://HOST:PORT, or local:4 for four workers on this machine.",
    ),
]
CheckpointOption = Annotated[
    int | None,
    typer.Option(
        min=1,
        rich_help_panel=CLUSTER_PANEL,
        help="Passes between two checkpoints beside the output. Default: 10, and half a minute.",
    ),
]
HaloOption = Annotated[
    str | None,
    typer.Option(
        rich_help_panel=CLUSTER_PANEL,
        help="Type of the rows that workers send. Default: as they are; their changes, in 16 bits, "
        "where a method converges.",
    ),
]


def is_for_cluster(graph: str, cluster: str | None) -> bool:
    """Whether a command runs block by block: on a cluster, or on a partitioned graph."""
    return cluster is not None or PartitionedGraph.is_in(graph)


def refuse(options: dict[str, Any]) -> None:
    """Raise if an option was given that means nothing on a partitioned graph."""
    for name, value in options.items():
        if value:
            raise InputError(f"{name} cannot be used with a partitioned graph or --cluster")


@contextmanager
def connected(address: str | None) -> Iterator[Cluster | None]:
    """The cluster at that address, until the command is done; None without an address."""
    if address is None:
        yield None
        return
    with waiting(f"connecting to {address}"):
        cluster = connect(address)
    with cluster:
        yield cluster


@contextmanager
def opened_in_blocks(
    graph: str, cluster: Cluster | None, reading: Reading, beside: Path | None = None
) -> Iterator[PartitionedGraph]:
    """GRAPH as a partitioned graph; any other is partitioned in a folder that is removed again.

    The folder lies beside the output, where the workers can be expected to see it.
    """
    path = Path(graph)
    if PartitionedGraph.is_in(path):
        if (unused := reading.unused(False, True)) is not None:
            raise InputError(f"{unused} describes a file of edges, but {graph} is partitioned")
        yield PartitionedGraph(path)
        return
    with ExitStack() as stack:
        place = None if beside is None else beside.absolute().parent
        if place is not None:
            place.mkdir(parents=True, exist_ok=True)
        made = stack.enter_context(
            tempfile.TemporaryDirectory(prefix=".lapwing-", dir=place, ignore_cleanup_errors=True)
        )
        yield partitioned(graph, Path(made) / "graph", cluster, reading)


def partitioned(
    graph: str, output: Path, cluster: Cluster | None, reading: Reading, blocks: int | None = None
) -> PartitionedGraph:
    """Write GRAPH as a partitioned graph: Parquet files block by block, others from memory."""
    path = Path(graph)
    tabular = path.is_dir() or (path.is_file() and format_of(path, reading.format) == "parquet")
    if not tabular:
        found = problem(graph, reading=reading)
        with waiting(f"partitioning {found.name}"):
            write_partitioned(found.graph, output, blocks=blocks)
        return PartitionedGraph(output)
    said = reading.of_graph(Path("edges.parquet"))
    said.pop("format", None)
    columns = {"source": "source_column", "target": "target_column"}
    options = {columns.get(name, name): value for name, value in said.items()}
    with telling("partitioning " + path.name) as (bar, task):
        begun: list[str] = []

        def say(words: str) -> None:
            bar.update(task, description=visible(words), completed=len(begun))
            begun.append(words)

        def each(done: int, total: int) -> None:
            bar.update(task, completed=len(begun) - 1 + done / total)

        bar.update(task, total=STAGES)
        tasks: Tasks = HereTasks(each) if cluster is None else DaskTasks(cluster, each)
        return convert_parquet(
            path.absolute(), output.absolute(), tasks=tasks, blocks=blocks, say=say, **options
        )


STAGES = 17
"""Stages of a conversion."""


def known_labels_of(graph: PartitionedGraph, labels: Path | None, reading: Reading) -> SparseLabels:
    """The labels in a table, for a partitioned graph."""
    if labels is None:
        raise InputError("a partitioned graph has no labels of its own: give a table with --labels")
    said = reading.of_table(labels)
    for name in ("multilabel", "separator"):
        if said.pop(name, None):
            raise InputError(
                f"--{name} cannot be used with a partitioned graph: one label per node"
            )
    with waiting(f"reading {labels.name}"):
        return read_sparse_labels(labels, graph, **said)


@contextmanager
def telling(words: str, total: float | None = None) -> Iterator[tuple[Progress, Any]]:
    """A bar on stderr with the time remaining."""
    bar = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.completed:.0f} of {task.total}"),
        TimeRemainingColumn(elapsed_when_finished=True),
        console=errors,
        transient=True,
        disable=not errors.is_terminal,
    )
    with bar:
        yield bar, bar.add_task(visible(words), total=total)


def running_with(
    cluster: Cluster | None, advance: Callable[[int], None], every: int | None, halo: str | None
) -> Running:
    """How a method runs, as the options say."""
    if cluster is None and (every is not None or halo is not None):
        raise InputError("--checkpoint-every and --halo need --cluster")
    settings = {} if every is None else {"checkpoint_every": every}
    return Running(cluster, halo=halo, progress=advance, **settings)
