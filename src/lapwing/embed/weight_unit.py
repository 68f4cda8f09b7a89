"""The unit of a graph's weights."""

from __future__ import annotations

from lapwing.graph import Graph

USUAL = (1e-3, 1e3)
"""Mean weights in this range are taken as they are."""


def in_usual_unit(graph: Graph) -> Graph:
    """The graph itself, or, where its mean weight is extreme, one with weights of mean 1.

    A kernel L+ has the unit 1 / weight, while biases, penalties and label signs have none: with
    weights of 1e9 the kernel vanishes beside them. A mean weight from .001 to 1000 is left as it
    is, so that a paper's kernel stays the paper's. Names are not kept.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2)])
    >>> in_usual_unit(graph) is graph
    True
    >>> in_usual_unit(Graph.from_edges([(0, 1, 1e9), (1, 2, 3e9)])).adjacency.data.tolist()
    [0.5, 0.5, 1.5, 1.5]
    """
    if graph.n_edges == 0:
        return graph
    mean = float(graph.adjacency.data.mean())
    if USUAL[0] <= mean <= USUAL[1]:
        return graph
    return Graph.from_scipy(graph.adjacency / mean)
