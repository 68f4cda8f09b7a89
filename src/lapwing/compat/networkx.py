"""networkx graphs in and out, labels as a node attribute."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from lapwing.errors import InputError
from lapwing.graph import Graph, Labels
from lapwing.types import UNKNOWN, Array, Nodes


def from_networkx(
    graph: Any, *, label: str = "label", weight: str = "weight"
) -> tuple[Graph, Labels]:
    """The graph, and the labels that nodes carry in an attribute; a node without it has none.

    Examples
    --------
    >>> import networkx as nx
    >>> path = nx.path_graph(["a", "b", "c"])
    >>> path.nodes["a"]["label"], path.nodes["c"]["label"] = "red", "blue"
    >>> graph, labels = from_networkx(path)
    >>> graph, labels.labels, labels.classes
    (Graph(3 nodes, 2 edges, 1 component), array([ 1, -1,  0]), ('blue', 'red'))
    """
    read = Graph.from_networkx(graph, weight=weight)
    given = [graph.nodes[name].get(label) for name in read.names]
    seen = {value for value in given if value is not None}
    try:
        classes = tuple(sorted(seen))
    except TypeError:
        kinds = sorted({type(value).__name__ for value in seen})
        raise InputError(f"labels must be of one kind that has an order, got {kinds}") from None
    code: dict[Hashable, int] = {value: i for i, value in enumerate(classes)}
    codes = [UNKNOWN if value is None else code[value] for value in given]
    return read, Labels(np.array(codes, dtype=np.intp), classes)


def to_networkx(
    graph: Graph,
    *,
    labels: Nodes | None = None,
    classes: Sequence[Hashable] | None = None,
    probabilities: Array | None = None,
) -> Any:
    """The graph in networkx, each node with its ``label`` and ``confidence`` where known.

    `labels` are class indices (`classes` gives their names); `probabilities` are what
    ``predict_proba`` of all nodes gave, from which labels come where none are given.

    Examples
    --------
    >>> graph = Graph.from_edges([("a", "b"), ("b", "c")])
    >>> told = to_networkx(graph, labels=np.array([0, 0, -1]), classes=["red"])
    >>> dict(told.nodes(data="label"))
    {'a': 'red', 'b': 'red', 'c': None}
    """
    made = graph.to_networkx()
    if probabilities is not None and labels is None:
        likeliest = probabilities.argmax(axis=1)
        labels = np.where(probabilities.any(axis=1), likeliest, UNKNOWN)
    if labels is None:
        return made
    if len(labels) != graph.n_nodes:
        raise InputError(f"{graph.n_nodes} nodes need {graph.n_nodes} labels, got {len(labels)}")
    for node, code in enumerate(np.asarray(labels).tolist()):
        if code == UNKNOWN:
            continue
        attributes = made.nodes[graph.names[node]]
        attributes["label"] = code if classes is None else classes[code]
        if probabilities is not None:
            attributes["confidence"] = float(probabilities[node, code])
    return made
