"""Nearest labelled neighbours on a graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Literal

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from lapwing.checks import at_least, one_of
from lapwing.graph import Graph
from lapwing.learner import Learner
from lapwing.online.kernel.columns import KernelColumns
from lapwing.online.kernel.laplacian_columns import laplacian_columns
from lapwing.types import Array, Index, Nodes

Distance = Literal["geodesic", "resistance"]

ROUNDING = 1e-9
"""Distances with a smaller relative difference are a tie."""


class KNN(Learner):
    """Vote among the k nearest labelled nodes, and all others as near as the k-th.

    The baseline of Section 5.1 of Herbster and Pontil (2006), with the geodesic distance (an edge
    of weight w is 1/w long) or the resistance distance. On their octopus graphs it errs once per
    tentacle, however many there are. A label costs one distance column (a shortest-path search, or
    one column of L+), which is kept: O(n) memory per label; reading m nodes costs O(m t).

    Parameters
    ----------
    graph
        The graph.
    n_classes
        Number of classes; None adds them as their labels appear.
    k
        Number of neighbours that vote, at least 1; fewer while fewer are labelled.
    distance
        "geodesic" or "resistance".

    Notes
    -----
    Departures: the paper speaks of two labels and leaves ties open. Here every node that ties with
    the k-th votes, a tied vote goes to the class with the nearest voter (then to the smaller
    index), and a node that no label reaches is unknown. A node labelled twice votes twice.

    References
    ----------
    Herbster, Pontil. *Prediction on a graph with a perceptron.* NIPS 2006.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learner = KNN(graph)
    >>> learner.learn(0, 0)
    >>> learner.learn(5, 1)
    >>> learner.predict(np.arange(6))
    array([0, 0, 0, 1, 1, 1])
    """

    fixed_because = "its distances are those of one graph"

    def __init__(
        self,
        graph: Graph,
        n_classes: int | None = None,
        *,
        k: int = 1,
        distance: Distance = "geodesic",
    ) -> None:
        at_least("k", k, 1)
        one_of("distance", distance, DISTANCES)
        self.k, self.n_nodes, self.fixed_classes = k, graph.n_nodes, n_classes
        self.distances: Callable[[int], Array] = DISTANCES[distance](graph)
        self.columns = np.empty((8, graph.n_nodes))
        self.labels: list[int] = []

    @property
    def n_classes(self) -> int:
        return self.fixed_classes or max(self.labels, default=-1) + 1

    def _scores(self, nodes: Index) -> Array:
        """Return the share of votes of each class, plus a small bonus for its nearest voter."""
        labels = np.array(self.labels, dtype=np.intp)
        if not len(labels):
            return np.zeros((*np.shape(nodes), self.n_classes))
        to_labelled = self.columns[: len(labels)][:, nodes]
        last = np.partition(to_labelled, min(self.k, len(labels)) - 1, axis=0)
        reach = last[min(self.k, len(labels)) - 1]
        voting = (to_labelled <= reach * (1 + ROUNDING)) & np.isfinite(to_labelled)
        near = np.where(voting, ROUNDING / (1 + to_labelled), 0.0)
        classes = range(self.n_classes)
        votes = np.stack([voting[labels == k].sum(axis=0) for k in classes], axis=-1)
        nearest = np.stack([near[labels == k].max(axis=0, initial=0.0) for k in classes], axis=-1)
        return np.asarray(votes / np.maximum(votes.sum(axis=-1, keepdims=True), 1) + nearest)

    def _learn(self, node: int, label: int | None) -> None:
        if label is None:
            return
        if len(self.labels) == len(self.columns):
            self.columns = np.concatenate([self.columns, np.empty_like(self.columns)])
        self.columns[len(self.labels)] = self.distances(node)
        self.labels.append(label)


def geodesic(graph: Graph) -> Callable[[int], Array]:
    """Shortest-path lengths, an edge of weight w being 1/w long; infinite out of reach.

    Examples
    --------
    >>> geodesic(Graph.from_edges([(0, 1, 2.0), (1, 2, 1.0)]))(0)
    array([0. , 0.5, 1.5])
    """
    lengths = graph.to_scipy()
    lengths.data = 1.0 / lengths.data
    unweighted = bool((lengths.data == 1.0).all())
    return partial(_path_lengths, lengths, unweighted)


def _path_lengths(lengths: sparse.csr_array, unweighted: bool, node: int) -> Array:
    return np.asarray(csgraph.dijkstra(lengths, directed=True, indices=node, unweighted=unweighted))


def resistance(graph: Graph) -> Callable[[int], Array]:
    """Effective resistances r(p, q) = K_pp + K_qq - 2 K_pq of K = L+; infinite out of reach.

    Edges are resistors of 1/weight ohms (Herbster and Pontil 2006, Eq. 7).

    Examples
    --------
    >>> resistance(Graph.from_edges([(0, 1), (1, 2), (2, 0)]))(0).round(4)
    array([0.    , 0.6667, 0.6667])
    """
    kernel = laplacian_columns(graph)
    everywhere = np.arange(graph.n_nodes)
    norms = kernel.diagonal(everywhere)
    return partial(_resistances, kernel, norms, graph.components)


def _resistances(kernel: KernelColumns, norms: Array, components: Nodes, node: int) -> Array:
    found = norms + norms[node] - 2 * kernel.column(node)
    found[node] = 0.0
    return np.where(components == components[node], found, np.inf)


DISTANCES: Mapping[str, Callable[[Graph], Callable[[int], Array]]] = {
    "geodesic": geodesic,
    "resistance": resistance,
}
