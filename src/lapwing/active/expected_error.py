"""Expected error reduction: look one answer ahead and minimise the expected error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from lapwing import checks
from lapwing.active.posterior import Posterior, VarianceMinimisation
from lapwing.types import Array, Nodes

FLOOR = 1e-3
"""The smallest share of a class; a node without scores has equal shares."""


class ExpectedErrorReduction:
    r"""Ask for the label that minimises the expected error over the graph.

    For a candidate c and each possible class k, the model is refitted with (c, k) by one rank-one
    step, and its risk read off; the candidate's worth is the mean over k (equations (10)-(14) of
    the paper):

    .. math:: \sum_k p_{ck} \sum_v \bigl(1 - \max_j p^{+(c,k)}_{vj}\bigr).

    With K classes and rows of length d, a question costs O(a b (K^2 + d)) for a candidates and b
    evaluated nodes. If there are more, both are sampled anew for each question to limit the cost.
    Until two classes are known, it chooses as VOpt does.

    Departures: the paper's harmonic function is a ridge regression on rows here (any kernel,
    and defined on nodes no label reaches), its scores clipped at 0 and scaled to shares; the
    paper looks at all nodes.

    Parameters
    ----------
    rows, labels, noise, cost: as for `VarianceMinimisation`; little noise is as in the paper.
    n_candidates, n_nodes: a and b above. seed: of the draws.

    References
    ----------
    Zhu, Lafferty, Ghahramani. *Combining active learning and semi-supervised learning using
    Gaussian fields and harmonic functions.* ICML 2003 workshop.

    Examples
    --------
    Two triangles joined by an edge, one node known on each side: the node of the bridge whose
    answer settles most.

    >>> from lapwing.embed import laplacian
    >>> from lapwing.graph import Graph
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> ask = ExpectedErrorReduction(laplacian(graph, rank=None, bias=1.0), {0: 0, 5: 1})
    >>> ask(None, np.array([1, 2, 3, 4]))
    2
    """

    def __init__(
        self,
        rows: Array,
        labels: Mapping[int, int],
        *,
        noise: float = 0.1,
        n_candidates: int = 100,
        n_nodes: int = 500,
        cost: Array | None = None,
        seed: int = 0,
    ) -> None:
        checks.whole_number("n_candidates", n_candidates, 1)
        checks.whole_number("n_nodes", n_nodes, 1)
        self.blind = VarianceMinimisation(rows, labels, noise=noise, cost=cost)
        self.posterior: Posterior = self.blind.posterior
        self.n_candidates, self.n_nodes, self.seed = n_candidates, n_nodes, seed
        self._now = 1.0

    def __call__(self, learner: Any, candidates: Nodes) -> int:
        """Return the best of the sampled candidates; ties go to the first."""
        given = checks.candidates(candidates, len(self.posterior.rows))
        labels = self.posterior.labels
        if len(set(labels.values())) < 2:
            return self.blind(learner, given)
        rng = np.random.default_rng([self.seed, len(labels)])
        looked = _some(rng, given, self.n_candidates)
        risks = self.risks(looked, rng)
        worth = -risks if self.posterior.cost is None else self._now - risks
        return self.posterior.best(worth, looked)

    def risks(self, candidates: Nodes, rng: np.random.Generator) -> Array:
        """Return the expected error after each candidate's answer, as a share of the nodes."""
        rows, weights = self.posterior.rows, self._weights()
        judged = _some(rng, np.arange(len(rows)), self.n_nodes)
        scores = rows[judged] @ weights
        self._now = float((1.0 - _shares(scores).max(axis=-1)).mean())
        images, variance = self.posterior.images(candidates)
        moves = rows[judged] @ images.T / variance
        here = rows[candidates] @ weights
        chances = _shares(here)
        found = np.empty(len(candidates))
        for i, (own, chance) in enumerate(zip(here, chances, strict=True)):
            after = scores + np.multiply.outer(np.eye(len(own)) - own, moves[:, i]).swapaxes(1, 2)
            found[i] = chance @ (1.0 - _shares(after).max(axis=-1)).mean(axis=-1)
        return found

    def _weights(self) -> Array:
        """Return the posterior mean of the indicator of every class."""
        posterior = self.posterior.caught_up()
        nodes, classes = list(posterior.labels), list(posterior.labels.values())
        wanted = np.eye(max(classes) + 1)[classes]
        return np.asarray(
            posterior.covariance @ (posterior.rows[nodes].T @ wanted) / posterior.noise
        )


def _shares(scores: Array) -> Array:
    """Convert scores to probabilities."""
    positive = np.maximum(scores, 0.0) + FLOOR
    return np.asarray(positive / positive.sum(axis=-1, keepdims=True))


def _some(rng: np.random.Generator, nodes: Nodes, count: int) -> Nodes:
    if len(nodes) <= count:
        return nodes
    return np.sort(rng.choice(nodes, size=count, replace=False))
