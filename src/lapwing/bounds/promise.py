"""The smallest bound on the mistakes of a learner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from lapwing.bounds.certificate import Certificate
from lapwing.bounds.certification import certify, tightest
from lapwing.embed import in_usual_unit
from lapwing.graph import Graph
from lapwing.types import Nodes

PROVEN = {
    "perceptron": "perceptron",
    "gpa": "perceptron",
    "1-proj": "1-proj",
    "c-proj": "c-proj",
    "mni-ag": "mni-ag",
}
"""The theorems that apply to algorithms of the catalog."""


def promise(
    algorithm: str,
    graph: Graph,
    labels: Nodes,
    parameters: Mapping[str, Any] | None = None,
    *,
    mistakes: int | None = None,
) -> Certificate | None:
    """Return the smallest proven bound on an algorithm's mistakes for any order of the nodes.

    `algorithm` and `parameters` as in `lapwing.make`, `labels` as in `certify`; each node is played
    once. Returns None if no theorem applies: another algorithm, rows of low rank, or a graph with
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
            in_usual_unit(graph),
            labels,
            bias=given.get("bias"),
            c=float(given.get("c", 0.0)),
            learners=[PROVEN[algorithm]],
        )
    )
    return None if found is None else replace(found, actual=mistakes)
