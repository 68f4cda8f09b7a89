"""The best promise about a learner that is about to play, or has played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from lapwing.bounds.certificate import Certificate
from lapwing.bounds.certification import certify, tightest
from lapwing.graph import Graph
from lapwing.types import Nodes

PROVEN = {
    "perceptron": "perceptron",
    "gpa": "perceptron",
    "1-proj": "1-proj",
    "c-proj": "c-proj",
    "mni-ag": "mni-ag",
}
"""Which theorems speak of an algorithm of the catalog, by both names."""


def promise(
    algorithm: str,
    graph: Graph,
    labels: Nodes,
    parameters: Mapping[str, Any] | None = None,
    *,
    mistakes: int | None = None,
) -> Certificate | None:
    """The smallest proven bound on an algorithm's mistakes over any order of the labelled nodes.

    `algorithm` and `parameters` as in `lapwing.make`, `labels` as in `certify`; each node is
    played once. None when no theorem covers it: another algorithm, rows of low rank, a graph of
    several components.

    Examples
    --------
    >>> import numpy as np
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> found = promise("perceptron", graph, np.array([0, 0, 0, 1, 1, 1]), mistakes=2)
    >>> found.theorem, found.value, found.actual
    ('2.1, once', 5.0, 2)
    >>> promise("sslgc", graph, np.array([0, 0, 0, 1, 1, 1])) is None
    True
    """
    given = dict(parameters or {})
    rank = given.get("rank")
    if algorithm not in PROVEN or (rank is not None and rank < graph.n_nodes):
        return None
    if given.get("normalized") or given.get("unit_rows") or given.get("every_label"):
        return None
    found = tightest(
        certify(
            graph,
            labels,
            bias=given.get("bias"),
            c=float(given.get("c", 0.0)),
            learners=[PROVEN[algorithm]],
        )
    )
    return None if found is None else replace(found, actual=mistakes)
