"""Strategies based on a Gaussian posterior over rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from lapwing import checks
from lapwing.active.ties import first_largest
from lapwing.learner import decided
from lapwing.types import UNKNOWN, Array, Nodes


class Posterior:
    r"""The covariance :math:`X C X^\top` of node values after the labels known so far.

    Rows X define the prior covariance :math:`X X^\top` (any rows of `lapwing.embed`); a label is an
    observation with variance `noise`: :math:`C = (I + X_L^\top X_L / \nu)^{-1}`, kept by rank-one
    updates, O(d^2) per label and O(n d) per question. With `cost`, one number per node, `best` is
    the node with the largest score per cost.

    Examples
    --------
    >>> posterior = Posterior(np.eye(2), {0: 1}, noise=1.0)
    >>> posterior.caught_up().covariance
    array([[0.5, 0. ],
           [0. , 1. ]])
    """

    def __init__(
        self,
        rows: Array,
        labels: Mapping[int, int],
        *,
        noise: float = 1.0,
        cost: Array | None = None,
    ) -> None:
        checks.positive("noise", noise)
        self.rows, self.labels, self.noise = rows, labels, noise
        self.cost = checks.costs(cost, len(rows))
        self._anew()

    def _anew(self) -> None:
        self.covariance = np.eye(self.rows.shape[1])
        self._told: set[int] = set()

    def caught_up(self) -> Posterior:
        """Update the posterior with all known labels; a withdrawn label restarts it."""
        if self._told - self.labels.keys():
            self._anew()
        for node in [n for n in self.labels if n not in self._told]:
            checks.one_node(node, len(self.rows))
            checks.one_label(self.labels[node])
            image = self.covariance @ self.rows[node]
            self.covariance -= np.outer(image, image) / (self.noise + self.rows[node] @ image)
            self._told.add(node)
        return self

    def best(self, worth: Array, candidates: Nodes) -> int:
        """Return the candidate with the largest worth per cost; ties go to the first."""
        if self.cost is not None:
            worth = worth / self.cost[candidates]
        return int(candidates[first_largest(worth)])

    def images(self, nodes: Nodes) -> tuple[Array, Array]:
        """Return C x for each of these nodes, and the variance of its answer."""
        found = self.rows[nodes] @ self.covariance
        return found, self.noise + np.einsum("ij,ij->i", found, self.rows[nodes])


class OverPosterior(ABC):
    """Base class: ask for the candidate with the largest `worth` per cost.

    Parameters
    ----------
    rows: one per node; their inner products are the prior covariance.
    labels: node to class, read at every call: what is known so far.
    noise: variance of an answer.
    cost: what a question costs, one number per node.
    """

    def __init__(
        self,
        rows: Array,
        labels: Mapping[int, int],
        *,
        noise: float = 1.0,
        cost: Array | None = None,
    ) -> None:
        self.posterior = Posterior(rows, labels, noise=noise, cost=cost)

    @cached_property
    def gram(self) -> Array:
        """Return the inner products of the columns of the rows."""
        return self.posterior.rows.T @ self.posterior.rows

    def __call__(self, learner: Any, candidates: Nodes) -> int:
        """Return the best candidate; ties go to the first."""
        given = checks.candidates(candidates, len(self.posterior.rows))
        images, variance = self.posterior.caught_up().images(given)
        return self.posterior.best(self.worth(learner, given, images, variance), given)

    @abstractmethod
    def worth(self, learner: Any, candidates: Nodes, images: Array, variance: Array) -> Array:
        """Return the worth of each candidate's answer; `images`, `variance` as in `Posterior`."""

    def moved(self, images: Array) -> Array:
        """Return how much each candidate's answer can move all nodes, as a squared length."""
        return np.asarray(np.einsum("ij,ij->i", images @ self.gram, images))


class VarianceMinimisation(OverPosterior):
    r"""Ask for the label that reduces the total variance of all nodes most (VOpt).

    Maximises :math:`\sum_v \mathrm{Cov}(v, c)^2 / (\mathrm{Var}(c) + \nu)`; the choice does not
    depend on answers, so it works from zero labels.

    References
    ----------
    Ji, Han. *A variance minimization criterion to active learning on graphs.* AISTATS 2012.

    Examples
    --------
    >>> VarianceMinimisation(np.array([[1.0, 0.0], [0.0, 2.0]]), {})(None, np.arange(2))
    1
    """

    def worth(self, learner: Any, candidates: Nodes, images: Array, variance: Array) -> Array:  # noqa: ARG002 - OverPosterior's form
        return self.moved(images) / variance


class SigmaOptimality(OverPosterior):
    r"""Ask for the label that reduces the variance of the *sum* of all nodes (Sigma-optimality).

    Maximises :math:`(\sum_v \mathrm{Cov}(v, c))^2 / (\mathrm{Var}(c) + \nu)`. It
    prefers nodes in the middle of clusters, where VOpt prefers outliers.

    References
    ----------
    Ma, Garnett, Schneider. *Sigma-optimality for active learning on Gaussian random fields.*
    NeurIPS 2013.

    Examples
    --------
    >>> rows = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.2]])
    >>> SigmaOptimality(rows, {})(None, np.arange(3))
    0
    """

    def worth(self, learner: Any, candidates: Nodes, images: Array, variance: Array) -> Array:  # noqa: ARG002 - OverPosterior's form
        return np.asarray((images @ self.total) ** 2 / variance)

    @cached_property
    def total(self) -> Array:
        """Return the sum of all rows."""
        return np.asarray(self.posterior.rows.sum(axis=0))


class ErrorBoundMinimisation(VarianceMinimisation):
    r"""Ask for the label that reduces the data-dependent error bound of LLGC most.

    The bound grows with the trace of :math:`X (X_L^\top X_L + \mu I)^{-1} X^\top`; greedily, that
    is VOpt with noise :math:`\mu` on rows of :math:`(I + \mu L)^{-1}`'s square root, which is how
    it differs.

    References
    ----------
    Gu, Han. *Towards active learning on graphs: an error bound minimization approach.* ICDM 2012.

    Examples
    --------
    >>> ErrorBoundMinimisation(np.array([[1.0, 0.0], [0.0, 2.0]]), {}, mu=0.1)(None, np.arange(2))
    1
    """

    def __init__(
        self,
        rows: Array,
        labels: Mapping[int, int],
        *,
        mu: float = 0.1,
        cost: Array | None = None,
    ) -> None:
        inverse = np.einsum("ij,ij->j", rows, rows)
        values = np.divide(1.0, inverse, out=np.zeros_like(inverse), where=inverse > 0)
        smooth = rows * np.sqrt(values / (1.0 + mu * values))
        super().__init__(smooth, labels, noise=mu, cost=cost)


class ModelChange(OverPosterior):
    r"""Ask for the label that would change the model most if the learner is wrong.

    The posterior mean moves by :math:`|X C x_c| / (\mathrm{Var}(c) + \nu)` times the surprise,
    which is 1 minus the probability of the learner's guess (1 where it has none).

    References
    ----------
    Miller, Bertozzi. *Model change active learning in graph-based semi-supervised learning.* 2024.

    Examples
    --------
    >>> class Blind:
    ...     def predict_proba(self, nodes):
    ...         return np.zeros((len(nodes), 2))
    >>> ModelChange(np.array([[1.0, 0.0], [0.0, 2.0]]), {})(Blind(), np.arange(2))
    1
    """

    def worth(self, learner: Any, candidates: Nodes, images: Array, variance: Array) -> Array:
        moved = np.sqrt(np.maximum(self.moved(images), 0.0))
        return surprise(learner, candidates) * moved / variance


def surprise(learner: Any, nodes: Nodes) -> Array:
    """Return 1 minus the probability of the learner's guess; 1 where it has none."""
    return surprise_of(learner.predict_proba(nodes))


def surprise_of(chances: Array) -> Array:
    """Return 1 minus the largest probability of each row; 1 where all are 0.

    Examples
    --------
    >>> surprise_of(np.array([[0.75, 0.25], [0.0, 0.0]])).tolist()
    [0.25, 1.0]
    """
    if chances.shape[-1] == 0:
        return np.ones(len(chances))
    return np.where(decided(chances) == UNKNOWN, 1.0, 1.0 - chances.max(axis=-1))
