"""The relational neighbour classifier (Macskassy and Provost 2003)."""

from __future__ import annotations

import numpy as np

from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.known_labels import KnownLabels
from lapwing.checks import at_least
from lapwing.graph import Graph
from lapwing.types import Array


class RN(GraphClassifier):
    """Give each node the majority class of its labelled neighbours; it then counts as labelled.

    P(class | node) is the share of edge weight to neighbours of that class, among neighbours with a
    class. In each round, every node without a class but with such a neighbour gets the most
    probable class and keeps it. Errors are passed on, which `WVRN` avoids. A round costs one pass
    over the edges per class.

    Parameters
    ----------
    rounds:
        With 1, only neighbours of labelled nodes are classified and all others stay unknown. With
        None, rounds continue until nothing changes.

    References
    ----------
    Macskassy, Provost. A simple relational classifier. MRDM workshop at KDD 2003.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> RN(graph).fit([0, 5], [0, 1]).predict(np.arange(6))
    array([0, 0, 0, 1, 1, 1])
    """

    def __init__(
        self, graph: Graph, n_classes: int | None = None, *, rounds: int | None = None
    ) -> None:
        super().__init__(graph, n_classes)
        if rounds is not None:
            at_least("rounds", rounds, 1)
        self.rounds = rounds

    def _learned(self, known: KnownLabels) -> Array:
        shares = known.indicator / known.counts[:, None]
        classes = np.zeros((known.n_nodes, known.n_classes))
        classes[known.nodes] = shares
        chances = classes.copy()
        for _ in range(self.rounds or known.n_nodes):
            votes = self.graph.adjacency @ classes
            total = votes.sum(axis=1)
            new = np.flatnonzero((total > 0) & ~classes.any(axis=1))
            if new.size == 0:
                break
            chances[new] = votes[new] / total[new, None]
            classes[new, np.argmax(votes[new], axis=1)] = 1.0
        return chances
