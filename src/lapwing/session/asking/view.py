"""What a person sees of a node: columns of the node table, and where that table is."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lapwing.embed.attributes.leaks import leaking_columns
from lapwing.graph import Graph
from lapwing.graph.labels import Labels
from lapwing.graph.node_table import NodeTable
from lapwing.io import described_graph
from lapwing.session.log.events import Event, Kind
from lapwing.types import UNKNOWN

MOST_COLUMNS = 6
"""How many columns are shown if none are chosen."""


def card_columns(
    table: NodeTable, said: Iterable[str], labels: Mapping[int, int] | None = None
) -> tuple[str, ...]:
    """The columns that were named, checked; if none were, the first few that can be looked at.

    A row of a thousand numbers is nothing to look at, and a column that gives the label away is
    left out unless it is named.

    Examples
    --------
    >>> table = NodeTable({"title": ["a", "b"], "words": np.ones((2, 99))}, 2)
    >>> card_columns(table, []), card_columns(table, ["words"])
    (('title',), ('words',))
    """
    names = tuple(said)
    for name in names:
        table[name]
    if names:
        return names
    legible = [name for name in table if len(table[name].shape) in (1, 3, 4)]
    away = leaking_columns(table, labels or {})
    return tuple(name for name in legible if name not in away)[:MOST_COLUMNS]


def labels_by_node(labels: Labels) -> dict[int, int]:
    """Labels as a dictionary; empty where a node may have several."""
    if labels.multilabel:
        return {}
    found = np.asarray(labels.labels)
    nodes = np.flatnonzero(found != UNKNOWN)
    return dict(zip(nodes.tolist(), found[nodes].tolist(), strict=True))


def view_of(graph: Graph, show: Iterable[str]) -> dict[str, Any]:
    """What a log keeps of what is shown: the table's place, if it has one, and the columns."""
    place = (graph.read_from or {}).get("nodes")
    columns = list(show)
    view: dict[str, Any] = {} if place is None else {"nodes": place}
    return view | ({"show": columns} if columns else {})


def check_table(name: str, header: Mapping[str, Any], graph: Graph) -> None:
    """Warn if a session has learned from a node table and the graph has another one, or none."""
    begun = header.get("node_table")
    if begun is not None and begun != graph.node_table.digest:
        warnings.warn(f"session {name!r} was begun with another node table: answers are kept, "
                      "guesses may differ", UserWarning, stacklevel=2)  # fmt: skip


def latest_view(events: Iterable[Event]) -> Mapping[str, Any]:
    """What a log last said about what is shown."""
    return next((e.detail for e in reversed(list(events)) if e.kind is Kind.SHOWN), {})


def as_recorded(graph: Graph, view: Mapping[str, Any], *, near: Sequence[Path] = ()) -> Graph:
    """The graph with the node table that a log names, unless it has come with one.

    The table is looked for where it was, then in the folders `near`. If it is nowhere, there is a
    warning and the nodes are shown without it: nothing else depends on it.
    """
    place = dict(view.get("nodes") or {})
    if not place or "nodes" in (graph.read_from or {}):
        return graph
    file = Path(str(place.pop("table")))
    found = next((p for p in (file, *(at / file.name for at in near)) if p.is_file()), None)
    if found is None:
        warnings.warn(f"the node table {file} is not there: nodes are shown without it",
                      UserWarning, stacklevel=2)  # fmt: skip
        return graph
    return described_graph(graph, found, **place)
