"""Thompson sampling for linear bandits (Agrawal and Goyal, 2013)."""

from __future__ import annotations

import numpy as np

from lapwing.bandit.rows.ridge_arms import ArmRule
from lapwing.bandit.rows.ridge_bandit import RidgeBandit
from lapwing.types import Array


class Thompson(RidgeBandit):
    r"""One ridge regression of the acceptance per class; guesses by sampling from the posterior.

    Algorithm 1 of Agrawal and Goyal (2013), one arm per class: weights are assumed normal around
    :math:`\theta_i = A_i^{-1} b_i` with covariance :math:`v^2 A_i^{-1}`; the guess is the class of
    the largest :math:`\tilde\theta_i^\top x` for :math:`\tilde\theta_i` drawn from that belief.
    Reward 1 for an accepted guess, 0 for a rejected one. Memory is :math:`O(K d^2)`; a round costs
    :math:`O(d^2)` for each class in doubt and for the update.

    Parameters
    ----------
    features
        One row per node, shape ``(n, d)``.
    n_classes
        Number of classes.
    b
        Ridge penalty, positive; 1 in the paper.
    exploration
        :math:`v`, at least 0.
    seed
        Seed of the draws and of the order that breaks ties between classes.

    Notes
    -----
    Departure: :math:`\tilde\theta_i^\top x` is normal around :math:`\theta_i^\top x` with deviation
    :math:`v \sqrt{x^\top A_i^{-1} x}`, so one standard normal per class, drawn at the end of the
    previous round, gives the guess the same distribution without a root of the covariance.

    References
    ----------
    Agrawal, Goyal. *Thompson sampling for contextual bandits with linear payoffs.* ICML 2013.

    Examples
    --------
    Two triangles joined by an edge: one "yes" for each.

    >>> from lapwing import Graph
    >>> from lapwing.embed import laplacian
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> rows = laplacian(graph, normalized=True, unit_rows=True)
    >>> learner = Thompson(rows, 2, exploration=0.01)
    >>> learner.learn(0, 0, True)
    >>> learner.learn(5, 1, True)
    >>> [learner.predict(node) for node in range(6)]
    [0, 0, 0, 1, 1, 1]
    """

    def __init__(
        self,
        features: Array,
        n_classes: int | None = None,
        *,
        b: float = 1.0,
        exploration: float = 0.25,
        seed: int = 0,
    ) -> None:
        rule = ArmRule(float(b), 1.0, False, float(exploration), np.inf, 0.0, np.inf)
        super().__init__(features, n_classes, rule, seed=seed)

    def _drawn(self, count: int) -> Array:
        return self.rng.standard_normal((count, self.n_classes))
