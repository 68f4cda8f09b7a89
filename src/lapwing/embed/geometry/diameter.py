"""Diameters of a graph: by shortest paths and by resistance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csgraph

from lapwing.embed.geometry.resistance import WHOLE_BELOW, largest_resistance, resistances
from lapwing.embed.geometry.sketch import ResistanceSketch
from lapwing.graph import Graph
from lapwing.linalg import LaplacianSolver, low_spectrum
from lapwing.types import Array, Nodes

EXACT_SWEEPS = 4000
"""Up to this many nodes, the geodesic diameter is computed from every node."""


@dataclass(frozen=True, slots=True)
class Between:
    """A number known to lie in an interval; exact when the interval is a point.

    Examples
    --------
    >>> print(Between(3.0, 3.0), Between(2.0, 4.0))
    3 between 2 and 4
    """

    low: float
    high: float

    @property
    def exact(self) -> bool:
        """Whether the number is known exactly."""
        return self.low == self.high

    def __str__(self) -> str:
        return f"{self.low:g}" if self.exact else f"between {self.low:g} and {self.high:g}"


def geodesic_diameter(graph: Graph) -> Between:
    """Return the longest shortest path between two connected nodes; an edge has length 1 / weight.

    The result is exact up to 4,000 nodes, by n shortest-path searches. For larger graphs it is an
    interval from a few searches: no path is longer than twice the eccentricity of a central node.

    Examples
    --------
    >>> print(geodesic_diameter(Graph.from_edges([(0, 1), (1, 2), (2, 3)])))
    3
    """
    nodes = np.arange(graph.n_nodes)
    if graph.n_nodes <= EXACT_SWEEPS:
        parts = np.array_split(nodes, 1 + graph.n_nodes // 500)
        longest = max(_reach(_distances(graph, part)).max(initial=0.0) for part in parts)
        return Between(float(longest), float(longest))
    intervals = [_swept(graph.subgraph(part), 6) for part in _parts(graph) if len(part) > 1]
    return Between(
        max((i.low for i in intervals), default=0.0), max((i.high for i in intervals), default=0.0)
    )


def _parts(graph: Graph) -> list[Nodes]:
    order = np.argsort(graph.components, kind="stable")
    return np.split(order, np.cumsum(np.bincount(graph.components))[:-1])


def _swept(graph: Graph, rounds: int) -> Between:
    """Bound a connected graph's diameter by searches from far and central nodes in turn."""
    node = int(np.argmax(graph.degrees))
    low, high = 0.0, np.inf
    reach = np.zeros(graph.n_nodes)
    for turn in range(rounds):
        far = _distances(graph, np.array([node]))[0]
        low, high = max(low, float(far.max())), min(high, 2.0 * float(far.max()))
        reach = np.maximum(reach, far)
        node = int(np.argmax(far) if turn % 3 < 2 else np.argmin(reach))
    return Between(low, max(low, high))


def _distances(graph: Graph, nodes: Nodes) -> Array:
    lengths = graph.to_scipy()
    lengths.data = 1.0 / lengths.data
    return np.atleast_2d(csgraph.dijkstra(lengths, directed=False, indices=nodes))


def _reach(distances: Array) -> Array:
    """The largest finite distance in each row."""
    return np.asarray(np.where(np.isfinite(distances), distances, 0.0).max(axis=1, initial=0.0))


def resistance_diameter(graph: Graph, *, exact: bool | None = None, seed: int = 0) -> Between:
    """Return R_G, the largest resistance between two connected nodes (Herbster and Pontil 2006).

    The result is exact up to 4,000 nodes, or if you ask for it (2 n solves). Otherwise it is a
    proven interval: the lower bound is the exact resistance of pairs that a sketch finds far apart;
    the upper bound is the geodesic diameter and, on a connected graph, 2 / lambda_2.

    Examples
    --------
    >>> print(resistance_diameter(Graph.from_edges([(0, 1), (1, 2), (2, 3)])))
    3
    """
    if exact or (exact is None and graph.n_nodes <= WHOLE_BELOW):
        largest = largest_resistance(graph)
        return Between(largest, largest)
    solver = LaplacianSolver(graph.adjacency)
    sketch = ResistanceSketch(graph, projections=32, seed=seed, solver=solver)
    node, pairs = int(np.argmax(sketch.diagonal())), []
    for _ in range(4):
        estimate = sketch.from_node(node)
        other = int(np.argmax(np.where(np.isfinite(estimate), estimate, 0.0)))
        pairs.append((node, other))
        node = other
    low = float(resistances(graph, np.array(pairs), solver=solver).max())
    high = geodesic_diameter(graph).high
    if graph.n_components == 1:
        high = min(high, 2.0 / float(low_spectrum(graph.adjacency, 1)[0][0]))
    return Between(low, max(low, high))
