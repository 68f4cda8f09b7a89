"""What commands take: GRAPH as a file or a data set's name, labels, and the common options."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

import typer

from lapwing import data, io
from lapwing.data import Dataset
from lapwing.errors import InputError

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
LargestComponentOption = Annotated[
    bool, typer.Option("--largest-component", help="Keep only the largest component.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def problem(graph: str, labels: Path | None = None, *, largest_component: bool = False) -> Dataset:
    """The graph that GRAPH names, with the labels that are known of it."""
    found = _from_file(Path(graph), labels) if Path(graph).is_file() else _by_name(graph, labels)
    return found.largest_component() if largest_component else found


def needs_labels(found: Dataset) -> Dataset:
    """The same problem, or an error when no label came with it."""
    if not found.classes:
        raise InputError(f"{found.name} has no labels: give a table node,label with --labels")
    return found


def _from_file(path: Path, labels: Path | None) -> Dataset:
    graph = io.read_graph(path)
    known = io.read_labels(labels, graph) if labels else io.labels_within(path, graph)
    return Dataset(name=path.name, graph=graph, labels=known.labels, classes=known.classes)


def _by_name(name: str, labels: Path | None) -> Dataset:
    names = [entry.name for entry in data.catalog()]
    if name not in names:
        near = get_close_matches(name, names, n=3)
        hint = f"; did you mean {' or '.join(near)}?" if near else "; see lapwing data list"
        raise InputError(
            f"GRAPH must be a file or the name of a data set, {name!r} is neither{hint}"
        )
    found = data.load(name)
    if labels is None:
        return found
    known = io.read_labels(labels, found.graph)
    return Dataset(name=name, graph=found.graph, labels=known.labels, classes=known.classes)
