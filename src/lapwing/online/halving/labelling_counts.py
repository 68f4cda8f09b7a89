"""Count the labellings of a graph that cut few edges and agree with some labels."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from lapwing.graph import Graph
from lapwing.types import Mask

Pair = tuple[int, int]
"""A pair of values: for the label +1 and for -1."""


class EveryLabelling:
    """All labellings of a small graph, listed.

    Examples
    --------
    >>> triangle = EveryLabelling(Graph.from_edges([(0, 1), (1, 2), (2, 0)]))
    >>> triangle.total(1), triangle.total(2)
    (2, 8)
    >>> triangle.consistent({0: +1}, 2)
    [(4, 0), (2, 2), (2, 2)]
    """

    def __init__(self, graph: Graph) -> None:
        n = graph.n_nodes
        codes = np.arange(2**n)
        self.positive = (codes[:, None] >> np.arange(n)) & 1 == 1
        sources, targets, _ = graph.edges()
        self.cuts = (self.positive[:, sources] != self.positive[:, targets]).sum(axis=1)
        self._believed: dict[tuple[int, bool], Mask] = {}

    def total(self, cut: int, *, exactly: bool = False) -> int:
        """How many labellings cut at most, or exactly, so many edges."""
        return len(self._allowed(cut, exactly))

    def consistent(
        self, labels: Mapping[int, int], cut: int, *, exactly: bool = False
    ) -> list[Pair]:
        """Per node: how many labellings that agree with the labels say +1 there, and -1."""
        kept = self._allowed(cut, exactly)
        for node, label in labels.items():
            kept = kept[kept[:, node] == (label > 0)]
        return [(plus, len(kept) - plus) for plus in kept.sum(axis=0).tolist()]

    def _allowed(self, cut: int, exactly: bool) -> Mask:
        """The labellings of that cut, one per row; kept for the next question."""
        key = (cut, exactly)
        if key not in self._believed:
            self._believed[key] = self.positive[self.cuts == cut if exactly else self.cuts <= cut]
        return self._believed[key]


class ForestCounts:
    """The labellings of a forest, counted by a dynamic program over numbers of cut edges.

    For each node and label, a polynomial in x tells how many labellings of the subtree below
    cut 0, 1, 2, ... edges, and another those of all the rest; an edge with different ends
    multiplies by x. A polynomial is one long integer, the coefficient of x^j in its j-th
    block of bits, so that products are those of integers, exact.

    Examples
    --------
    >>> path = ForestCounts(Graph.from_edges([(0, 1), (1, 2), (2, 3)]))
    >>> path.total(1)
    8
    >>> path.consistent({0: +1}, 1)
    [(4, 0), (3, 1), (2, 2), (1, 3)]
    >>> path.total(1, exactly=True), path.consistent({0: +1}, 1, exactly=True)
    (6, [(3, 0), (2, 1), (1, 2), (0, 3)])
    """

    def __init__(self, graph: Graph) -> None:
        self.n_nodes, self.n_edges = graph.n_nodes, graph.n_edges
        self.n_trees = graph.n_components
        self.order, self.parent = _rooted(graph)
        self.children: list[list[int]] = [[] for _ in range(graph.n_nodes)]
        for node in self.order:
            if self.parent[node] >= 0:
                self.children[self.parent[node]].append(node)

    def total(self, cut: int, *, exactly: bool = False) -> int:
        """How many labellings cut at most, or exactly, so many edges."""
        kept = [cut] if exactly else range(min(cut, self.n_edges) + 1)
        return int(2**self.n_trees) * sum(math.comb(self.n_edges, j) for j in kept)

    def consistent(
        self, labels: Mapping[int, int], cut: int, *, exactly: bool = False
    ) -> list[Pair]:
        """Per node: how many labellings that agree with the labels say +1 there, and -1."""
        bits = self.total(cut).bit_length() + 1
        mask = (1 << bits * (cut + 1)) - 1
        allowed = [(1, 1)] * self.n_nodes
        for node, label in labels.items():
            allowed[node] = (1, 0) if label > 0 else (0, 1)
        below, message = self._upward(allowed, bits, mask)
        outside = self._downward(allowed, below, message, bits, mask)
        skipped = bits * cut if exactly else 0
        return [
            (
                _coefficient_sum((below[v][0] * outside[v][0] & mask) >> skipped, bits),
                _coefficient_sum((below[v][1] * outside[v][1] & mask) >> skipped, bits),
            )
            for v in range(self.n_nodes)
        ]

    def _upward(self, allowed: list[Pair], bits: int, mask: int) -> tuple[list[Pair], list[Pair]]:
        """Count each node's subtree by its own label, and by its parent's."""
        below, message = list(allowed), list(allowed)
        for node in reversed(self.order):
            plus, minus = allowed[node]
            for child in self.children[node]:
                plus = plus * message[child][0] & mask
                minus = minus * message[child][1] & mask
            below[node] = (plus, minus)
            message[node] = _across(plus, minus, bits, mask)
        return below, message

    def _downward(
        self, allowed: list[Pair], below: list[Pair], message: list[Pair], bits: int, mask: int
    ) -> list[Pair]:
        """Count everything except each node's subtree, by the node's label."""
        roots = [node for node in self.order if self.parent[node] < 0]
        outside = [(0, 0)] * self.n_nodes
        trees = [_twice(sum(below[root])) for root in roots]
        for root, rest in zip(roots, _others(trees, mask), strict=True):
            outside[root] = rest
        for node in self.order:
            kin = self.children[node]
            for child, rest in zip(kin, _others([message[k] for k in kin], mask), strict=True):
                plus = outside[node][0] * allowed[node][0] * rest[0] & mask
                minus = outside[node][1] * allowed[node][1] * rest[1] & mask
                outside[child] = _across(plus, minus, bits, mask)
        return outside


def spanning_forest(graph: Graph, seed: int) -> Graph:
    """Return a random spanning forest: the shortest one for random edge lengths.

    Examples
    --------
    >>> spanning_forest(Graph.from_edges([(0, 1), (1, 2), (2, 0)]), seed=0)
    Graph(3 nodes, 2 edges, 1 component)
    """
    rng = np.random.default_rng(seed)
    sources, targets, _ = graph.edges()
    lengths = sparse.csr_array(
        (rng.uniform(1.0, 2.0, len(sources)), (sources, targets)), shape=graph.adjacency.shape
    )
    kept = sparse.coo_array(csgraph.minimum_spanning_tree(lengths))
    return Graph.from_edges(np.stack(kept.coords, axis=1), names=range(graph.n_nodes))


def _rooted(graph: Graph) -> tuple[list[int], list[int]]:
    """Return the nodes, each after its parent, and the parents; -1 for the root of a tree."""
    order: list[int] = []
    parent = [-1] * graph.n_nodes
    seen = [False] * graph.n_nodes
    for root in range(graph.n_nodes):
        if seen[root]:
            continue
        seen[root] = True
        waiting = [root]
        while waiting:
            node = waiting.pop()
            order.append(node)
            for neighbor in graph.neighbors(node).tolist():
                if not seen[neighbor]:
                    seen[neighbor], parent[neighbor] = True, node
                    waiting.append(neighbor)
    return order, parent


def _across(plus: int, minus: int, bits: int, mask: int) -> Pair:
    """Polynomials by the label at one end of an edge, made ones by the label at the other."""
    return (plus + (minus << bits)) & mask, (minus + (plus << bits)) & mask


def _twice(polynomial: int) -> Pair:
    return polynomial, polynomial


def _others(pairs: list[Pair], mask: int) -> list[Pair]:
    """Return, for each pair, the product of all the others."""
    before, after = [(1, 1)], [(1, 1)]
    for pair, riap in zip(pairs, reversed(pairs), strict=True):
        before.append((before[-1][0] * pair[0] & mask, before[-1][1] * pair[1] & mask))
        after.append((after[-1][0] * riap[0] & mask, after[-1][1] * riap[1] & mask))
    last = len(pairs) - 1
    return [
        (before[i][0] * after[last - i][0] & mask, before[i][1] * after[last - i][1] & mask)
        for i in range(len(pairs))
    ]


def _coefficient_sum(polynomial: int, bits: int) -> int:
    total, block = 0, (1 << bits) - 1
    while polynomial:
        total += polynomial & block
        polynomial >>= bits
    return total
