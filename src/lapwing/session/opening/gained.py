"""Graph files that have gained lines since a session began."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from lapwing.checks import several
from lapwing.errors import InputError, LapwingError
from lapwing.graph import Graph
from lapwing.graph.growth import Change, difference
from lapwing.io import read_graph
from lapwing.io.formats import TEXT, format_of
from lapwing.io.named_rows import named_rows
from lapwing.learner.growth import checked_graph
from lapwing.session.log.events import Kind
from lapwing.session.log.growth import Growth, before_growths
from lapwing.session.log.provenance import check_graph
from lapwing.session.opening.places import READING, names_hash
from lapwing.session.store.logs import LogStore, Record


def first_graph(store: LogStore, record: Record, graph: Graph) -> Graph:
    """Return the graph with which a session began, from it or from the one it has grown to.

    Where the graph's file has gained lines since, its beginning is read again.
    """
    if graph.hash == record.header.get("graph_hash"):
        return graph
    if graph.hash in grown_hashes(store, record)[-1:]:
        growths = [Growth.of(event.detail) for event in _growths(store, record)]
        return before_growths(graph, growths)
    found = file_before(record.header)
    if found is not None:
        return found
    place = (graph.read_from or {}).get("graph")
    if place is not None and place == record.header.get("graph") and Path(str(place)).is_file():
        raise InputError(
            f"session {record.name!r} cannot go on: its file has changed in other ways than by "
            f"lines added at its end; give {place} as it was with --graph, or to Session.open"
        )
    check_graph(record.name, record.header, graph)
    return graph


def grown_hashes(store: LogStore, record: Record) -> list[str]:
    """The hashes of the graph after each of a session's growths."""
    return [str(event.detail.get("graph_hash")) for event in _growths(store, record)]


def record_on(store: LogStore, name: str, graph: Graph) -> Record | None:
    """The session of that name that stands on this graph now, or began with it; None if none."""
    for record in store.records():
        if record.name == name and (
            record.header.get("graph_hash") == graph.hash
            or graph.hash in grown_hashes(store, record)[-1:]
        ):
            return record
    return None


def record_before(store: LogStore, name: str, graph: Graph) -> Record | None:
    """The session of that name on the same file as it was before it gained lines, if any."""
    place = (graph.read_from or {}).get("graph")
    if place is None or not Path(str(place)).is_file():
        return None
    for record in store.records():
        same = record.name == name and record.header.get("graph") == place
        if same and file_before(record.header) is not None:
            return record
    return None


def record_changed(store: LogStore, name: str, graph: Graph) -> Record | None:
    """The session of that name on the same file as it was before lines changed or went, if any."""
    place = (graph.read_from or {}).get("graph")
    if place is None or not Path(str(place)).is_file():
        return None
    if record_on(store, name, graph) is not None:
        return None
    same = [each for each in store.records() if each.name == name]
    return next((each for each in same if each.header.get("graph") == place), None)


def file_size(graph: Graph) -> dict[str, int]:
    """What a header keeps, so that lines added to the graph's file later can be told apart."""
    place = Path(str((graph.read_from or {}).get("graph", "")))
    return {"bytes": place.stat().st_size} if place.is_file() else {}


def file_before(header: Mapping[str, Any]) -> Graph | None:
    """The graph in the beginning of a file that has gained lines; None if that is not what it is.

    Only a text that is not compressed has a beginning that can be read.
    """
    place, size = Path(str(header.get("graph", ""))), header.get("bytes")
    if not isinstance(size, int) or not place.is_file() or place.stat().st_size <= size:
        return None
    said = {k: v for k, v in dict(header.get("reading", {})).items() if k in READING}
    try:
        if format_of(place, said.get("format")) not in TEXT:
            return None
        with TemporaryDirectory() as folder:
            beginning = Path(folder) / place.name
            with place.open("rb") as file:
                beginning.write_bytes(file.read(size))
            graph = read_graph(beginning, **said)
    except LapwingError:
        return None
    graph = graph.largest_component() if header.get("largest_component") else graph
    graph.read_from = {"graph": str(place), "reading": said}
    same = graph.hash == header.get("graph_hash")
    same = same and header.get("names_hash", names_hash(graph)) == names_hash(graph)
    return graph if same else None


def refuse_gained(store: LogStore, name: str, graph: Graph) -> None:
    """Raise if there is a session of that name on the same file before it gained lines."""
    record = record_before(store, name, graph)
    if record is not None:
        raise InputError(
            f"session {name!r} was begun before its file {record.header['graph']} gained lines: "
            f"add them with `lapwing session grow {name}`, or in Python with "
            f"Session.open(store, {name!r}).grow(graph=graph); another name begins a new session"
        )


def grown_by(
    graph: Graph,
    edges: Any,
    nodes: Any,
    *,
    weights: Any = None,
    remove: Any = None,
    whole: Graph | None = None,
) -> Graph:
    """Return the graph after adding and removing what `Session.grow` was given.

    Examples
    --------
    >>> graph = Graph.from_edges([("ada", "bo")]).with_node_table({"age": [31, 47]})
    >>> grown_by(graph, None, {"node": ["cy", "bo"], "age": [5, 6]}).node_table["age"]
    array([31, 47,  5])
    """
    if whole is not None:
        if edges is not None or nodes is not None or remove is not None:
            raise InputError("grow needs either a whole graph, or edges and nodes, got both")
        return as_grown(graph, checked_graph(whole))
    if edges is None and nodes is None and remove is None:
        raise InputError("grow needs edges, nodes, edges to remove or a graph, got none of them")
    names, columns = _named(graph, nodes)
    new = [name for name in names if name not in graph.names]
    grown = graph.with_nodes(new) if new else graph
    grown = grown if edges is None else grown.with_edges(edges, weights)
    grown = grown if remove is None else grown.without_edges(remove)
    return _described(graph, grown, names, columns)


def _named(graph: Graph, nodes: Any) -> tuple[list[Hashable], Mapping[str, Any]]:
    """The names of nodes, from a list or a table, and the table's other columns."""
    if nodes is None:
        return [], {}
    is_table = isinstance(nodes, Mapping | PathLike) or hasattr(nodes, "columns")
    if not is_table and not hasattr(nodes, "column_names"):
        return list(several("nodes", nodes)), {}
    names, columns = named_rows(nodes)
    return [as_named(graph, name) for name in names], columns


def _described(
    before: Graph, grown: Graph, names: Sequence[Hashable], columns: Mapping[str, Any]
) -> Graph:
    """The grown graph with what columns say of its new nodes; the table's columns stay."""
    kept = [name for name in columns if name in before.node_table]
    if not kept:
        return grown
    rows: dict[Hashable, dict[str, Any]] = {}
    for k, name in enumerate(names):
        if name in rows:
            raise InputError(f"new node {name!r} must have one row, got a second one")
        rows[name] = {column: columns[column][k] for column in kept}
    later = [rows.get(name, {}) for name in grown.names[before.n_nodes :]]
    return grown.with_node_table(before.node_table.extended(later))


def as_named(graph: Graph, name: Any) -> Hashable:
    """The name as the graph's names are: a number among numbers, text among text.

    Examples
    --------
    >>> as_named(Graph.from_edges([(0, 1)]), "7"), as_named(Graph.from_edges([("a", "b")]), 7)
    (7, '7')
    """
    numbers = graph.n_nodes > 0 and isinstance(graph.names[0], int)
    if not numbers:
        return str(name)
    try:
        return int(name)
    except (TypeError, ValueError):
        raise InputError(f"nodes are named by numbers in this graph, got {name!r}") from None


def with_all_of(graph: Graph, file: Graph) -> Graph:
    """Return a graph with the nodes and edges of a file added; the larger weight of an edge counts.

    Examples
    --------
    >>> graph = Graph.from_edges([("b", "c"), ("c", "d")])
    >>> with_all_of(graph, Graph.from_edges([("a", "b"), ("b", "c")])).names
    ('b', 'c', 'd', 'a')

    Numbers become text where the graph's names are text:

    >>> with_all_of(graph, Graph.from_edges([(1, 2)])).names
    ('b', 'c', 'd', '1', '2')
    """
    names = [as_named(graph, name) for name in file.names]
    new = [name for name in names if name not in graph.names]
    sources, targets, weights = file.edges()
    ends = zip(sources.tolist(), targets.tolist(), strict=True)
    named = [(names[u], names[v]) for u, v in ends]
    grown = graph.with_nodes(new) if new else graph
    grown = grown.with_edges(named, weights, parallel="max") if named else grown
    places = [at for at, name in enumerate(names) if name not in graph.names]
    columns = {column: [file.node_table.row(at)[column] for at in places]
               for column in file.node_table if column in graph.node_table}  # fmt: skip
    return _described(graph, grown, new, columns)


def as_grown(before: Graph, now: Graph) -> Graph:
    """Return a graph with the nodes and edges of `now`, in which nodes of `before` come first.

    Examples
    --------
    >>> before = Graph.from_edges([("b", "c")])
    >>> as_grown(before, Graph.from_edges([("a", "b"), ("b", "c")])).names
    ('b', 'c', 'a')
    """
    missing = [name for name in before.names if name not in now.names]
    if missing:
        raise InputError(
            f"a grown graph must keep all {before.n_nodes} nodes, {missing[0]!r} is missing"
        )
    new = [name for name in now.names if name not in before.names]
    order = now.indices([*before.names, *new])
    target = now.adjacency[order][:, order]
    change = difference(before.adjacency, target.tocsr())
    changed = Change(len(order), change.sources, change.targets, change.weights)
    grown = before.with_change(changed, names=new)
    if now.node_table:
        grown = grown.with_node_table(now.node_table.taken(np.asarray(order)))
    return grown


def _growths(store: LogStore, record: Record) -> list[Any]:
    return [event for event in store.events(record) if event.kind is Kind.GROWN]
