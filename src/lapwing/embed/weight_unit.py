"""The unit and the range of a graph's weights."""

from __future__ import annotations

import numpy as np

from lapwing.graph import Graph

USUAL = (1e-3, 1e3)
"""Mean weights in this range are taken as they are."""
WIDEST = 1e12
"""A solver in 64-bit floats cannot tell a wider range of weights from zero."""
NARROWED = 1e6
"""The range to which wider ones are compressed."""


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


def in_solvable_range(graph: Graph) -> Graph:
    """The graph itself, or, where its weights span more than 1e12, one where they span 1e6.

    Beside a weight of 1e9, one of 1e-9 is lost to rounding: a solver then answers as if its edge
    did not exist, and with the class of the wrong side. Such weights are raised to a power, which
    keeps their order, and divided by their largest. Names are not kept.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1, 1e-9), (1, 2, 1.0), (2, 3, 1e9)])
    >>> in_solvable_range(graph).adjacency.data.round(9).tolist()
    [1e-06, 1e-06, 0.001, 0.001, 1.0, 1.0]
    >>> ordinary = Graph.from_edges([(0, 1, 0.001), (1, 2, 1000.0)])
    >>> in_solvable_range(ordinary) is ordinary
    True
    """
    if graph.n_edges == 0:
        return graph
    weights = graph.adjacency.data
    least, most = float(weights.min()), float(weights.max())
    span = np.log10(most) - np.log10(least)
    if span <= np.log10(WIDEST):
        return graph
    adjacency = graph.adjacency.copy()
    adjacency.data = 10.0 ** ((np.log10(weights) - np.log10(most)) * np.log10(NARROWED) / span)
    return Graph.from_scipy(adjacency)
