"""Recorded streams in which nodes and edges arrive, labels are told and questions are asked."""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from lapwing.checks import one_label, one_of
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.learner import CanTellTime, Learner
from lapwing.learner.growth import checked_graph
from lapwing.types import UNKNOWN

ArrivalKind = Literal["node", "edge", "label", "question"]
KINDS: tuple[ArrivalKind, ...] = ("node", "edge", "label", "question")


class Arrival(NamedTuple):
    """One event of a stream, by the names of nodes.

    A ``node`` arrives with the `edges` it brings, pairs or triples with a weight whose other ends
    are there already or arrive with it. An ``edge`` joins nodes that are there, given by its
    `edges`, too. A ``label`` tells a node's class; a
    ``question`` asks for the learner's guess. `at` is the time, if the stream has times.
    """

    kind: ArrivalKind
    node: Hashable
    edges: tuple[Any, ...] = ()
    label: int | None = None
    at: float | None = None


@dataclass(frozen=True, slots=True)
class Foretold:
    """A guess of a stream: at which event, for which node, and whether it was just arriving."""

    event: int
    node: Hashable
    guess: int
    arriving: bool


def play_arrivals(
    learner: Learner, events: Iterable[Arrival], *, graph: Graph
) -> Iterator[Foretold]:
    """Play a stream in time order; yield a guess for each node that arrives and for each question.

    A node is predicted the moment it arrives, from the edges it brought. Nodes and edges that
    follow each other without a label or a question in between are added together, so that they may
    refer to each other; guesses for the nodes among them follow. `graph` is the learner's graph at
    the start. A learner that forgets by time (`CanTellTime`) is told the time of
    each event that has one.

    Examples
    --------
    >>> from lapwing import make
    >>> path = Graph.from_edges([("a", "b"), ("b", "c")])
    >>> stream = [
    ...     Arrival("label", "a", label=1),
    ...     Arrival("node", "d", edges=(("d", "c"),)),
    ...     Arrival("edge", "d", edges=(("d", "a", 2.0),)),
    ...     Arrival("question", "b"),
    ... ]
    >>> for found in play_arrivals(make("push-lgc", path), stream, graph=path):
    ...     print(found)
    Foretold(event=1, node='d', guess=1, arriving=True)
    Foretold(event=3, node='b', guess=1, arriving=False)
    """
    checked_graph(graph)
    batch: list[tuple[int, Arrival]] = []
    for number, event in enumerate(events):
        one_of("kind", event.kind, KINDS)
        if event.at is not None and isinstance(learner, CanTellTime):
            learner.advance(event.at)
        if event.kind in ("node", "edge"):
            batch.append((number, event))
            continue
        graph = yield from _grown(learner, graph, batch)
        batch = []
        node = graph.index(event.node)
        if event.kind == "label":
            if event.label is None:
                raise InputError(f"event {number} tells the label of {event.node!r}, got none")
            learner.learn(node, one_label(event.label, learner.fixed_classes))
        else:
            yield Foretold(number, event.node, int(learner.predict(node)), False)
    yield from _grown(learner, graph, batch)


def _grown(
    learner: Learner, graph: Graph, batch: list[tuple[int, Arrival]]
) -> Generator[Foretold, None, Graph]:
    """Add nodes and edges, and guess the nodes; returns the grown graph."""
    if not batch:
        return graph
    new = [event.node for _, event in batch if event.kind == "node"]
    edges = [edge for _, event in batch for edge in event.edges]
    grown = graph.with_nodes(new) if new else graph
    for number, event in batch:
        for edge in event.edges:
            lost = next((end for end in edge[:2] if end not in grown.names), None)
            if lost is not None:
                raise InputError(f"event {number} brings an edge to {lost!r}, which is not there")
        if event.kind == "edge" and not event.edges:
            raise InputError(f"event {number} is an edge, it must have one in `edges`")
    if edges:
        ends = [tuple(edge[:2]) for edge in edges]
        weights = [float(edge[2]) if len(edge) > 2 else 1.0 for edge in edges]
        grown = grown.with_edges(ends, weights)
    learner.grow(grown)
    if new:
        places = np.array([grown.index(name) for name in new], dtype=np.intp)
        guesses = iter(np.asarray(learner.predict(places)).tolist())
        for number, event in batch:
            if event.kind == "node":
                yield Foretold(number, event.node, next(guesses), True)
    return grown


def arrivals(
    graph: Graph, order: Iterable[int], labels: Any, told: Any, *, start: int
) -> tuple[Graph, list[Arrival]]:
    """Turn a graph into its first part and a stream in which the other nodes arrive one by one.

    Nodes come in the given order; the first `start` make the graph at the beginning, each later one
    brings its edges to those before it. `labels` holds one class index per node (`UNKNOWN`: none),
    `told` whether its label is told, right after it arrives.

    Examples
    --------
    >>> path = Graph.from_edges([("a", "b"), ("b", "c")])
    >>> first, stream = arrivals(path, [0, 1, 2], [0, 0, 1], [True, False, True], start=2)
    >>> first.names, [event.kind for event in stream]
    (('a', 'b'), ['label', 'node', 'label'])
    """
    nodes, names = np.array(list(order), dtype=np.intp), graph.names
    place = np.full(graph.n_nodes, len(nodes))
    place[nodes] = np.arange(len(nodes))
    known = [int(label) if tell else UNKNOWN for label, tell in zip(labels, told, strict=True)]

    def told_of(node: int) -> list[Arrival]:
        return [] if known[node] == UNKNOWN else [Arrival("label", names[node], label=known[node])]

    stream = [event for node in nodes[:start].tolist() for event in told_of(node)]
    adjacency = graph.adjacency
    for node in nodes[start:].tolist():
        begin, end = adjacency.indptr[node], adjacency.indptr[node + 1]
        around, weights = adjacency.indices[begin:end], adjacency.data[begin:end]
        earlier = np.flatnonzero(place[around] < place[node])
        edges = tuple((names[node], names[around[k]], float(weights[k])) for k in earlier)
        stream += [Arrival("node", names[node], edges=edges), *told_of(node)]
    return graph.subgraph(nodes[:start]), stream
