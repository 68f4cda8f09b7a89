"""Confidit (Crammer and Gentile, 2013)."""

from __future__ import annotations

import numpy as np

from lapwing.bandit.rows.ridge_arms import ArmRule
from lapwing.bandit.rows.ridge_bandit import RidgeBandit
from lapwing.errors import InputError
from lapwing.types import Array


class Confidit(RidgeBandit):
    r"""One second-order perceptron per class, with margins in [-1, 1] and optimistic guesses.

    Crammer and Gentile (2013), Figure 1 with :math:`\alpha = 1`, whose label model is that of
    Yang et al. (2018), :math:`P(y = i) = (1 + u_i^\top x) / 2`. Before a row is used, each
    :math:`w_i` is projected, in the norm of :math:`A_i`, on :math:`|w_i^\top x| \le 1`; the guess
    is the class of the largest :math:`w_i^\top x + \sqrt{\eta\, x^\top A_i^{-1} x}`; it learns in
    every round: :math:`A_k \leftarrow A_k + x x^\top`, :math:`w_k = A_k^{-1} (A_k^{old} w_k \pm
    x)`, from :math:`A = (1 + \alpha)^2 I = 4 I`. Memory is :math:`O(K d^2)`; a round costs
    :math:`O(d^2)` for each class in doubt and for the update.

    Parameters
    ----------
    features
        One row per node, shape ``(n, d)``, of length 1.
    n_classes
        Number of classes.
    exploration
        :math:`\eta`, at least 0.
    seed
        Seed of the order that breaks ties between classes.

    Notes
    -----
    Departures: :math:`\eta` is a constant, as in the paper's experiments, in place of the bound's
    logarithmic width; other :math:`\alpha`, which flip coins for rejected guesses, are left out.

    References
    ----------
    Crammer, Gentile. *Multiclass classification with bandit feedback using adaptive
    regularization.* Machine Learning 90, 2013.

    Examples
    --------
    Two triangles joined by an edge: a "yes" and a "no" say what to guess for both.

    >>> from lapwing import Graph
    >>> from lapwing.embed import laplacian
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learner = Confidit(laplacian(graph, normalized=True, unit_rows=True), 2)
    >>> learner.learn(0, 0, True)
    >>> learner.learn(5, 0, False)
    >>> [learner.guess(node) for node in range(6)]
    [0, 0, 0, 1, 1, 1]
    """

    def __init__(
        self,
        features: Array,
        n_classes: int | None = None,
        *,
        exploration: float = 0.05,
        seed: int = 0,
    ) -> None:
        if not exploration >= 0:
            raise InputError(f"exploration must be at least 0, got {exploration}")
        rule = ArmRule(4.0, 1.0, False, float(np.sqrt(exploration)), 1.0, -1.0, np.inf)
        super().__init__(features, n_classes, rule, seed=seed)
