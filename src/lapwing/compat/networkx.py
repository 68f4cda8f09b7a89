"""Convert networkx graphs in both directions, with labels as a node attribute."""

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
    """Return the graph and the labels in a node attribute; nodes without it have no label.

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
        raise InputError(f"labels must all have one sortable type, got {kinds}") from None
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
    """Return a networkx graph whose nodes have a ``label`` and a ``confidence`` where known.

    `labels` are class indices (`classes` gives their names). `probabilities` are the result of
    ``predict_proba`` for all nodes; labels are derived from them if you give none.

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
        raise InputError(
            f"labels must have one entry per node, {graph.n_nodes} in all, got {len(labels)}"
        )
    for node, code in enumerate(np.asarray(labels).tolist()):
        if code == UNKNOWN:
            continue
        attributes = made.nodes[graph.names[node]]
        attributes["label"] = code if classes is None else classes[code]
        if probabilities is not None:
            attributes["confidence"] = float(probabilities[node, code])
    return made
