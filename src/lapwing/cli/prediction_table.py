"""Answers for all nodes as tables: several labels per node, or a probability per class."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.data import Dataset
from lapwing.errors import InputError
from lapwing.types import Array


def label_set_table(found: Dataset, chances: Array, sets: Array) -> dict[str, NDArray[Any]]:
    """One row per node and label, with the label's probability; unknown nodes have no row.

    `read_labels` reads the table back, a node's labels together.

    Examples
    --------
    >>> from lapwing.graph import Graph
    >>> path = Graph.from_edges([("ada", "bo")], names=["ada", "bo", "cy"])
    >>> data = Dataset("path", path, np.array([1, -1, -1]), ("red", "blue"))
    >>> chances = np.array([[1.0, 1.0], [0.25, 0.75], [0.0, 0.0]])
    >>> table = label_set_table(data, chances, np.array([[1, 1], [0, 1], [0, 0]]))
    >>> for name, column in table.items():
    ...     print(name, column.tolist())
    node ['ada', 'ada', 'bo']
    label ['blue', 'red', 'blue']
    confidence [1.0, 1.0, 0.75]
    """
    nodes, classes = np.nonzero(sets)
    names = np.array(found.classes, dtype=object)[classes].astype(str)
    order = np.lexsort((names, -chances[nodes, classes], nodes))
    nodes, classes = nodes[order], classes[order]
    return {
        "node": _column([found.graph.names[node] for node in nodes.tolist()]),
        "label": names[order],
        "confidence": chances[nodes, classes].round(6),
    }


def probability_table(found: Dataset, chances: Array) -> dict[str, NDArray[Any]]:
    """One row per node, one column per class: the probability that the node has it.

    Examples
    --------
    >>> from lapwing.graph import Graph
    >>> path = Graph.from_edges([("ada", "bo")])
    >>> data = Dataset("path", path, np.array([1, -1]), ("red", "blue"))
    >>> table = probability_table(data, np.array([[0.0, 1.0], [0.25, 0.75]]))
    >>> list(table), table["blue"].tolist()
    (['node', 'red', 'blue'], [1.0, 0.75])
    """
    names = [found.graph.names[node] for node in range(len(chances))]
    columns = {str(name): chances[:, k].round(6) for k, name in enumerate(found.classes)}
    if "node" in columns:
        raise InputError("a class called 'node' cannot be a column beside the nodes")
    return {"node": _column(names), **columns}


def _column(names: list[Any]) -> NDArray[Any]:
    """Integers if all are, otherwise text."""
    if all(type(name) is int for name in names):
        return np.array(names, dtype=np.int64)
    return np.array([str(name) for name in names])
