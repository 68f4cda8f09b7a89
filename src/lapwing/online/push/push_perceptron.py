"""The perceptron on the diffusion kernel, by residual pushes."""

from __future__ import annotations

import numpy as np

from lapwing.graph import Graph
from lapwing.graph.growth import Change
from lapwing.learner import BinaryLearner, CanGrow, HowItGrows
from lapwing.linalg.push.diffusions import Diffusions
from lapwing.linalg.push.residuals import settle, wake
from lapwing.online.push.member import Member, tolerance
from lapwing.types import Array, Index


class PushPerceptron(BinaryLearner, CanGrow):
    """Add a node's kernel column, with the label's sign, on every mistake.

    Figure 1 of Herbster and Pontil (2006), on the kernel K = (D - alpha A)^-1, positive definite on
    every graph, connected or not. A column is computed by pushes instead of a solve, so a mistake
    costs local work only. Their Theorem 2.1 holds for any positive definite M = K^-1; pushing
    leaves margins off by at most delta = eps / (1 - alpha), which adds 2 delta to X^2:

        mistakes <= u'(D - alpha A)u (max K_ii + 2 delta)  for every labelling u that fits.

    `lapwing.bounds.theorems.push.push_perceptron_mistakes` gives it as a number.

    Parameters
    ----------
    graph
        The graph.
    alpha
        How far labels spread; larger is smoother.
    eps
        The tolerance of pushing. None: 3e-4; on graphs of at most 100 nodes 1e-10.

    When the graph grows, the margins are those of the same mistakes on the grown graph.

    Departure: a margin of 0 counts as a mistake; the paper leaves sign(0) open.

    Reference
    ---------
    Herbster, Pontil. Prediction on a graph with a perceptron. NIPS 2006.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learner = PushPerceptron(graph)
    >>> learner.learn(0, +1)
    >>> learner.learn(5, -1)
    >>> np.sign(learner.margin(np.arange(6)))
    array([ 1.,  1.,  1., -1., -1., -1.])
    """

    def __init__(self, graph: Graph, *, alpha: float = 0.9, eps: float | None = None) -> None:
        member = Member(alpha, 0.0, tolerance(eps, graph))
        member.check()
        self.graph, self.n_nodes = graph, graph.n_nodes
        self.state = Diffusions(
            graph.adjacency, alpha=[alpha], ridge=[0.0], tolerance=[member.eps], n_classes=1
        )

    def _margin(self, nodes: Index) -> Array:
        return np.asarray(self.state.of(nodes, 0)[..., 0])

    def _learn(self, node: int, label: int | None) -> None:
        if label is not None and label * self.state.solution[node, 0] <= 0.0:
            self.state.residual[node, 0] += label
            wake(self.state.system, node)
            settle(self.state.system)

    @property
    def grows(self) -> HowItGrows:
        return "exactly"

    def _grow(self, graph: Graph, change: Change) -> None:
        self.state.add_nodes(change.n_nodes - self.n_nodes)
        self.n_nodes = graph.n_nodes
        self.state.set_edges(
            change.sources, change.targets, change.weights, lambda: graph.adjacency
        )
