"""How commands open sessions: the database, and learner and strategy by name."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from lapwing import active
from lapwing.catalog import make
from lapwing.cli.inputs import Reading
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.io import read_labels
from lapwing.io.files import plain_file
from lapwing.io.formats import TEXT, format_of
from lapwing.optional import need
from lapwing.session import Session, Store
from lapwing.types import Array

DbOption = Annotated[
    str | None,
    typer.Option("--db", help="Database of sessions: a file, or an address like postgresql://..."),
]


def store_at(db: str | None) -> Store:
    """The store that was asked for, that ``LAPWING_DB`` names, or the user's own."""
    where = db or os.environ.get("LAPWING_DB")
    if where is None:
        folder = need("platformdirs", extra="session").user_data_path("lapwing")
        where = str(Path(folder) / "sessions.db")
    return Store(where)


def parts(header: Mapping[str, Any], graph: Graph) -> dict[str, Any]:
    """Learner and strategy of a session, as its header names them."""
    for part in ("learner", "strategy"):
        if part not in header:
            raise InputError(
                f"a session's header must name its {part}, this one does not: "
                "open it in Python, with the parts that it was made of"
            )
    settings, seed = dict(header.get("parameters", {})), int(header.get("seed", 0))
    strategy = active.checked_name(str(header["strategy"]))
    cost = _costs(header.get("costs"), graph.n_nodes)
    return {
        "make_learner": lambda: make(str(header["learner"]), graph, **settings),
        "make_strategy": lambda labels: active.strategy(
            strategy, graph, labels, seed=seed, cost=cost
        ),
    }


def priced(graph: Graph, table: Path | None, reading: Reading | None = None) -> dict[str, Any]:
    """What a session's header keeps of a table node,cost: costs, and nodes that cost too much.

    Nodes that the table does not name cost 1; `inf` forbids one.
    """
    if table is None:
        return {}
    how = reading or Reading()
    if how.label_column is None and "cost" in _first_words(table):
        how = replace(how, label_column="cost", header=True)
    read = read_labels(table, graph, **how.of_table(table))
    nodes, kinds = read.pairs()
    costs = {}
    for node, kind in zip(nodes.tolist(), kinds.tolist(), strict=True):
        try:
            costs[node] = float(str(read.classes[kind]))
        except ValueError:
            costs[node] = float("nan")
        if not costs[node] > 0:
            name, got = graph.names[node], read.classes[kind]
            raise InputError(f"{table}: the cost of {name!r} must be above 0 or inf, got {got!r}")
    never = [node for node, cost in costs.items() if np.isinf(cost)]
    known = {str(node): cost for node, cost in costs.items() if np.isfinite(cost)}
    return {"forbidden": never, **({"costs": known} if known else {})}


def _first_words(table: Path) -> list[str]:
    """The columns that the first row of a text names, if it is a header."""
    if format_of(table, None) not in TEXT:
        return []
    with plain_file(table) as plain, plain.open(encoding="utf-8", errors="replace") as lines:
        first = next((line for line in lines if line[:1] not in "#%"), "")
    return [word.strip().strip('"') for word in re.split(r"[,;|\s]", first)]


def _costs(known: Mapping[str, float] | None, n_nodes: int) -> Array | None:
    if not known:
        return None
    cost = np.ones(n_nodes)
    cost[[int(node) for node in known]] = list(known.values())
    return cost


def opened(store: Store, name: str, graph: Graph) -> Session:
    """A session that exists, its log replayed."""
    header = store.record(name).header
    return Session(store, name, graph, **parts(header, graph))
