"""The halving algorithm over labellings of small cut."""

from __future__ import annotations

import math

import numpy as np

from lapwing.checks import at_least
from lapwing.graph import Graph
from lapwing.learner import BinaryLearner
from lapwing.online.halving.labelling_counts import EveryLabelling, ForestCounts, spanning_forest
from lapwing.types import Array, Index

ENUMERATED = 16
"""All labellings are listed for graphs with cycles of up to this many nodes."""
TIE = 1e-12
"""The margin of a broken tie."""


class Halving(BinaryLearner):
    """Predict with the majority of all labellings that cut few edges and fit the labels seen.

    The rival of Section 5.2 of Herbster and Pontil (2006). Each mistake halves the labellings left,
    so with at most `cut` edges cut the mistakes are at most log2 of their number (`mistake_bound`).
    Exact on forests, by a dynamic program over numbers of cut edges (O(n) products of polynomials
    of degree `cut` per label), and on any graph of at most 16 nodes, by listing all labellings.
    Elsewhere it is an **approximation** (`exact` is False): a random spanning forest stands for the
    graph. A labelling never cuts more edges there than in the graph, so the bound on mistakes, for
    the forest's labellings, stays true.

    Parameters
    ----------
    graph
        The graph; weights are ignored, since the cut counts edges.
    cut
        The largest cut of the labellings, at least 0. When no labelling fits any more, it grows by
        one (`cut` holds the current value).
    exactly
        Use labellings of exactly this cut, as in the paper, instead of at most this cut.
    seed
        Seed of the spanning forest.

    Notes
    -----
    Departures: cut at most k by default, where the paper writes equal to k (`exactly`); a budget
    that grows; a node that comes again with another label takes the later one; while all labels
    of a tie's component agree, they break it.

    References
    ----------
    Herbster, Pontil. *Prediction on a graph with a perceptron.* NIPS 2006.

    Examples
    --------
    On a path, one label at an end and one at the other: the cut is as likely at each edge.

    >>> path = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 4)])
    >>> learner = Halving(path, cut=1)
    >>> learner.exact, learner.mistake_bound
    (True, 3)
    >>> learner.learn(0, +1)
    >>> learner.learn(4, -1)
    >>> learner.margin(np.arange(5))
    array([ 1. ,  0.5,  0. , -0.5, -1. ])
    """

    fixed_because = "it counts the labellings of one graph"

    def __init__(self, graph: Graph, *, cut: int = 1, exactly: bool = False, seed: int = 0) -> None:
        at_least("cut", cut, 0)
        is_forest = graph.n_edges == graph.n_nodes - graph.n_components
        self.exact = is_forest or graph.n_nodes <= ENUMERATED
        self.counts: ForestCounts | EveryLabelling
        if is_forest or not self.exact:
            self.counts = ForestCounts(graph if is_forest else spanning_forest(graph, seed))
        else:
            self.counts = EveryLabelling(graph)
        self.cut, self.exactly = cut, exactly
        self.most, self.components = graph.n_edges, graph.components
        self.n_nodes = graph.n_nodes
        self.labels: dict[int, int] = {}
        self.mistake_bound = int(math.log2(max(self.counts.total(cut, exactly=exactly), 1)))
        self.share = self._recounted()

    def _margin(self, nodes: Index) -> Array:
        return np.asarray(self.share[nodes])

    def _learn(self, node: int, label: int | None) -> None:
        if label is not None:
            self.labels[node] = label
            self.share = self._recounted()

    def _recounted(self) -> Array:
        """Return (labellings with +1 - labellings with -1) / labellings, per node."""
        while True:
            counts = self.counts.consistent(self.labels, self.cut, exactly=self.exactly)
            if counts[0][0] + counts[0][1]:
                shares = [(plus - minus) / (plus + minus) for plus, minus in counts]
                return self._without_ties(np.array(shares))
            if self.cut >= self.most:
                self.exactly = False  # no cut is exactly that of the labels: believe in all
            self.cut = min(self.cut + 1, max(self.most, self.cut))

    def _without_ties(self, shares: Array) -> Array:
        """Break ties in favour of the label of a component, if all its labels are the same."""
        told = np.array([*self.labels], dtype=np.intp)
        signs = np.array([*self.labels.values()])
        size = int(self.components.max(initial=-1)) + 1
        plus = np.bincount(self.components[told[signs > 0]], minlength=size) > 0
        minus = np.bincount(self.components[told[signs < 0]], minlength=size) > 0
        kind = plus.astype(np.float64) - minus
        return np.where(shares == 0.0, TIE * kind[self.components], shares)
