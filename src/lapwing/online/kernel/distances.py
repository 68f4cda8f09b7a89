"""Distances from one node to all others: by shortest path or by resistance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Literal

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from lapwing.graph import Graph
from lapwing.online.kernel.columns import Columns
from lapwing.online.kernel.laplacian_columns import laplacian_columns
from lapwing.types import Array, Nodes

Distance = Literal["geodesic", "resistance"]


def geodesic(graph: Graph) -> Callable[[int], Array]:
    """Return shortest-path lengths, with edge length 1/weight; infinite if unreachable.

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
    """Return resistances r(p, q) = K_pp + K_qq - 2 K_pq of K = L+; infinite if unreachable.

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


def _resistances(kernel: Columns, norms: Array, components: Nodes, node: int) -> Array:
    found = norms + norms[node] - 2 * kernel.column(node)
    found[node] = 0.0
    return np.where(components == components[node], found, np.inf)


DISTANCES: Mapping[str, Callable[[Graph], Callable[[int], Array]]] = {
    "geodesic": geodesic,
    "resistance": resistance,
}
