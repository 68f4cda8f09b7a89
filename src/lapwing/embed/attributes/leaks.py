"""Notice columns that give the answer away."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import sparse

from lapwing.embed.attributes.kinds import ColumnUse
from lapwing.graph import NodeTable

FEWEST = 8
"""With fewer labels, a column with one value per class can be a coincidence."""


def leaking_columns(
    table: NodeTable, uses: Mapping[str, ColumnUse], labels: Mapping[int, int]
) -> list[str]:
    """Return the used columns that have one value per class, another for each.

    Only columns of single values can leak in this way. A column leaks if at least eight labelled
    nodes have a value, of two or more classes, and value and class determine each other.

    Examples
    --------
    >>> table = NodeTable({"topic": ["a", "b"] * 5, "year": [1, 2, 3, 4, 5] * 2}, 10)
    >>> uses = {"topic": ColumnUse("category", ""), "year": ColumnUse("number", "")}
    >>> leaking_columns(table, uses, {node: node % 2 for node in range(8)})
    ['topic']
    """
    nodes = np.fromiter(labels, dtype=np.intp, count=len(labels))
    classes = [labels[node] for node in nodes.tolist()]
    return [
        name
        for name, use in uses.items()
        if use.kind in ("text", "category", "number") and _tells(table[name], nodes, classes)
    ]


def _tells(values: Any, nodes: Any, classes: list[int]) -> bool:
    if sparse.issparse(values) or values.ndim > 1:
        return False
    pairs = [
        (str(value), label)
        for value, label in zip(values[nodes].tolist(), classes, strict=True)
        if value is not None and value == value
    ]
    kinds = {label for _, label in pairs}
    return (
        len(pairs) >= FEWEST
        and len(kinds) > 1
        and len(set(pairs)) == len(kinds) == len({value for value, _ in pairs})
    )
