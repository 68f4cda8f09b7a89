"""``lapwing convert``: a graph from one file format to another."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from lapwing import io
from lapwing.cli.cluster.commands import convert_partitioned
from lapwing.cli.cluster.opening import CLUSTER_PANEL, ClusterOption, refuse
from lapwing.cli.inputs import (
    GraphArgument,
    JsonOption,
    LabelsOption,
    LargestComponentOption,
    NodesOption,
    Reading,
    problem,
    reads_files,
)
from lapwing.cli.output import console, print_json, waiting
from lapwing.errors import InputError
from lapwing.io.formats import format_of
from lapwing.io.tables import check_writable


@reads_files
def convert(
    graph: GraphArgument,
    output: Annotated[Path, typer.Argument(help="The file to write. Its suffix sets the format.")],
    labels: LabelsOption = None,
    labels_output: Annotated[
        Path | None, typer.Option(help="Also write the labels as a table node,label.")
    ] = None,
    nodes: NodesOption = None,
    nodes_output: Annotated[
        Path | None, typer.Option(help="Also write what is known of the nodes as a table.")
    ] = None,
    largest_component: LargestComponentOption = False,
    blocks: Annotated[
        int | None,
        typer.Option(
            min=1,
            rich_help_panel=CLUSTER_PANEL,
            help="Write a partitioned graph, a folder of this many blocks of rows. "
            "OUTPUT.parts also does, with blocks of a usual size.",
        ),
    ] = None,
    cluster: ClusterOption = None,
    json: JsonOption = False,
    reading: Reading = Reading(),  # noqa: B008 - frozen
) -> None:
    """Write GRAPH in another format (csv, tsv, parquet, graphml, gml, mtx, mat, npz, lap).

    A .lap file is mapped into memory: large graphs open in about a second.

    With --blocks, --cluster or an OUTPUT that ends in .parts, writes a partitioned graph, from any
    graph or from a folder of Parquet files. Examples: lapwing convert cora cora.graphml
    --labels-output cora-labels.csv · lapwing convert edges/ graph.parts --cluster local:4
    """
    if cluster is not None or blocks is not None or output.suffix == ".parts":
        refuse(
            {"--labels": labels, "--labels-output": labels_output, "--nodes": nodes,
             "--nodes-output": nodes_output, "--largest-component": largest_component}
        )  # fmt: skip
        convert_partitioned(graph, output, cluster, reading, blocks, json=json)
        return
    _check_outputs((output, labels_output, nodes_output), (graph, labels, nodes))
    found = problem(
        graph,
        labels,
        largest_component=largest_component,
        reading=reading,
        nodes=nodes,
    )
    if labels_output is not None and not found.classes:
        raise InputError(f"{graph} has no labels to write: give a table of them with --labels")
    if nodes_output is not None and not found.graph.node_table:
        raise InputError(f"{graph} has no columns of nodes to write: give a table with --nodes")
    with waiting(f"writing {output.name}") as say:
        left = io.write_graph(found.graph, output)
        if nodes_output is not None:
            say(f"writing {nodes_output.name}")
            left = tuple(name for name in io.write_nodes(found.graph, nodes_output) if name in left)
        if labels_output is not None:
            say(f"writing {labels_output.name}")
            io.write_labels(found.known, labels_output, found.graph)
    outputs = (output, labels_output, nodes_output)
    written = [str(path) for path in outputs if path is not None]
    if json:
        counts = {"n_nodes": found.graph.n_nodes, "n_edges": found.graph.n_edges}
        print_json({"written": written, **counts, "columns_left_out": list(left)})
        return
    console.print(f"{found.graph!r} written to {' and '.join(written)}")
    if left:
        hint = "" if nodes_output else "; --nodes-output nodes.csv writes what a table can hold"
        console.print(f"columns of nodes left out: {', '.join(left)}{hint}")


def _check_outputs(outputs: Sequence[Path | None], inputs: Sequence[str | Path | None]) -> None:
    """Raise unless every output can be written, and none is read."""
    for path in outputs:
        if path is not None:
            format_of(path, None)
            check_writable(path)
            if path.resolve() in (Path(read).resolve() for read in inputs if read):
                raise InputError(f"{path} is read, so it cannot be written: name another file")
