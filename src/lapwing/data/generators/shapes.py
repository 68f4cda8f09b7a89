"""The graphs on which Herbster and Pontil (2006) compare bounds, each with its labelling.

Reference
---------
Herbster, Pontil. Prediction on a graph with a perceptron. NIPS 2006.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from lapwing.checks import at_least, between
from lapwing.data.dataset import Dataset
from lapwing.graph import Graph
from lapwing.types import Nodes

SOURCE = "Herbster, Pontil. Prediction on a graph with a perceptron. NIPS 2006"
Edge = tuple[int, int]


def barbell(m: int = 5) -> Dataset:
    """Two cliques of m nodes joined by one edge (Figure 2), each clique a class.

    Nodes 0..m-1 are one clique, m..2m-1 the other; the edge joins 0 and m.

    Examples
    --------
    >>> barbell(5)
    Dataset(barbell: 10 nodes, 21 edges, 2 classes)
    >>> graph = barbell(5).graph
    >>> K = np.linalg.pinv(np.diag(graph.degrees) - graph.adjacency.toarray())
    >>> print(f"{K[0, 0]:.2f} {K[1, 1]:.2f} {K[0, 1]:.2f}")
    0.33 0.53 0.23
    """
    return _two_cliques("barbell", m, links=1)


def noisy_barbell(m: int = 10, k: int = 1) -> Dataset:
    """A barbell whose first clique has k nodes labelled as the second (Figure 3).

    They are nodes 1..k; the node of the joining edge keeps its label.

    Examples
    --------
    >>> noisy_barbell(5, 2).labels
    array([0, 1, 1, 0, 0, 1, 1, 1, 1, 1])
    """
    between("k", k, 0, m - 1)
    noisy = np.arange(1, k + 1)
    return _two_cliques("noisy-barbell", m, links=1, noisy=noisy)


def thick_barbell(m: int = 10, links: int = 5) -> Dataset:
    """Two cliques of m nodes joined by fewer than m disjoint edges (end of section 4).

    The edges join node i with m + i, for i below `links` (the paper's l). The resistance
    diameter is at most 5 / links.

    Examples
    --------
    >>> thick_barbell(10, 5)
    Dataset(thick-barbell: 20 nodes, 95 edges, 2 classes)
    """
    between("links", links, 1, m - 1)
    return _two_cliques("thick-barbell", m, links=links)


def flower(p: int = 5, m: int = 20) -> Dataset:
    """A stem of p nodes in a line with m petals at its end (Figure 4).

    Nodes 0..p-1 are the stem, p..p+m-1 the petals, all joined with p-1. The diameter is p, and
    as m grows, the squared norm of node 0 comes close to p - 1 (end of section 3). Stem and
    petals are the classes.

    Examples
    --------
    >>> graph = flower(5, 400).graph
    >>> K = np.linalg.pinv(np.diag(graph.degrees) - graph.adjacency.toarray())
    >>> print(f"{K[0, 0]:.2f}")
    3.95
    """
    at_least("p", p, 1)
    at_least("m", m, 1)
    stem = [(i, i + 1) for i in range(p - 1)]
    petals = [(p - 1, p + j) for j in range(m)]
    labels = np.repeat([0, 1], [p, m])
    return _shape("flower", stem + petals, labels, ("stem", "petals"), "a stem with petals")


def octopus(head: int = 16, tentacles: int = 5, length: int = 3) -> Dataset:
    """A clique, the head, joined with the root of many tentacles (Figure 5, section 5.1).

    The paper's O(l, m, p): nodes 0..l-1 are the head, l the root r, joined with node 0 (the
    paper's c_1); then come the nodes of each tentacle from root to tip. It is balanced when
    l = m p + 1, as the default is. Head and tentacles (with the root) are the classes; the
    edge between them is the only one cut.

    Examples
    --------
    >>> octopus(16, 5, 3)
    Dataset(octopus: 32 nodes, 136 edges, 2 classes)
    """
    at_least("head", head, 1)
    at_least("tentacles", tentacles, 1)
    at_least("length", length, 1)
    root = head
    edges = [*combinations(range(head), 2), (0, root)]
    for tentacle in range(tentacles):
        first = root + 1 + tentacle * length
        edges += [(root, first), *((node, node + 1) for node in range(first, first + length - 1))]
    labels = np.repeat([0, 1], [head, 1 + tentacles * length])
    return _shape(
        "octopus", edges, labels, ("head", "tentacles"), "a clique with tentacles at one node"
    )


def _two_cliques(name: str, m: int, *, links: int, noisy: Nodes | None = None) -> Dataset:
    at_least("m", m, 2)
    edges = [*combinations(range(m), 2), *combinations(range(m, 2 * m), 2)]
    edges += [(i, m + i) for i in range(links)]
    labels = np.repeat([0, 1], m)
    if noisy is not None:
        labels[noisy] = 1
    edges_said = "one edge" if links == 1 else f"{links} edges"
    return _shape(name, edges, labels, ("left", "right"), f"two cliques joined by {edges_said}")


def _shape(
    name: str, edges: list[Edge], labels: Nodes, classes: tuple[str, str], description: str
) -> Dataset:
    graph = Graph.from_edges(np.array(edges), names=range(len(labels)))
    return Dataset(name, graph, labels, classes, description=description, source=SOURCE)
