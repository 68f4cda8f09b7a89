"""``lapwing convert``: a graph from one file format to another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lapwing import io
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
    json: JsonOption = False,
    reading: Reading = Reading(),  # noqa: B008 - frozen
) -> None:
    """Write GRAPH in another format (csv, tsv, parquet, graphml, gml, mtx, mat, npz, lap).

    A .lap file is mapped into memory: large graphs open in about a second.

    Example: lapwing convert cora cora.graphml --labels-output cora-labels.csv
    """
    for path in (output, labels_output, nodes_output):
        if path is not None:
            format_of(path, None)
            check_writable(path)
            if path.resolve() in (Path(read).resolve() for read in (graph, labels, nodes) if read):
                raise InputError(f"{path} is read, so it cannot be written: name another file")
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
