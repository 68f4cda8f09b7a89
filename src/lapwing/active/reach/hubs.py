"""Hubs, and the nodes beside them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from lapwing.graph import Graph
from lapwing.types import Array, Mask, Nodes


def hubs(graph: Graph) -> Mask:
    """Return which nodes have more than the mean degree.

    Examples
    --------
    >>> hubs(Graph.from_edges([(0, 1), (0, 2), (0, 3)])).tolist()
    [True, False, False, False]
    """
    return np.asarray(graph.degrees > graph.degrees.mean()) if graph.n_nodes else np.zeros(0, bool)


def fresh_regions(graph: Graph, known: Iterable[int], candidates: Nodes) -> Nodes:
    """Return the candidates without hubs that have a labelled neighbour; all if none is left.

    Examples
    --------
    >>> star = Graph.from_edges([(0, 1), (0, 2), (0, 3)])
    >>> fresh_regions(star, [3], np.array([0, 1, 2])).tolist()
    [1, 2]
    """
    seen = np.zeros(graph.n_nodes, dtype=bool)
    for node in known:
        seen[graph.neighbors(node)] = True
    left = candidates[~(seen & hubs(graph))[candidates]]
    return left if len(left) else candidates


def beside(graph: Graph, node: int, candidates: Nodes, scores: Array) -> int:
    """Return the neighbour of a hub that is no hub and has the largest score.

    `scores` has one entry per node. The node itself is returned if it is no hub, or if no such
    neighbour is a candidate.

    Examples
    --------
    >>> star = Graph.from_edges([(0, 1), (0, 2), (0, 3)])
    >>> beside(star, 0, np.array([0, 1, 2]), np.array([9.0, 1.0, 2.0, 3.0]))
    2
    """
    central = hubs(graph)
    if not central[node]:
        return node
    near = np.intersect1d(graph.neighbors(node), candidates)
    near = near[~central[near]]
    return int(near[np.argmax(scores[near])]) if len(near) else node
