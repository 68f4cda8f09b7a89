"""The default learner: several diffusions, weighted by how well they predict."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from lapwing.embed import GrowingRows, laplacian
from lapwing.embed.attributes.beside import beside_attributes
from lapwing.embed.communities import community_prior
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.online.push.asking_rules import asks
from lapwing.online.push.member import Member
from lapwing.online.push.push_learner import PushLearner
from lapwing.types import Array, Index

MEMBERS = (
    Member(alpha=0.9, ridge=0.0, eps=3e-3),
    Member(alpha=0.85, ridge=2.0, eps=3e-4),
    Member(alpha=0.98, ridge=3.0, eps=3e-4),
)
"""First order; second order near; second order far, which also decides what is asked."""
LEAST_TRUST = 0.25
"""Streams have many labels, which tell whether neighbours are alike: trust in it begins here."""
BIAS = 0.1
"""The square of the constant column of rows."""


class Auto(PushLearner):
    """The default learner: nothing to tune, no spectrum, any graph.

    Three diffusions share one walk over the neighbours' lists: `PushLGC` with alpha .9, `PushRidge`
    with alpha .85 and .98; with `rank`, ridge regression on that many rows of the normalised
    Laplacian is a fourth (rows take time to compute and are cached), and so it is with `use`, on
    attributes spread over the edges, or on both. Another does not expect neighbours to be alike: it
    learns from labelled neighbours which classes go together, and takes the labels around a node,
    one and two steps away, as evidence (naive Bayes). The last is the share of each class among the
    labels of the node's component: where neighbours say nothing about each other, it has the best
    guess. Each member's scores become calibrated probabilities by a temperature learned online; one
    more expert stacks all members; exponential weights on the log losses mix them. `scores` are the
    mixture's probabilities.

    On the labels received, the mixture's log loss exceeds any expert's by at most minus the
    logarithm of the expert's weight before the first label, whatever the labels: `regret` and
    `regret_bound`. That weight is 1/4 for the classes that go together and for the class shares,
    1/8 for others (2/9 and 1/9 with a fourth regression): few labels are enough to show what
    neighbours tell, but not that they tell nothing. From edges alone, diffusions and rows have down
    to a quarter of that where the graph has no communities (`community_prior`). (The aggregating
    algorithm for log loss; Cesa-Bianchi and Lugosi 2006, Section 9.2.)

    Parameters
    ----------
    graph, n_classes
        The graph, and the number of classes; None adds classes as they appear.
    rank
        0, or the rank of the normalised Laplacian's rows that form another member.
    use
        Columns of the graph's node table that form another member, beside those rows if there are
        any; None learns from the graph alone.
    eps
        The tolerance of every member. None: their own defaults, and lazily, as in `PushLGC`.
    budget, target_error, kappa
        At most one: how many labels to ask for over as many rounds as the graph has nodes; which
        expected error of the unasked answers to keep to; Gu et al.'s t^-kappa. None asks always.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learner = Auto(graph)
    >>> learner.learn(0, 0)
    >>> learner.learn(5, 1)
    >>> learner.predict(np.arange(6))
    array([0, 0, 0, 1, 1, 1])
    >>> learner.learn(1, 0)
    >>> learner.regret <= learner.regret_bound
    True
    """

    def __init__(
        self,
        graph: Graph,
        n_classes: int | None = None,
        *,
        rank: int = 0,
        use: Sequence[str] | None = None,
        eps: float | None = None,
        budget: int | None = None,
        target_error: float | None = None,
        kappa: float | None = None,
    ) -> None:
        if rank < 0:
            raise InputError(f"rank must be at least 0, got {rank}")
        super().__init__(
            graph,
            n_classes,
            members=MEMBERS,
            eps=eps,
            asks=asks(budget=budget, target_error=target_error, kappa=kappa),
            domain=_domain(graph, rank, use) if rank or use else None,
            class_shares=True,
            trust=1.0 if use else max(community_prior(graph), LEAST_TRUST),
        )

    def _scores(self, nodes: Index) -> Array:
        return self._predict_proba(nodes)

    @property
    def regret(self) -> float:
        """The log loss of the mixture over the labels received, minus its best expert's."""
        losses = self.blend.losses
        return float(losses[-2] - losses[:-2].min())

    @property
    def regret_bound(self) -> float:
        """The upper bound of the regret: minus the logarithm of the best expert's first weight."""
        return float(-np.log(self.blend.first[np.argmin(self.blend.losses[:-2])]))

    @property
    def trust(self) -> Array:
        """The experts' weights in the mixture.

        Diffusions and regression, classes that go together, class shares, the stack of all these.
        """
        losses = self.blend.losses[:-2]
        weights = self.blend.first * np.exp(losses.min() - losses)
        return np.asarray(weights / weights.sum())


def _domain(graph: Graph, rank: int, use: Sequence[str] | None) -> GrowingRows:
    return GrowingRows(graph, partial(_rows, rank=rank, use=use), unit_rows=True)


def _rows(graph: Graph, *, rank: int, use: Sequence[str] | None) -> Array:
    rows = np.full((graph.n_nodes, 1), BIAS)
    if rank:
        rows = laplacian(graph, rank=rank, normalized=True, unit_rows=True, bias=BIAS)
    return beside_attributes(graph, rows, use=use) if use else rows
