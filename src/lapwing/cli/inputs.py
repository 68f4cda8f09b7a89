"""What commands take: GRAPH as a file or a data set's name, labels, and the common options."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from lapwing import data, io
from lapwing.data import Dataset
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.types import UNKNOWN, Nodes

GraphArgument = Annotated[
    str,
    typer.Argument(
        metavar="GRAPH", help="A graph file, or the name of a data set (lapwing data list)."
    ),
]
LabelsOption = Annotated[
    Path | None,
    typer.Option("--labels", help="A table node,label; a data set brings its own labels."),
]
MultilabelOption = Annotated[
    bool, typer.Option("--multilabel", help="A node may have several labels, one per row.")
]
LargestComponentOption = Annotated[
    bool, typer.Option("--largest-component", help="Keep only the largest component.")
]
DirectedOption = Annotated[
    str | None,
    typer.Option(help="For a file of directed edges: join both directions by max or sum."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def problem(
    graph: str,
    labels: Path | None = None,
    *,
    largest_component: bool = False,
    multilabel: bool = False,
    **reading: Any,
) -> Dataset:
    """The graph that GRAPH names, with the labels that are known of it.

    `reading` goes to `lapwing.read_graph` when GRAPH is a file.
    """
    file = Path(graph)
    if file.is_dir():
        raise InputError(f"GRAPH must be a file or the name of a data set, {graph!r} is a folder")
    if file.exists():
        read = io.read_graph(file, **reading)
        found = _with_labels(Dataset(file.name, read, _none(read), ()), labels, multilabel)
    elif any(option is not None for option in reading.values()):
        raise InputError(f"options for reading go with a file, there is no file {graph!r}")
    else:
        found = _with_labels(_by_name(graph), labels, multilabel)
    return found.largest_component() if largest_component else found


def needs_labels(found: Dataset) -> Dataset:
    """The same problem, or an error when no label came with it."""
    if not found.classes:
        raise InputError(f"{found.name} has no labels: give a table node,label with --labels")
    return found


def _with_labels(found: Dataset, labels: Path | None, multilabel: bool) -> Dataset:
    if labels is None:
        return found
    known = io.read_labels(labels, found.graph, multilabel=multilabel)
    return replace(found, labels=known.labels, classes=tuple(map(str, known.classes)))


def _none(graph: Graph) -> Nodes:
    return np.full(graph.n_nodes, UNKNOWN, dtype=np.intp)


def _by_name(name: str) -> Dataset:
    names = data.available()
    if name in names:
        return data.load(name)
    near = get_close_matches(name, names, n=3)
    hint = f"; did you mean {' or '.join(near)}?" if near else "; see lapwing data list"
    raise InputError(f"GRAPH must be a file or the name of a data set, {name!r} is neither{hint}")
