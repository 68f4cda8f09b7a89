"""LinUCB with one arm per class (Li et al., 2010)."""

from __future__ import annotations

import numpy as np

from lapwing.bandit.rows.ridge_arms import ArmRule
from lapwing.bandit.rows.ridge_bandit import RidgeBandit
from lapwing.types import Array


class LinUCB(RidgeBandit):
    r"""One ridge regression of the acceptance per class, with optimistic guesses.

    Algorithm 1 of Li et al. (2010), disjoint arms: reward 1 for an accepted guess, 0 for a rejected
    one; the guess is the class of the largest :math:`\theta_i^\top x + \alpha \sqrt{x^\top A_i^{-1}
    x}`, with :math:`A_i = b I` plus the outer products of the rows it was guessed for. It is widely
    used today. Memory is :math:`O(K d^2)`; a round costs :math:`O(d^2)` for each class in doubt and
    for the update.

    Parameters
    ----------
    features
        One row per node, shape ``(n, d)``.
    n_classes
        Number of classes.
    b
        Ridge penalty, positive; 1 in the paper.
    exploration
        :math:`\alpha`, at least 0.
    seed
        Seed of the order that breaks ties between classes.

    Notes
    -----
    Departures: the ridge is a parameter; ties are broken by an order drawn from the seed.

    References
    ----------
    Li, Chu, Langford, Schapire. *A contextual-bandit approach to personalized news article
    recommendation.* WWW 2010.

    Examples
    --------
    Two triangles joined by an edge: one "yes" for each.

    >>> from lapwing import Graph
    >>> from lapwing.embed import laplacian
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learner = LinUCB(laplacian(graph, normalized=True, unit_rows=True), 2)
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
        exploration: float = 0.5,
        seed: int = 0,
    ) -> None:
        rule = ArmRule(float(b), 1.0, False, float(exploration), np.inf, 0.0, np.inf)
        super().__init__(features, n_classes, rule, seed=seed)
