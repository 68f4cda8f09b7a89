"""The second-order Banditron (Beygelzimer, Orabona and Zhang, 2017)."""

from __future__ import annotations

import numpy as np

from lapwing.bandit.rows.exploring_bandit import ExploringBandit
from lapwing.linalg.ridge.inverse import checked_ridge
from lapwing.types import Array


class SOBA(ExploringBandit):
    r"""A second-order perceptron of all classes that sometimes guesses at random to explore.

    Beygelzimer et al. (2017), Algorithm 1. The guess is drawn as the Banditron's. An accepted guess
    y with probability p has, with its best rival :math:`\bar y`, :math:`g = \frac1p (e_{\bar y}
    - e_y) \otimes x` and :math:`z = \sqrt p\, g`. If

    .. math:: m = \frac{(w^\top z)^2 + 2 w^\top g}{1 + z^\top A^{-1} z}

    plus the sum of the m of earlier updates is not negative, then :math:`A \leftarrow A + z
    z^\top`, :math:`\theta \leftarrow \theta - g`, :math:`w = A^{-1} \theta`. Rejected guesses
    teach nothing. A is of size Kd: memory and an update's cost are :math:`O(K^2 d^2)`, any other
    round costs :math:`O(K d)`.

    Parameters
    ----------
    features
        One row per node, shape ``(n, d)``.
    n_classes
        Number of classes.
    b
        :math:`A_0 = b I`, positive; 1 in the paper's experiments.
    exploration
        :math:`\gamma`, more than 0 and at most 1.
    seed
        Seed of the draws and of the order that breaks ties between classes.

    Notes
    -----
    Departure: classes that a node has rejected are left out of the guess and its probabilities;
    with one guess per node this is the paper's rule.

    References
    ----------
    Beygelzimer, Orabona, Zhang. *Efficient online bandit multiclass learning with O(sqrt T)
    regret.* ICML 2017.

    Examples
    --------
    Two triangles joined by an edge: one "yes" for each.

    >>> from lapwing import Graph
    >>> from lapwing.embed import laplacian
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learner = SOBA(laplacian(graph, normalized=True, unit_rows=True), 2)
    >>> learner.learn(0, 0, True)
    >>> learner.learn(5, 1, True)
    >>> np.argmax(learner.scores(np.arange(6)), axis=1)
    array([0, 0, 0, 1, 1, 1])
    """

    def __init__(
        self,
        features: Array,
        n_classes: int | None = None,
        *,
        b: float = 1.0,
        exploration: float = 0.05,
        seed: int = 0,
    ) -> None:
        super().__init__(features, n_classes, exploration=exploration, seed=seed)
        self.inverse = np.eye(self.weights.size) / checked_ridge(features, b, weighted=False)
