"""Where a session's graph and its log are kept."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from lapwing import data
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.io import read_graph
from lapwing.optional import need
from lapwing.session.store.logs import LogStore
from lapwing.session.store.memory import MemoryStore

READING = ("source", "target", "weight", "delimiter", "header", "directed", "format")
"""Options for reading a graph's file that a header can contain."""


def store_of(where: str | Path | LogStore | None) -> LogStore:
    """The store at a path or a database's address; in memory for None.

    Examples
    --------
    >>> type(store_of(None)).__name__
    'MemoryStore'
    """
    if where is None:
        return MemoryStore()
    if isinstance(where, LogStore):
        return where
    if not isinstance(where, str | Path):
        raise InputError(f"store must be a file or a database's address, got {where!r:.80}")
    need("sqlalchemy", extra="session")
    store: LogStore = import_module("lapwing.session.store.store").Store(where)
    return store


def names_hash(graph: Graph) -> str:
    """A digest of the nodes' names, in the order of their indices."""
    if graph.names.are_positions:
        return f"0..{graph.n_nodes}"
    digest = hashlib.sha256()
    for name in graph.names:
        digest.update(f"{name!r}\n".encode())
    return digest.hexdigest()


def check_names(session: str, header: Mapping[str, Any], graph: Graph) -> None:
    """Raise if a graph of the same shape has other node names."""
    if header.get("names_hash", names_hash(graph)) != names_hash(graph):
        raise InputError(
            f"session {session!r} belongs to a graph whose nodes have different names or "
            "a different order"
        )


def graph_of(header: Mapping[str, Any], session: str, *, near: Path | None = None) -> Graph:
    """The graph where the header says it is: a file, one beside the database, or a data set."""
    source = header.get("graph")
    if not source:
        raise InputError(f"session {session!r} does not say where its graph is: pass the graph")
    file = Path(str(source))
    places = [file] if near is None else [file, near.parent / file, near.parent / file.name]
    found = next((place for place in places if place.is_file()), None)
    if found is not None:
        said = {k: v for k, v in dict(header.get("reading", {})).items() if k in READING}
        graph = read_graph(found, **said)
    elif str(source) in data.available():
        graph = data.load(str(source)).graph
    else:
        raise InputError(
            f"session {session!r} needs the graph {source}, which was not found: pass the graph"
        )
    return graph.largest_component() if header.get("largest_component") else graph
