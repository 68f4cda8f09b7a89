"""Embedding by clustering edges: sparse social dimensions (Tang and Liu 2009)."""

from __future__ import annotations

import numpy as np
from numba import njit
from scipy import sparse

from lapwing.checks import at_least
from lapwing.graph import Graph
from lapwing.types import Array, Nodes


def edge_clusters(
    graph: Graph, *, clusters: int = 1000, rounds: int = 20, seed: int = 0
) -> sparse.csr_array:
    """Return one sparse row per node: the share of its edges in each cluster of edges.

    Edges are clustered by k-means with cosine similarity; each edge is a vector with a 1 at both
    ends. An edge is compared only with the clusters that its two nodes already have edges in, so a
    round costs the sum of those cluster counts over all edges instead of edges times `clusters`.
    Clusters start from random edges; an edge that no cluster has reached at the end is assigned to
    a random one.

    Departures: Tang and Liu's batches and bisections for graphs too large for memory are left out.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> edge_clusters(graph, clusters=2).sum(axis=1).tolist()
    [1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    """
    at_least("clusters", clusters, 1)
    at_least("rounds", rounds, 1)
    sources, targets, weights = graph.edges()
    rng = np.random.default_rng(seed)
    n, m = graph.n_nodes, len(sources)
    clusters = max(1, min(clusters, m))
    assigned = np.full(m, -1, dtype=np.intp)
    assigned[rng.permutation(m)[:clusters]] = np.arange(clusters)
    for _ in range(rounds):
        counts = _counts(n, clusters, sources, targets, weights, assigned)
        lengths = np.sqrt(np.asarray(counts.multiply(counts).sum(axis=0)).ravel())
        new = _nearest(
            counts.indptr, counts.indices, counts.data, sources, targets, lengths, assigned
        )
        if np.array_equal(new, assigned):
            break
        assigned = new
    lost = assigned < 0
    assigned[lost] = rng.integers(clusters, size=int(lost.sum()))
    counts = _counts(n, clusters, sources, targets, weights, assigned)
    total = np.asarray(counts.sum(axis=1)).ravel()
    counts.data /= np.repeat(total, np.diff(counts.indptr))
    return counts


def _counts(
    n: int, clusters: int, sources: Nodes, targets: Nodes, weights: Array, assigned: Nodes
) -> sparse.csr_array:
    """Return the edge weight of each node in each cluster."""
    kept = assigned >= 0
    ends = np.concatenate([sources[kept], targets[kept]])
    places = (ends, np.tile(assigned[kept], 2))
    both = np.tile(weights[kept], 2)
    counts = sparse.csr_array(sparse.coo_array((both, places), shape=(n, clusters)))
    counts.sort_indices()
    return counts


@njit(cache=True)
def _nearest(
    indptr: Nodes,
    indices: Nodes,
    counts: Array,
    sources: Nodes,
    targets: Nodes,
    lengths: Array,
    assigned: Nodes,
) -> Nodes:
    """Return the cluster with the largest cosine to each edge; the old one if none is met."""
    best = assigned.copy()
    met = np.zeros(len(lengths))
    for e in range(len(sources)):
        for end in (sources[e], targets[e]):
            for k in range(indptr[end], indptr[end + 1]):
                met[indices[k]] += counts[k]
        top = 0.0
        for end in (sources[e], targets[e]):
            for k in range(indptr[end], indptr[end + 1]):
                cosine = met[indices[k]] / lengths[indices[k]]
                met[indices[k]] = 0.0
                if cosine > top:
                    top = cosine
                    best[e] = indices[k]
    return best
