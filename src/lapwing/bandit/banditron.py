"""The Banditron (Kakade, Shalev-Shwartz and Tewari, 2008)."""

from __future__ import annotations

from lapwing.bandit.rows.exploring_bandit import ExploringBandit
from lapwing.types import Array


class Banditron(ExploringBandit):
    r"""A perceptron of all classes that sometimes guesses at random to explore.

    Kakade et al. (2008), Algorithm 1. With :math:`\hat y = \arg\max_i w_i^\top x`, the guess is
    drawn from :math:`P(i) = (1 - \gamma) 1[i = \hat y] + \gamma / K`; then :math:`w_{\hat y}`
    loses x, and an accepted guess k gains :math:`x / P(k)`, which on average is the perceptron's
    update. A round costs :math:`O(K d)`.

    Parameters
    ----------
    features
        One row per node, shape ``(n, d)``.
    n_classes
        Number of classes.
    exploration
        :math:`\gamma`, more than 0 and at most 1.
    seed
        Seed of the draws and of the order that breaks ties between classes.

    Notes
    -----
    Departure: classes that a node has rejected are left out of :math:`\hat y` and P; with one guess
    per node this is the paper's rule.

    References
    ----------
    Kakade, Shalev-Shwartz, Tewari. *Efficient bandit algorithms for online multiclass
    prediction.* ICML 2008.

    Examples
    --------
    An accepted guess gains x / P, where P is 1/4 or 3/4; the class thought best loses x.

    >>> import numpy as np
    >>> learner = Banditron(np.eye(2), 2, exploration=0.5)
    >>> best = int(learner.tie_order[0])
    >>> learner.learn(0, 1 - best, True)
    >>> learner.scores(0)[[best, 1 - best]]
    array([-1.,  4.])
    """

    def __init__(
        self,
        features: Array,
        n_classes: int | None = None,
        *,
        exploration: float = 0.05,
        seed: int = 0,
    ) -> None:
        super().__init__(features, n_classes, exploration=exploration, seed=seed)
