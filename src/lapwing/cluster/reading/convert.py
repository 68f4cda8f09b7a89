"""Convert a folder of Parquet files of edges to a partitioned graph, in stages of tasks."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from itertools import accumulate, pairwise
from os import PathLike
from pathlib import Path

from lapwing.cluster.connection import SchedulerLostError
from lapwing.cluster.graph import PartitionedGraph
from lapwing.cluster.partition.manifest import BlockEntry, Manifest
from lapwing.cluster.partition.order import ROUNDS
from lapwing.cluster.partition.writing import check_replaceable
from lapwing.cluster.reading.clusters import (
    cluster_pairs,
    move_labels,
    order_clusters,
    renumber_nodes,
)
from lapwing.cluster.reading.edges import assemble_rows, bucket_edges
from lapwing.cluster.reading.final import (
    gather_rows,
    join_components,
    merge_components,
    scatter_rows,
    write_final,
)
from lapwing.cluster.reading.names import collect_names, number_names
from lapwing.cluster.reading.plan import ReadingPlan, Stages, planned_reading
from lapwing.cluster.tasks import HereTasks, Tasks
from lapwing.errors import ReadError
from lapwing.graph.construction import Directed, Notes
from lapwing.io.columns import Column
from lapwing.io.text.layout import TableOptions


def convert_parquet(  # noqa: PLR0913 - as read_graph
    source: str | PathLike[str],
    output: str | PathLike[str],
    *,
    tasks: Tasks | None = None,
    blocks: int | None = None,
    source_column: Column = None,
    target_column: Column = None,
    weight: Column | bool = None,
    directed: Directed = None,
    say: Callable[[str], None] = lambda _: None,
) -> PartitionedGraph:
    """Write the edges in a Parquet file, or in all of a folder, as a partitioned graph.

    Names become numbers through a dictionary in parts by a hash of the name, and a task holds one
    file or one block, so that no machine holds the nodes or the edges. Stages pass files on in a
    folder beside the output; if the scheduler is lost it is kept, and the same call continues.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import pyarrow as pa, pyarrow.parquet as pq
    >>> with TemporaryDirectory() as folder:
    ...     table = pa.table({"source": ["a", "b", "x"], "target": ["b", "c", "y"]})
    ...     pq.write_table(table, folder + "/edges.parquet")
    ...     graph = convert_parquet(folder + "/edges.parquet", folder + "/graph", blocks=2)
    ...     print(graph, graph.manifest.n_components)
    PartitionedGraph(5 nodes, 3 edges, 2 blocks) 2
    """
    path = Path(output)
    check_replaceable(path)
    stages = path.with_name(f".{path.name}.stages").absolute()
    options = TableOptions(source_column, target_column, weight, None, None)
    plan = planned_reading(Path(source), stages, options, directed, blocks)
    stages.mkdir(parents=True, exist_ok=True)
    try:
        _staged(plan, Stages(plan, tasks or HereTasks(), say)).write(plan.graph)
        if path.exists():
            shutil.rmtree(path)
        plan.graph.replace(path)
    except SchedulerLostError:
        raise
    except BaseException:
        shutil.rmtree(stages, ignore_errors=True)
        raise
    shutil.rmtree(stages, ignore_errors=True)
    return PartitionedGraph(path)


def _staged(plan: ReadingPlan, stages: Stages) -> Manifest:
    """Do all stages; return the manifest of the graph."""
    files, parts = range(len(plan.files)), range(plan.parts)
    told = stages.run("reading the names of nodes", collect_names, files)
    kinds = {each["names"] for each in told if not each["empty"]}
    if len(kinds) > 1:
        raise ReadError(
            Path(plan.files[0]).parent, "names must be integers in all files, or text in all"
        )
    counts = stages.run("numbering the names", number_names, parts)
    firsts = [0, *accumulate(counts)]
    dropped = stages.run("reading the edges", bucket_edges, files, firsts)
    rows = stages.run("assembling the rows", assemble_rows, parts, firsts)
    for turn in range(ROUNDS):
        stages.run("looking for clusters of neighbours", move_labels, parts, firsts, turn)
    stages.run("joining neighbours to clusters", cluster_pairs, parts, firsts)
    (cuts,) = stages.run("ordering the clusters", order_clusters, [0], firsts)
    stages.run("numbering the nodes anew", renumber_nodes, parts)
    codes = stages.run("moving the rows", scatter_rows, parts, firsts, cuts)
    weighted = any(weighs for _, weighs in rows)
    made = stages.run("writing the rows", gather_rows, parts, cuts, weighted)
    stages.run("finding components", join_components, parts, cuts)
    stages.run("merging components", merge_components, [0])
    done = stages.run("writing the blocks", write_final, parts, cuts)
    blocks = [
        BlockEntry(first, stop - first, row["entries"], row["halo"], last["hash"], row["names"])
        for (first, stop), row, last in zip(pairwise(cuts), made, done, strict=True)
    ]
    sizes: Counter[str] = Counter()
    for each in done:
        sizes.update(each["sizes"])
    largest = max(max(sizes.values(), default=0), *(each["alone"] for each in done))
    entries = sum(count for count, _ in rows)
    return Manifest(
        n_nodes=cuts[-1],
        n_edges=entries // 2,
        n_components=sum(each["components"] for each in done),
        largest_component=largest,
        names="text" if "text" in kinds else "integers",
        weighted=weighted,
        blocks=tuple(blocks),
        dictionary=tuple(codes),
        notes=asdict(_notes(plan, dropped, entries)),
    )


def _notes(plan: ReadingPlan, dropped: list[dict[str, int]], entries: int) -> Notes:
    kept = sum(each["kept"] for each in dropped)
    return Notes(
        sum(each["self_loops"] for each in dropped),
        0 if plan.directed else kept - entries // 2,
        sum(each["zero_weights"] for each in dropped),
        plan.directed,
    )
