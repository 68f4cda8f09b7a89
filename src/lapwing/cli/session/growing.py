"""How commands let a session's graph grow: from files of edges and nodes, or its own file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import typer

from lapwing.cli.label.keys import at_terminal
from lapwing.cli.output import console, errors
from lapwing.data import Dataset
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.io import read_graph
from lapwing.session import Session
from lapwing.session.log.growth import Growth
from lapwing.session.opening.gained import (
    as_named,
    file_before,
    record_before,
    record_changed,
    with_all_of,
)
from lapwing.session.opening.places import READING, graph_of
from lapwing.session.store.logs import LogStore
from lapwing.types import UNKNOWN, Array


def grown_to_file(held: Session, by: str) -> Growth:
    """Add what the file of the session's graph has gained."""
    header = held.dialogue.header
    file = graph_of(header, held.name, near=held.store.file)
    return held.grow(graph=with_all_of(held.graph, file), by=by)


def edges_in(file: Path | None, held: Session) -> tuple[list[tuple[Any, Any]] | None, Array | None]:
    """The edges in a file, by name, and their weights; read like the session's graph."""
    if file is None:
        return None, None
    header = held.dialogue.header
    said = {k: v for k, v in dict(header.get("reading", {})).items() if k in READING}
    graph = read_graph(file, **{k: v for k, v in said.items() if k != "format"})
    sources, targets, weights = graph.edges()
    names = [as_named(held.graph, name) for name in graph.names]
    pairs = zip(sources.tolist(), targets.tolist(), strict=True)
    return [(names[u], names[v]) for u, v in pairs], weights


def in_order_of(found: Dataset, held: Session) -> Dataset:
    """The labels of a graph's file, in the order of the session's nodes."""
    if held.graph.n_nodes == found.graph.n_nodes and held.graph.names == found.graph.names:
        return found
    known = np.append(found.labels, UNKNOWN)
    places = [found.graph.names.positions().get(name, -1) for name in held.graph.names]
    return replace(found, graph=held.graph, labels=known[places])


def offered(store: LogStore, name: str, graph: Graph, by: str) -> Session | None:
    """Offer to add the lines that a session's file has gained; the session if the answer is yes.

    None if there is no such session. Without a terminal, an error says which command does it. If
    lines were changed or removed, a note says what becomes of the session.
    """
    record = record_before(store, name, graph)
    if record is None:
        _say_what_changed(store, name, graph)
        return None
    held = Session.open(store, name, graph=file_before(record.header), by=by)
    whole = with_all_of(held.graph, graph)
    growth = Growth.between(held.graph, whole)
    if growth.is_empty:
        return held
    said = f"{record.header['graph']} has grown since session {name} began: {growth}."
    if not at_terminal():
        raise InputError(f"{said} Add it with: lapwing session grow {name}")
    console.print(said, markup=False)
    if not typer.confirm("Add it to the session and keep every answer?", default=True):
        raise InputError(
            f"session {name!r} stays as it is; a new name (--session) begins a new session"
        )
    held.grow(graph=whole, by=by)
    return held


def _say_what_changed(store: LogStore, name: str, graph: Graph) -> None:
    """Say so if the file of a session's graph no longer begins with what it was."""
    record = record_changed(store, name, graph)
    if record is not None:
        errors.print(
            f"{record.header['graph']} no longer begins with the graph of session {name}: lines "
            "were changed or removed. Another session begins; the earlier one, with its "
            f"{record.n_events} events, opens with the file as it was: lapwing session show "
            f"{name} --graph FILE"
        )
