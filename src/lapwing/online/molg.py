"""MOLG-F of Yang, Zhao and Gao (2018)."""

from __future__ import annotations

import numpy as np

from lapwing.checks import one_of
from lapwing.linalg.ridge.inverse import checked_ridge, checked_weight
from lapwing.online.linear.margin_learner import MarginLearner, checked_margin
from lapwing.online.linear.margin_ridge import MarginRule
from lapwing.types import Array


class MOLG(MarginLearner):
    r"""Weighted ridge regression of all classes that learns from every unsure guess.

    MOLG-F, Algorithm 1 of Yang et al. (2018). With :math:`q = x_t^\top A_{t-1}^{-1} x_t`, a
    row has the weight :math:`a_t = 1 / (1 - q)`, which makes the last step's game against an
    adversary solvable (Theorem 1). Scores look one row ahead, :math:`f_t = B_{t-1}^\top A_t^{-1}
    x_t`; :math:`\hat\Delta_t` is the true class's score minus the best other (8) and
    :math:`\sigma_t = a_t^2 x_t^\top A_t^{-1} x_t / 2`. Where the guess is wrong or
    :math:`\hat\Delta_t < \phi \sigma_t` (line 12; (9) has phi = 1),

    .. math:: A_t = A_{t-1} + a_t x_t x_t^\top, \quad B_t = B_{t-1} + a_t x_t y_t^\top,
              \qquad A_0 = b I,

    by (6), kept as :math:`A^{-1}` and :math:`A^{-1} B` with Woodbury's step. A round costs
    :math:`O(K d)`, and :math:`O(d^2 + K d)` where it learns or comes near the margin.

    Parameters
    ----------
    features
        One row per node, shape ``(n, d)``. The paper's rows:
        ``lapwing.embed.laplacian(graph, rank=100, normalized=True, unit_rows=True)``.
    n_classes
        Number of classes; None adds them as their labels appear.
    b
        Ridge penalty, more than the largest :math:`|x|^2`: otherwise :math:`a_t` can be negative
        and :math:`A` indefinite. The paper: 10 (Cora, Coauthor), 100 (PubMed, IMDB).
    phi
        The required margin, in :math:`\sigma_t`; the paper searches 0.01 to 10, and 10 gives its
        tables. 0 learns from mistakes only.
    weight
        A constant weight in place of :math:`1 / (1 - q)`, or None; with it any b > 0 is allowed.
    coding
        ``"pairs"``: y is +1 for the true class and -1 for the best other, as the text says;
        ``"one-hot"``: +1 for the true class, which errs less on Cora.

    Notes
    -----
    Departures: before anything is learned the guess is UNKNOWN, which counts as a mistake; the
    paper leaves the first arg-max open. `weight` and `coding` are ours. Updates are counted as the
    paper's tables show: 2 weight vectors per learning round (all K with one-hot coding).

    References
    ----------
    Yang, Zhao, Gao. *Bandit online learning on graphs via adaptive optimization.* IJCAI 2018.

    Examples
    --------
    Two triangles joined by an edge: one label of each colours all.

    >>> from lapwing import Graph
    >>> from lapwing.embed import laplacian
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learner = MOLG(laplacian(graph, normalized=True, unit_rows=True), 2, b=2.0)
    >>> learner.learn(0, 0)
    >>> learner.learn(5, 1)
    >>> learner.predict(np.arange(6))
    array([0, 0, 0, 1, 1, 1])
    >>> MOLG(np.eye(2), 2, b=0.5)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: b must exceed the largest |x|^2, which is 1 (node 0), got 0.5
    """

    def __init__(
        self,
        features: Array,
        n_classes: int | None = None,
        *,
        b: float = 10.0,
        phi: float = 10.0,
        weight: float | None = None,
        coding: str = "pairs",
    ) -> None:
        one_of("coding", coding, ("pairs", "one-hot"))
        a, b = checked_weight(weight), checked_ridge(features, b, weighted=weight is None)
        rule = MarginRule(b, checked_margin(phi), a, coding == "pairs", np.inf)
        super().__init__(features, n_classes, rule)
