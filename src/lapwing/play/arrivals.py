"""Recorded streams in which nodes and edges arrive, labels are told and questions are asked."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from lapwing.graph import Graph
from lapwing.types import UNKNOWN

ArrivalKind = Literal["node", "edge", "label", "question"]
KINDS: tuple[ArrivalKind, ...] = ("node", "edge", "label", "question")


class Arrival(NamedTuple):
    """One event of a stream, by the names of nodes.

    A ``node`` arrives with the `edges` it brings, pairs or triples with a weight whose other ends
    are there already or arrive at the same time. An ``edge`` joins nodes that are there, given by
    its `edges`, too. A ``label`` tells a node's class; a ``question`` asks for the learner's guess.
    `at` is the time, if the stream has times.
    """

    kind: ArrivalKind
    node: Hashable
    edges: tuple[Any, ...] = ()
    label: int | None = None
    at: float | None = None


@dataclass(frozen=True)
class Stream:
    """Events in time order, and the graph before the first of them; `classes` names the labels."""

    graph: Graph
    events: Sequence[Arrival]
    classes: tuple[str, ...] = ()


def arrivals(graph: Graph, order: Iterable[int], labels: Any, told: Any, *, start: int) -> Stream:
    """Turn a graph into a stream: its first part, and the other nodes arriving one by one.

    Nodes come in the given order; the first `start` make the graph at the beginning, each later one
    brings its edges to those before it. `labels` holds one class index per node (`UNKNOWN`: none),
    `told` whether its label is told, right after it arrives.

    Examples
    --------
    >>> path = Graph.from_edges([("a", "b"), ("b", "c")])
    >>> stream = arrivals(path, [0, 1, 2], [0, 0, 1], [True, False, True], start=2)
    >>> stream.graph.names, [event.kind for event in stream.events]
    (('a', 'b'), ['label', 'node', 'label'])
    """
    nodes, names = np.array(list(order), dtype=np.intp), graph.names
    place = np.full(graph.n_nodes, len(nodes))
    place[nodes] = np.arange(len(nodes))
    known = [int(label) if tell else UNKNOWN for label, tell in zip(labels, told, strict=True)]

    def told_of(node: int) -> list[Arrival]:
        return [] if known[node] == UNKNOWN else [Arrival("label", names[node], label=known[node])]

    events = [event for node in nodes[:start].tolist() for event in told_of(node)]
    adjacency = graph.adjacency
    for node in nodes[start:].tolist():
        begin, end = adjacency.indptr[node], adjacency.indptr[node + 1]
        around, weights = adjacency.indices[begin:end], adjacency.data[begin:end]
        earlier = np.flatnonzero(place[around] < place[node])
        edges = tuple((names[node], names[around[k]], float(weights[k])) for k in earlier)
        events += [Arrival("node", names[node], edges=edges), *told_of(node)]
    return Stream(graph.subgraph(nodes[:start]), events)
