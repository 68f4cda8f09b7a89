"""Choose several nodes to ask about at once."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np

from lapwing import checks
from lapwing.active.strategies import strategy
from lapwing.graph import Graph
from lapwing.types import UNKNOWN, Array, Nodes


def batch(
    name: str,
    graph: Graph,
    labels: Mapping[int, int],
    learner: Any,
    candidates: Nodes,
    count: int,
    *,
    cost: Array | None = None,
) -> Nodes:
    """Choose several different nodes to ask about at once, by the strategy with that name.

    After each choice, a copy of the learner and of the labels learns the learner's own guess for
    the node (class 0 if it has none), so the next choice lies elsewhere. Your learner and labels
    are not changed. `UncertainReach.several` does the same for the default strategy without a
    learner.

    Examples
    --------
    Two triangles joined by an edge, nothing known: two questions, one per triangle.

    >>> from lapwing import make
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> batch("uncertain-reach", graph, {}, make("auto", graph), np.arange(6), 2)
    array([2, 3])
    """
    told, twin = dict(labels), copy.deepcopy(learner)
    choose = strategy(name, graph, told, cost=cost)
    left, chosen = checks.candidates(candidates, graph.n_nodes), []
    count = checks.whole_number("count", count, 0)
    for _ in range(min(count, len(left))):
        node = int(choose(twin, left))
        chosen.append(node)
        left = left[left != node]
        guess = int(twin.predict(node)) if twin.n_classes else UNKNOWN
        told[node] = max(guess, 0)
        twin.learn(node, told[node])
    return np.array(chosen, dtype=np.intp)
