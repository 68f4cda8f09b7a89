"""How commands open sessions: the database, the graph, and costs from a table."""

from __future__ import annotations

import os
import re
from collections.abc import Hashable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from lapwing.cli.compiling import preparing
from lapwing.cli.inputs import Reading, problem
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.io import read_labels
from lapwing.io.files import plain_file
from lapwing.io.formats import TEXT, format_of
from lapwing.optional import need
from lapwing.session import Session, Store

DbOption = Annotated[
    str | None,
    typer.Option("--db", help="Database of sessions: a file, or an address like postgresql://..."),
]
NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The session's name.")]
GraphOption = Annotated[str | None, typer.Option("--graph", help="The graph, if it has moved.")]


def store_at(db: str | None, *, new: bool = False) -> Store:
    """The store that was asked for, that ``LAPWING_DB`` names, or the user's own.

    Only what may begin a `new` one makes a database where somebody names a file that is not there.
    """
    where = db or os.environ.get("LAPWING_DB")
    if where is not None and not new and "://" not in where and not Path(where).exists():
        raise InputError(f"there is no database {where}")
    if where is None:
        folder = need("platformdirs", extra="session").user_data_path("lapwing")
        where = str(Path(folder) / "sessions.db")
    return Store(where)


def opened(store: Store, name: str, graph: str | None = None) -> Session:
    """A session that exists, its log replayed; `graph` says where its graph is now."""
    found = None if graph is None else problem(graph).graph
    with preparing(f"opening session {name}"):
        return Session.open(store, name, graph=found)


def with_place(graph: Graph, argument: str, *, largest_component: bool) -> Graph:
    """The graph that knows where a command found it, so that a session can say so."""
    file = Path(argument)
    place: dict[str, Any] = dict(graph.read_from or {})
    place["graph"] = str(file.absolute()) if file.is_file() else argument
    if largest_component:
        place["largest_component"] = True
    graph.read_from = place
    return graph


def costs_in(
    table: Path | None, graph: Graph, reading: Reading | None = None
) -> dict[Hashable, str] | None:
    """What a table node,cost says, by node name."""
    if table is None:
        return None
    how = reading or Reading()
    if how.label_column is None and "cost" in _first_words(table):
        how = replace(how, label_column="cost", header=True)
    read = read_labels(table, graph, **how.of_table(table))
    nodes, kinds = read.pairs()
    pairs = zip(nodes.tolist(), kinds.tolist(), strict=True)
    return {graph.names[node]: str(read.classes[kind]) for node, kind in pairs}


def _first_words(table: Path) -> list[str]:
    """The columns that the first row of a text names, if it is a header."""
    if format_of(table, None) not in TEXT:
        return []
    with plain_file(table) as plain, plain.open(encoding="utf-8", errors="replace") as lines:
        first = next((line for line in lines if line[:1] not in "#%"), "")
    return [word.strip().strip('"') for word in re.split(r"[,;|\s]", first)]
