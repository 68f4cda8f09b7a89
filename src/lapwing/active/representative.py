"""Choose a doubtful node whose label tells much about other doubtful nodes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from lapwing import checks
from lapwing.active.contracts import CanChooseSeveral, CanFollowLabels
from lapwing.active.reach.doubt_sum import LARGE
from lapwing.active.reach.uncertain_reach import UncertainReach
from lapwing.active.ties import first_largest
from lapwing.graph import Graph
from lapwing.learner import ComparesNodes, JudgesNeighbours
from lapwing.types import Array, Nodes

CONSIDERED, COMPARED = 100, 300
"""Candidates that are considered for a question, and nodes that they are compared with."""
NOISE = 0.3
"""nu: the variance of an answer, where a node's own variance is 1 on average."""
TRUSTED = 0.75
"""Where edges are all there is and neighbours are trusted so far, the reach of doubt decides."""


class Representative(CanFollowLabels, CanChooseSeveral):
    r"""Ask about a node in doubt whose label tells much about other nodes in doubt.

    The learner says how alike nodes are, by rows that count as it trusts them (`ComparesNodes`):
    attributes spread over edges and places in the graph where neighbours are alike, a node's own
    attributes and its structure where they are not. As in `VarianceMinimisation`, the inner
    products of rows are covariances before any label, and a label is an observation with variance
    :math:`\nu`. With the margin m of the learner's two most probable classes and the doubt
    :math:`u = 1 - m`, the score of a candidate c is

    .. math:: u_c \Bigl(\frac{\sum_v u_v \mathrm{Cov}(v, c)^2}{\mathrm{Var}(c) + \nu}\Bigr)^{1/2} .

    The sum is over 300 nodes, and c is one of 100 candidates, both drawn at random for every
    question. So the choice stays close to a fair sample: where labels depend on a node's place, a
    strategy that may choose any node asks about the same few hubs or the same class again and
    again. From zero labels, it asks about nodes that are like many others, and then about others
    that are not like these. Both samples follow from the seed and the number of labels.

    Where the learner knows edges alone and trusts neighbours to be alike (`JudgesNeighbours`), a
    label spreads from hubs, and asking about them does no harm: `UncertainReach` chooses. It
    chooses, too, with a learner that does not compare nodes, or not yet.

    Departures: our own score. The sum is VOpt (Ji and Han 2012), weighted by doubt as in Settles
    and Craven's information density (2008). A question costs :math:`O((t + a) b d + t^2 (t + d))`
    for t labels on d columns, and a and b for the two samples; t and d change places in the last
    term where t is larger.

    Parameters
    ----------
    graph: the graph.
    labels: node to class, read at every call: what is known so far.
    seed: of the two samples.
    cost: what a question costs, one number per node; scores are divided by it.

    References
    ----------
    Settles, Craven. *An analysis of active learning strategies for sequence labeling tasks.*
    EMNLP 2008.

    Examples
    --------
    Four nodes of one kind and two of another: first one of the four, then one of the two.

    >>> class Kinds(ComparesNodes):
    ...     def likeness_rows(self, nodes):
    ...         return np.eye(2)[[0, 0, 0, 0, 1, 1]][nodes]
    ...     def predict_proba(self, nodes):
    ...         return np.full((len(nodes), 2), 0.5)
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)])
    >>> labels: dict[int, int] = {}
    >>> ask = Representative(graph, labels)
    >>> ask(Kinds(), np.arange(6))
    0
    >>> labels[0] = 0
    >>> ask(Kinds(), np.arange(1, 6))
    4
    """

    def __init__(
        self,
        graph: Graph,
        labels: Mapping[int, int],
        *,
        seed: int = 0,
        cost: Array | None = None,
    ) -> None:
        self.graph, self.labels = graph, labels
        self.seed, self.cost = seed, checks.costs(cost, graph.n_nodes)

    @cached_property
    def reach(self) -> UncertainReach:
        """What chooses where the learner does not compare nodes; made when first needed."""
        return UncertainReach(self.graph, self.labels, cost=self.cost)

    def __call__(self, learner: Any, candidates: Nodes) -> int:
        """Return the best candidate; ties go to the first."""
        return int(self.several(candidates, 1, learner)[0])

    def several(self, candidates: Nodes, count: int, learner: Any = None) -> Nodes:
        """Choose several nodes at once, each as if the previous ones had been answered."""
        left = checks.candidates(candidates, self.graph.n_nodes)
        count = min(checks.whole_number("count", count, 0), len(left))
        if self.leaves_to_reach(learner):
            if count == 1:
                return np.array([self.reach(learner, left)], dtype=np.intp)
            return self.reach.several(left, count)
        rng = np.random.default_rng([self.seed, len(self.labels)])
        known, chosen = list(self.labels), list[int]()
        for _ in range(count):
            near, others = _drawn(rng, left, CONSIDERED), _drawn(rng, left, COMPARED)
            scores = self.scores(learner, near, others, [*known, *chosen])
            node = int(near[first_largest(scores)])
            chosen.append(node)
            left = left[left != node]
        return np.array(chosen, dtype=np.intp)

    def scores(self, learner: Any, nodes: Nodes, others: Nodes, known: list[int]) -> Array:
        """Return the score of each of these nodes by what it tells about others.

        `known` are the nodes that have labels, or count as if they had.
        """
        both = np.concatenate([nodes, others])
        rows = np.asarray(learner.likeness_rows(both), dtype=np.float64)
        told = np.asarray(learner.likeness_rows(np.array(known, dtype=np.intp)), dtype=np.float64)
        shared, own = covariances(rows[: len(nodes)], rows[len(nodes) :], told)
        doubts = self._doubts(learner, both)
        told_of_others = np.square(shared) @ doubts[len(nodes) :] / (own + NOISE)
        scores = doubts[: len(nodes)] * np.sqrt(told_of_others)
        return scores if self.cost is None else scores / self.cost[nodes]

    def refresh(self, changed: int | None = None) -> None:
        """Process changed labels where the reach of doubt has been needed.

        It catches up by itself when it is asked again.
        """
        if "reach" in self.__dict__:
            self.reach.refresh(changed)

    def _doubts(self, learner: Any, nodes: Nodes) -> Array:
        """One minus the margin of the two most probable classes; 1 until two classes are known."""
        if len(set(self.labels.values())) < 2:
            return np.ones(len(nodes))
        best = np.partition(learner.predict_proba(nodes), -2, axis=1)[:, -2:]
        return np.asarray(1.0 - (best[:, 1] - best[:, 0]))

    def leaves_to_reach(self, learner: Any) -> bool:
        """Whether `UncertainReach` chooses: there are no rows, or edges are all and are trusted.

        Not the latter on a graph of more than 25,000 nodes, of which labels reach a small part:
        there the node that reaches the most doubt is often one that hangs on the rest, and tells
        about no other.
        """
        if not self.compares(learner):
            return True
        return (
            isinstance(learner, ComparesNodes)
            and learner.compares_by_edges
            and isinstance(learner, JudgesNeighbours)
            and learner.neighbour_trust >= TRUSTED
            and self.graph.n_nodes <= LARGE
        )

    def compares(self, learner: Any) -> bool:
        """Whether the learner has rows to compare nodes by."""
        if not isinstance(learner, ComparesNodes):
            return False
        return bool(learner.likeness_rows(np.empty(0, dtype=np.intp)).shape[1])


def covariances(nodes: Array, others: Array, known: Array) -> tuple[Array, Array]:
    r"""Return how nodes vary with others once some are known, and how each varies by itself.

    From the rows of all three: :math:`X Y^\top - X Z^\top (Z Z^\top + \nu I)^{-1} Z Y^\top`, by a
    matrix of the size of the known nodes or of the columns, whichever is smaller.

    Examples
    --------
    >>> shared, own = covariances(np.ones((1, 1)), np.ones((2, 1)), np.ones((1, 1)))
    >>> shared.round(2).tolist(), own.round(2).tolist()
    ([[0.23, 0.23]], [0.23])
    """
    if len(known) > known.shape[1]:
        inner = known.T @ known
        inner[np.diag_indices(len(inner))] += NOISE
        images = NOISE * _solved(inner, nodes.T.copy()).T
        return images @ others.T, np.einsum("ij,ij->i", images, nodes)
    images = nodes
    if len(known):
        inner = known @ known.T
        inner[np.diag_indices(len(inner))] += NOISE
        images = nodes - _solved(inner, known @ nodes.T).T @ known
    return images @ others.T, np.maximum(np.einsum("ij,ij->i", images, nodes), 0.0)


def _solved(inner: Array, right: Array) -> Array:
    """Solve positive definite equations, whose numbers were checked when rows were made."""
    factor = cho_factor(inner, overwrite_a=True, check_finite=False)
    return np.asarray(cho_solve(factor, right, overwrite_b=True, check_finite=False))


def _drawn(rng: np.random.Generator, nodes: Nodes, count: int) -> Nodes:
    """Some of these nodes, drawn at random, in their order; all if there are no more."""
    if len(nodes) <= count:
        return nodes
    return np.sort(rng.choice(nodes, size=count, replace=False))
