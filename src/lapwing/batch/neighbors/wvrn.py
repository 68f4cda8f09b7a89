"""The weighted-vote relational neighbour classifier (Macskassy and Provost 2003, 2007)."""

from __future__ import annotations

from typing import Literal

import numpy as np

from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.diffusion.transition import transition
from lapwing.batch.known_labels import KnownLabels
from lapwing.checks import at_least, between, one_of, positive
from lapwing.graph import Graph
from lapwing.learner import shares
from lapwing.types import Array


class WVRN(GraphClassifier):
    """Repeatedly average the class probabilities of each node's neighbours.

    Relaxation labelling: c(t+1) = b(t+1) v(t) + (1 - b(t+1)) c(t) with b(t+1) = decay b(t), where v
    are the neighbours' votes P c over their sum (neighbours without probabilities do not vote),
    known labels fixed (a node of several classes has equal parts of them). A round costs one pass
    over the edges per class.

    Parameters
    ----------
    start:
        ``zero``: unlabelled nodes have no vote until a label reaches them. ``prior``: they start
        with the class shares of the labels, as in Macskassy and Provost.
    rounds, decay:
        10 rounds are enough where labels are a few hops away; 99 and 0.99 in their toolkit. A
        node further than `rounds` hops from a label stays unknown from a zero start.

    The 36% that Ye et al. 2017 print for PubMed are not the result of this algorithm but the score
    of random guessing (``lapwing reproduce ye2017/table4``).

    References
    ----------
    Macskassy, Provost. Classification in networked data. JMLR 8, 2007.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> WVRN(graph).fit([0, 5], [0, 1]).predict(np.arange(6))
    array([0, 0, 0, 1, 1, 1])
    """

    def __init__(
        self,
        graph: Graph,
        n_classes: int | None = None,
        *,
        start: Literal["zero", "prior"] = "zero",
        rounds: int = 10,
        decay: float = 0.99,
    ) -> None:
        super().__init__(graph, n_classes)
        one_of("start", start, ("zero", "prior"))
        at_least("rounds", rounds, 1)
        positive("decay", decay)
        between("decay", decay, 0, 1)
        self.start = start
        self.rounds = rounds
        self.decay = decay

    def _learned(self, known: KnownLabels) -> Array:
        given = known.indicator / known.counts[:, None]
        chances = np.zeros((known.n_nodes, known.n_classes))
        if self.start == "prior":
            chances[:] = given.mean(axis=0)
        chances[known.nodes] = given
        step, pull = transition(self.graph), 1.0
        for _ in range(self.rounds):
            votes = shares(step @ chances)
            chances = pull * votes + (1.0 - pull) * chances
            chances[known.nodes] = given
            pull *= self.decay
        return chances
