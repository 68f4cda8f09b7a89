"""A two-dimensional layout of a graph."""

from __future__ import annotations

import numpy as np
from numba import njit

from lapwing.graph import Graph
from lapwing.types import Array, Nodes


def layout(graph: Graph, *, seed: int = 0, rounds: int = 200, repulsions: int = 5) -> Array:
    """Return two coordinates per node: neighbours attract, random other nodes repel.

    Every round pulls the ends of each edge together and pushes each of them away from a few random
    nodes. The forces are 1/(1 + distance^2), which keeps clusters apart. A round costs O(edges), so
    a graph of any size can be drawn; the same seed gives the same layout.

    Examples
    --------
    >>> triangles = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)]
    >>> places = layout(Graph.from_edges(triangles))
    >>> near = np.linalg.norm(places[0] - places[1])
    >>> far = np.linalg.norm(places[0] - places[5])
    >>> places.shape, bool(near < far)
    ((6, 2), True)
    """
    n = graph.n_nodes
    if n == 0:
        return np.zeros((0, 2))
    rng = np.random.default_rng(seed)
    places = _start(graph, rng)
    sources, targets, weights = graph.edges()
    pulls = np.minimum(weights / np.median(weights), 3.0) if len(weights) else weights
    if len(sources):
        _relaxed(places, sources, targets, pulls, rounds, repulsions, seed)
    places -= np.median(places, axis=0)
    return np.asarray(places / max(float(np.abs(places).max()), 1e-12), dtype=np.float64)


def _start(graph: Graph, rng: np.random.Generator) -> Array:
    """Smooth random values over the edges a few times, so that neighbours start close."""
    places = rng.standard_normal((graph.n_nodes, 2))
    inverse = 1.0 / np.maximum(graph.degrees, 1e-12)[:, None]
    for _ in range(30):
        places = 0.5 * places + 0.5 * inverse * (graph.adjacency @ places)
        places -= places.mean(axis=0)
        places /= np.maximum(places.std(axis=0), 1e-12)
    return np.asarray(4.0 * places + rng.standard_normal(places.shape) * 1e-2)


@njit(cache=True)
def _relaxed(
    places: Array,
    sources: Nodes,
    targets: Nodes,
    pulls: Array,
    rounds: int,
    repulsions: int,
    seed: int,
) -> None:
    n = len(places)
    state = np.uint64(2 * seed + 1)
    for r in range(rounds):
        step = 1.0 - r / rounds
        for e in range(len(sources)):
            i, j = sources[e], targets[e]
            dx, dy = places[i, 0] - places[j, 0], places[i, 1] - places[j, 1]
            square = dx * dx + dy * dy
            force = -0.5 * step * min(pulls[e] / (1.0 + 0.25 * square**0.5), 0.9)
            places[i, 0] += force * dx
            places[i, 1] += force * dy
            places[j, 0] -= force * dx
            places[j, 1] -= force * dy
            for _ in range(repulsions):
                state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
                k = np.int64(state >> np.uint64(33)) % n
                if k in (i, j):
                    continue
                dx, dy = places[i, 0] - places[k, 0], places[i, 1] - places[k, 1]
                square = dx * dx + dy * dy
                force = step * 2.0 / ((0.01 + square) * (1.0 + square))
                places[i, 0] += min(max(force * dx, -4.0), 4.0) * step
                places[i, 1] += min(max(force * dy, -4.0), 4.0) * step
