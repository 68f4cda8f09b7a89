"""Graphs on which methods go wrong, with the labels given and what may be answered.

Every case says which nodes are labelled, and for every node the classes that are right: none where
nothing can be known (the answer must be `UNKNOWN`), several where the graph does not decide.
"""

from dataclasses import dataclass, field

import numpy as np

from lapwing import Graph
from lapwing.types import UNKNOWN

ANY = (UNKNOWN, 0, 1)
"""Nodes between the classes: no answer is wrong, and none is needed."""


@dataclass(frozen=True)
class Awkward:
    """A graph, some labels, and the answers allowed at each node (`ANY` where not listed)."""

    graph: Graph
    labels: dict[int, int]
    allowed: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def wrong(self, guesses):
        """The nodes whose guess is not allowed, with the guess."""
        return {
            node: int(guess)
            for node, guess in enumerate(guesses)
            if guess not in self.allowed.get(node, ANY)
        }


def clique(first, size):
    return [(i, j) for i in range(first, first + size) for j in range(first, i)]


def only(label, nodes):
    return dict.fromkeys(nodes, (label,))


def path_edges(n):
    return [(i, i + 1) for i in range(n - 1)]


def cliques(weights=None):
    edges = [*clique(0, 6), *clique(6, 6)]
    return Graph.from_edges(edges if weights is None else weighted(edges, weights))


def weighted(edges, weights):
    return [(u, v, weights[k % len(weights)]) for k, (u, v) in enumerate(edges)]


SIDES = only(0, range(6)) | only(1, range(6, 12))
JOINED = [*clique(0, 6), *clique(6, 6), (5, 6)]
EXTREMES = (1e-9, 1.0, 1e9)

CASES = {
    "two cliques": Awkward(cliques(), {0: 0, 6: 1}, SIDES),
    "two cliques, one labelled": Awkward(
        cliques(), {0: 0}, only(0, range(6)) | only(UNKNOWN, range(6, 12))
    ),
    "two cliques of one class each, two labels": Awkward(
        cliques(), {0: 0, 1: 0, 6: 1, 7: 1}, SIDES
    ),
    "star, a leaf of each class": Awkward(
        Graph.from_edges([(0, leaf) for leaf in range(1, 10)]), {1: 0, 2: 1}, {1: (0,), 2: (1,)}
    ),
    "star, hub and leaves of one class": Awkward(
        Graph.from_edges([(0, leaf) for leaf in range(1, 10)]), {0: 1, 3: 1}, only(1, range(10))
    ),
    "path": Awkward(
        Graph.from_edges(path_edges(12)), {0: 0, 11: 1}, only(0, range(3)) | only(1, range(9, 12))
    ),
    "complete": Awkward(Graph.from_edges(clique(0, 8)), {0: 0, 1: 1}, {0: (0,), 1: (1,)}),
    "bipartite": Awkward(
        Graph.from_edges([(u, v) for u in range(5) for v in range(5, 10)]),
        {0: 0, 5: 0},
        only(0, range(10)),
    ),
    "isolated nodes": Awkward(
        Graph.from_edges(JOINED, names=range(15)),
        {0: 0, 11: 1, 12: 1},
        SIDES | only(1, [12]) | only(UNKNOWN, [13, 14]),
    ),
    "two nodes": Awkward(Graph.from_edges([(0, 1)]), {0: 0}, only(0, range(2))),
    "two nodes, both labelled": Awkward(
        Graph.from_edges([(0, 1)]), {0: 0, 1: 1}, {0: (0,), 1: (1,)}
    ),
    "no edges": Awkward(
        Graph.from_edges([], names=range(5)),
        {0: 0, 1: 1},
        {0: (0,), 1: (1,)} | only(UNKNOWN, range(2, 5)),
    ),
    "one class of two": Awkward(Graph.from_edges(path_edges(30)), {4: 0}, only(0, range(30))),
    "tiny weights": Awkward(Graph.from_edges(weighted(JOINED, [1e-9])), {0: 0, 11: 1}, SIDES),
    "huge weights": Awkward(Graph.from_edges(weighted(JOINED, [1e9])), {0: 0, 11: 1}, SIDES),
    "extreme weights": Awkward(cliques(EXTREMES), {0: 0, 6: 1}, SIDES),
}


def random_extremes(n=115, seed=0):
    """A connected random graph with weights from 1e-9 to 1e9, and its random labels."""
    rng = np.random.default_rng(seed)
    ends = [(i, int(rng.integers(i))) for i in range(1, n)]
    ends += [(int(a), int(b)) for a, b in rng.integers(n, size=(3 * n, 2)) if a != b]
    powers = 10.0 ** rng.uniform(-9, 9, size=len(ends))
    graph = Graph.from_edges([(u, v, w) for (u, v), w in zip(ends, powers, strict=True)])
    return graph, rng.integers(2, size=n)


def path_of_extremes(how):
    """A path of 2,000 nodes with weights from 1e-9 to 1e9, in halves of two classes; 40 labels."""
    powers = np.random.default_rng(0).uniform(-9, 9, 1999)
    powers = powers if how == "random" else np.array([-9, 0, 9])[np.arange(1999) % 3]
    steps = np.column_stack([np.arange(1999), np.arange(1, 2000)])
    graph = Graph.from_edges(steps, weights=10.0**powers)
    known = np.random.default_rng(1).choice(2000, 40, replace=False)
    return graph, np.repeat([0, 1], 1000), known
