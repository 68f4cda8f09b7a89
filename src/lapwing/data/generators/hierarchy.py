"""The hierarchical random graph of Herbster 2005, labelled by a noisy diffusion."""

from __future__ import annotations

import numpy as np

from lapwing.checks import at_least, between
from lapwing.data.dataset import Dataset
from lapwing.errors import GraphError
from lapwing.graph import Graph
from lapwing.types import UNKNOWN, Nodes

_TRIES = 1000


def hierarchical(*, q: int = 26, k: int = 2, noise: float = 0.05, seed: int = 0) -> Dataset:
    """Draw the hierarchical random graph G_k-out(q; k) of Herbster 2005, section 6: q*q nodes.

    In a k-out graph on q nodes, each node draws k of the q - 1 others and is joined with them, so
    the graph has at most kq edges and each degree is at least k. There are q such clusters. One
    more k-out graph joins the clusters; each of its edges joins a random node of one cluster with a
    random node of the other. Cluster c holds nodes cq..cq+q-1.

    One random node of each cluster gets a label, q // 2 of them class 0 and the others class 1. The
    labels then spread: a random unlabelled node that has a labelled neighbour copies the label of a
    random one of them, flipped with probability `noise`.

    Departures: the paper does not specify the diffusion (it cites an unpublished text), so the rule
    and its `noise` are ours. Each k-out graph is drawn again until it is connected, which with k =
    2 is nearly always the first draw; the whole graph is then connected, too.

    Parameters
    ----------
    q
        Number of clusters, and of nodes per cluster; 26 in the paper.
    k
        Number of edges that each node draws; 2 in the paper.
    noise
        Probability that a label is flipped when it is copied.
    seed
        Seed of the random number generator.

    Reference
    ---------
    Herbster, Pontil, Wainer. Online learning over graphs. ICML 2005.

    Examples
    --------
    >>> data = hierarchical(q=26, k=2)
    >>> data.graph
    Graph(676 nodes, 1,342 edges, 1 component)
    >>> tails, heads, _ = data.graph.edges()
    >>> print(f"{np.mean(data.labels[tails] == data.labels[heads]):.2f} of edges within a class")
    0.86 of edges within a class
    """
    at_least("k", k, 1)
    at_least("q", q, k + 1)
    between("noise", noise, 0, 1)
    random = np.random.default_rng(seed)
    clusters = [_k_out(q, k, random) + q * cluster for cluster in range(q)]
    bridges = _k_out(q, k, random)
    bridges = q * bridges + random.integers(q, size=bridges.shape)
    graph = Graph.from_edges(np.concatenate([*clusters, bridges]), names=range(q * q))
    seeds = q * np.arange(q) + random.integers(q, size=q)
    labels = np.full(q * q, UNKNOWN, dtype=np.intp)
    labels[random.permutation(seeds)] = np.repeat([0, 1], [q // 2, q - q // 2])
    _spread(graph, labels, noise, random)
    return Dataset(
        name="hierarchical",
        graph=graph,
        labels=labels,
        classes=("negative", "positive"),
        description=f"{q} clusters of {q} nodes, each node drawing {k} edges",
        source="Herbster, Pontil, Wainer. Online learning over graphs. ICML 2005",
    )


def _k_out(q: int, k: int, random: np.random.Generator) -> Nodes:
    """Draw the edges of a connected k-out graph, each pair once, the smaller node first."""
    sources = np.repeat(np.arange(q), k)
    for _ in range(_TRIES):
        others = np.argsort(random.random((q, q - 1)), axis=1)[:, :k].ravel()
        targets = others + (others >= sources)
        pairs = np.unique(np.sort(np.column_stack([sources, targets]), axis=1), axis=0)
        if Graph.from_edges(pairs, names=range(q)).n_components == 1:
            return pairs
    raise GraphError(f"no connected {k}-out graph on {q} nodes in {_TRIES} draws; raise k")


def _spread(graph: Graph, labels: Nodes, noise: float, random: np.random.Generator) -> None:
    """Label every node that can be reached, one at a time."""
    waiting = np.zeros(graph.n_nodes, dtype=bool)
    frontier: list[int] = []

    def add_neighbors(node: int) -> None:
        near = graph.neighbors(node)
        new = near[(labels[near] == UNKNOWN) & ~waiting[near]]
        waiting[new] = True
        frontier.extend(new.tolist())

    for labelled in np.flatnonzero(labels != UNKNOWN).tolist():
        add_neighbors(labelled)
    while frontier:
        drawn = int(random.integers(len(frontier)))
        frontier[drawn], frontier[-1] = frontier[-1], frontier[drawn]
        node = frontier.pop()
        near = graph.neighbors(node)
        copied = labels[random.choice(near[labels[near] != UNKNOWN])]
        labels[node] = 1 - copied if random.random() < noise else copied
        add_neighbors(node)
