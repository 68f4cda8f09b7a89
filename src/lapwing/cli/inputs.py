"""What commands take: GRAPH as a file or a data set's name, labels, and how files are read."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from lapwing import data, io
from lapwing.cli.memory import foresee_reading
from lapwing.cli.output import errors, waiting
from lapwing.data import Dataset
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.graph.labels import Labels
from lapwing.graph.node_table import NodeTable
from lapwing.io.formats import TEXT, format_of
from lapwing.types import UNKNOWN, Nodes

GraphArgument = Annotated[
    str,
    typer.Argument(
        metavar="GRAPH", help="A graph file, or the name of a data set (lapwing data list)."
    ),
]
LabelsOption = Annotated[
    Path | None,
    typer.Option("--labels", help="Table of nodes and labels. Data sets come with their own."),
]
NodesOption = Annotated[
    Path | None,
    typer.Option(
        "--nodes",
        help="Table with one row per node: titles, links, texts, images; or vectors (.npy).",
    ),
]
ShowOption = Annotated[
    str, typer.Option("--show", help="Columns of --nodes to show, separated by commas.")
]
UseOption = Annotated[
    str,
    typer.Option(
        "--use", help="Columns of --nodes to learn from, separated by commas. Default: guessed."
    ),
]
LargestComponentOption = Annotated[
    bool, typer.Option("--largest-component", help="Keep only the largest component.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]

_PANEL = "Reading files"


def listed_names(listed: str) -> list[str]:
    """The names in a list separated by commas.

    Examples
    --------
    >>> listed_names("title, year"), listed_names("")
    (['title', 'year'], [])
    >>> listed_names("title,,year")
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: names are separated by one comma, got 'title,,year'
    """
    names = [name.strip() for name in listed.split(",")] if listed.strip() else []
    if "" in names:
        raise InputError(f"names are separated by one comma, got {listed!r}")
    return names


def _option(kind: Any, *names: str, **settings: Any) -> Any:
    return Annotated[kind, typer.Option(*names, rich_help_panel=_PANEL, **settings)]


READING = {
    "source": _option(
        str | None,
        help="Column with the first node of each edge: a name or a position (0, 1, ...).",
    ),
    "target": _option(str | None, help="Column with the second node of each edge."),
    "weight": _option(str | None, help="Column (or attribute) with the edge weights."),
    "node_column": _option(
        str | None, help="Column with the nodes, in --nodes, --labels or --cost."
    ),
    "label_column": _option(str | None, help="Column with the labels (or costs)."),
    "multilabel": _option(
        bool | None, "--multilabel", help="A node may have several labels, one per row."
    ),
    "separator": _option(
        str | None, help="Character between several labels in one row, such as '|'."
    ),
    "header": _option(
        bool | None, "--header/--no-header", help="Whether the first row holds column names."
    ),
    "delimiter": _option(str | None, help="Character that separates the columns."),
    "format": _option(
        str | None, help="Format of GRAPH if the suffix does not tell: csv, tsv, parquet, ..."
    ),
    "directed": _option(str | None, help="How to merge the two directions of an edge: max or sum."),
}
"""The options of every command that reads files, by the names of `Reading`."""


@dataclass(frozen=True)
class Reading:
    """How files are to be read; None means that the reader finds out."""

    source: str | None = None
    target: str | None = None
    weight: str | None = None
    node_column: str | None = None
    label_column: str | None = None
    multilabel: bool | None = None
    separator: str | None = None
    header: bool | None = None
    delimiter: str | None = None
    format: str | None = None
    directed: str | None = None

    def of_graph(self, path: Path) -> dict[str, Any]:
        """The settings of `lapwing.read_graph` for a file."""
        said = {
            "source": _column(self.source),
            "target": _column(self.target),
            "weight": _column(self.weight),
            "format": self.format,
            "directed": self.directed,
            **self._of_text(path, self.format),
        }
        return {name: value for name, value in said.items() if value is not None}

    def of_table(self, path: Path) -> dict[str, Any]:
        """The settings of `lapwing.io.read_labels` for a file."""
        said = {
            "node_column": _column(self.node_column),
            "label_column": _column(self.label_column),
            "multilabel": self.multilabel,
            "separator": self.separator,
            **self._of_text(path, None),
        }
        return {name: value for name, value in said.items() if value is not None}

    def of_nodes(self, path: Path) -> dict[str, Any]:
        """The settings of `lapwing.read_nodes` for a file."""
        said = {"node_column": _column(self.node_column), **self._of_text(path, None)}
        return {name: value for name, value in said.items() if value is not None}

    def unused(self, graph: bool, table: bool) -> str | None:
        """An option that was given although no file that it concerns is read."""
        of_table = ("node_column", "label_column", "multilabel", "separator")
        for each in fields(self):
            concerned = table if each.name in of_table else graph
            if each.name in ("header", "delimiter"):
                concerned = graph or table
            if getattr(self, each.name) is not None and not concerned:
                return "--" + each.name.replace("_", "-")
        return None

    def _of_text(self, path: Path, said: str | None) -> dict[str, Any]:
        text = format_of(path, said, strict=False) in TEXT
        return {"header": self.header, "delimiter": self.delimiter} if text else {}


def reads_files(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of `READING`; they reach it as its argument `reading`."""
    signature = inspect.signature(command, eval_str=True)
    own = [each for each in signature.parameters.values() if each.name != "reading"]
    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=option)
        for name, option in READING.items()
    ]

    @wraps(command)
    def with_options(**given: Any) -> None:
        reading = Reading(**{name: given.pop(name) for name in READING if name in given})
        command(**given, reading=reading)

    own = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in own]
    parameters = [*own, *options]
    vars(with_options)["__signature__"] = signature.replace(parameters=parameters)
    with_options.__annotations__ = {each.name: each.annotation for each in parameters}
    return with_options


def problem(
    graph: str,
    labels: Path | None = None,
    *,
    largest_component: bool = False,
    reading: Reading | None = None,
    nodes: Path | None = None,
) -> Dataset:
    """The graph that GRAPH names, with the labels that are known of it."""
    file, how = Path(graph), reading or Reading()
    if file.is_dir():
        raise InputError(f"GRAPH must be a file or the name of a data set, {graph!r} is a folder")
    tables = labels is not None or nodes is not None
    unused = how.unused(file.exists(), tables)
    if unused is not None and (file.exists() or graph in data.available()):
        raise InputError(f"{unused} describes a file, but no such file is read here")
    if file.exists():
        foresee_reading(file, how.format)
        with waiting(f"reading {file.name}"):
            read = io.read_graph(file, **how.of_graph(file))
        found = Dataset(file.name, read, _none(read), ())
    else:
        found = _by_name(graph)
    if labels is not None:
        with waiting(f"reading {labels.name}"):
            known = io.read_labels(labels, found.graph, **how.of_table(labels))
        found = replace(found, labels=known.labels, classes=tuple(map(str, known.classes)))
        if (warning := too_many_classes(len(known.classes), len(known.nodes()))) != "":
            errors.print(f"note: {labels.name}: {warning}")
    if nodes is not None:
        with waiting(f"reading {nodes.name}"):
            said = how.of_nodes(nodes)
            described = io.described_graph(found.graph, nodes, **said)
            if labels is not None and labels.samefile(nodes):
                same = label_columns(described.node_table, found.known)
                described = io.described_graph(found.graph, nodes, without=same, **said)
        found = replace(found, graph=described)
    return found.largest_component() if largest_component else found


def label_columns(table: NodeTable, known: Labels) -> list[str]:
    """The columns of a node table that hold the labels: what is to be predicted is no attribute.

    Examples
    --------
    >>> table = NodeTable({"kind": ["x", "y", None], "title": ["a", "b", "c"]}, 3)
    >>> label_columns(table, Labels(np.array([0, 1, -1]), ("x", "y")))
    ['kind']
    """
    if known.multilabel:
        return []
    nodes, kinds = known.pairs()
    said = [str(known.classes[kind]) for kind in kinds.tolist()]
    flat = {name: values for name, values in table.items() if len(values.shape) == 1}
    return [n for n, values in flat.items() if list(map(str, values[nodes].tolist())) == said]


def needs_labels(found: Dataset) -> Dataset:
    """The same problem, or an error when no label came with it."""
    if not found.classes:
        raise InputError(
            f"{found.name} has no labels: give a table of nodes and labels with --labels"
        )
    return found


def too_many_classes(n_classes: int, n_labelled: int) -> str:
    """A word of warning if nearly every label is another one; empty if not.

    Examples
    --------
    >>> too_many_classes(105, 105)
    '105 labels are of 105 classes: is this the right column? say --label-column'
    >>> too_many_classes(10, 105)
    ''
    """
    if n_labelled < 20 or 2 * n_classes <= n_labelled:
        return ""
    asked = "is this the right column? say --label-column"
    return f"{n_labelled:,} labels are of {n_classes:,} classes: {asked}"


def _column(said: str | None) -> str | int | None:
    """A column by its name or, if it is a number, by its position."""
    return int(said) if said is not None and said.isdigit() else said


def _none(graph: Graph) -> Nodes:
    return np.full(graph.n_nodes, UNKNOWN, dtype=np.intp)


def _by_name(name: str) -> Dataset:
    names = data.available()
    if name in names:
        with waiting(f"loading {name}"):
            return data.load(name)
    near = get_close_matches(name, names, n=3)
    hint = f"; did you mean {' or '.join(near)}?" if near else "; see lapwing data list"
    raise InputError(f"GRAPH must be a file or the name of a data set, {name!r} is neither{hint}")
