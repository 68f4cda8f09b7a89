"""``lapwing convert``: a graph from one file format to another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lapwing import io
from lapwing.cli.inputs import (
    DirectedOption,
    GraphArgument,
    JsonOption,
    LabelsOption,
    LargestComponentOption,
    MultilabelOption,
    problem,
)
from lapwing.cli.output import console, print_json


def convert(
    graph: GraphArgument,
    output: Annotated[Path, typer.Argument(help="The file to write; its suffix says the format.")],
    labels: LabelsOption = None,
    multilabel: MultilabelOption = False,
    labels_output: Annotated[
        Path | None, typer.Option(help="Also write the labels as a table node,label.")
    ] = None,
    source: Annotated[
        str | None, typer.Option(help="Column of an edge's one end (name or position).")
    ] = None,
    target: Annotated[str | None, typer.Option(help="Column of its other end.")] = None,
    weight: Annotated[str | None, typer.Option(help="Column or attribute of weights.")] = None,
    delimiter: Annotated[str | None, typer.Option(help="What parts the columns.")] = None,
    directed: DirectedOption = None,
    largest_component: LargestComponentOption = False,
    json: JsonOption = False,
) -> None:
    """Write GRAPH in another format (csv, tsv, parquet, graphml, gml, mtx, mat, npz).

    Example: lapwing convert cora cora.graphml --labels-output cora-labels.csv
    """
    found = problem(
        graph,
        labels,
        multilabel=multilabel,
        largest_component=largest_component,
        source=_column(source),
        target=_column(target),
        weight=_column(weight),
        delimiter=delimiter,
        directed=directed,
    )
    io.write_graph(found.graph, output)
    if labels_output is not None:
        io.write_labels(found.known, labels_output, found.graph)
    written = [str(path) for path in (output, labels_output) if path is not None]
    if json:
        print_json(
            {"written": written, "n_nodes": found.graph.n_nodes, "n_edges": found.graph.n_edges}
        )
    else:
        console.print(f"{found.graph!r} written to {' and '.join(written)}")


def _column(said: str | None) -> str | int | None:
    return int(said) if said is not None and said.isdigit() else said
