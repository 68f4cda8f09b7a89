"""How alike the attributes of neighbours are, known before any label."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lapwing.embed.attributes.rows import Rows32
from lapwing.embed.communities import community_prior
from lapwing.graph import Graph

MOST_SAMPLED = 200_000
"""The largest number of directed edges that are looked at, spread evenly over the graph."""
FEWEST = 50
"""Fewer edges tell nothing."""
ALIKE, LEAST_TRUST = 0.05, 0.1
"""Neighbours are trusted in full from this likeness of attributes on; and at least this much."""


class Likeness(NamedTuple):
    """The correlation of the attributes of neighbours, and how far chance alone may move it."""

    value: float
    error: float


def likeness_of_neighbours(graph: Graph, rows: Rows32) -> Likeness:
    """Return the correlation of the rows of joined nodes: 1 if equal, 0 if as of any two nodes.

    Nodes count by their degree, as they do among the ends of edges. Of a graph with more than
    100,000 edges, as many are looked at, spread evenly. The error is that of as many pairs drawn at
    random, in as many directions as the rows have.

    Examples
    --------
    >>> two = Graph.from_edges([(0, 1), (2, 3)])
    >>> rows = np.array([[1.0], [1.0], [-1.0], [-1.0]], dtype=np.float32)
    >>> [likeness_of_neighbours(two, each).value for each in (rows, rows[[0, 2, 1, 3]])]
    [1.0, -1.0]
    """
    starts, ends, weights = graph.adjacency.indptr, graph.adjacency.indices, graph.adjacency.data
    if not len(ends):
        return Likeness(0.0, 1.0)
    every = np.arange(0, len(ends), max(-(-len(ends) // MOST_SAMPLED), 1))
    one, other = rows[np.searchsorted(starts, every, side="right") - 1], rows[ends[every]]
    weight = (weights[every] / weights[every].sum()).astype(np.float32)
    mean = (weight @ one + weight @ other) / 2
    one, other = one - mean, other - mean
    spread = weight @ (np.square(one).sum(axis=1) + np.square(other).sum(axis=1)) / 2
    if spread <= 0:
        return Likeness(0.0, 1.0)
    square = one.T @ (weight[:, None] * one)
    directions = float(np.trace(square) ** 2 / np.square(square).sum())
    error = 1.0 / np.sqrt(directions * len(every) / 2)
    return Likeness(float(weight @ (one * other).sum(axis=1) / spread), float(error))


def neighbour_prior(graph: Graph, rows: Rows32) -> float:
    """Return how far neighbours are trusted before any label, between 0.1 and 1.

    Less where their attributes are hardly more alike than those of any two nodes: the square of
    their likeness, given the benefit of its error, over 0.05. Without attributes, less where the
    graph has no communities (`community_prior`). With fewer than 50 edges, they are trusted in
    full.

    Examples
    --------
    >>> ring = Graph.from_edges([(i, (i + 1) % 60) for i in range(60)])
    >>> same, other = np.arange(60) < 30, np.arange(60) % 2 == 0
    >>> rows = [np.where(each, 1.0, -1.0)[:, None].astype(np.float32) for each in (same, other)]
    >>> [neighbour_prior(ring, each) for each in (*rows, rows[0][:, :0])]
    [1.0, 0.1, 1.0]
    """
    if not rows.shape[1]:
        return community_prior(graph)
    if graph.n_edges < FEWEST:
        return 1.0
    alike = likeness_of_neighbours(graph, rows)
    trust = max(alike.value + alike.error, 0.0) / ALIKE
    return float(np.clip(trust**2, LEAST_TRUST, 1.0))
