"""The graph perceptron for several classes at once."""

from __future__ import annotations

import numpy as np

from lapwing.online.linear.margin_learner import MarginLearner
from lapwing.online.linear.margin_ridge import MarginRule
from lapwing.types import Array


class MulticlassGPA(MarginLearner):
    r"""The multi-class perceptron: a mistake moves the true class and the guess by the row.

    GPA is the kernel perceptron of Herbster and Pontil (2006), Figure 1, whose kernel is the
    rows' inner product; for several classes at once the usual rule is, with the guess :math:`\hat
    y = \arg\max_i w_i^\top x_t`,

    .. math:: w_{y_t} \leftarrow w_{y_t} + x_t, \qquad w_{\hat y} \leftarrow w_{\hat y} - x_t

    on a mistake. A round costs :math:`O(K d)`.

    Parameters
    ----------
    features
        One row per node, shape ``(n, d)``.
    n_classes
        Number of classes; None adds them as their labels appear.

    Notes
    -----
    Departures: the baseline row of Yang et al. (2018, Table 1: 58.5 % on Cora, two updates in
    every round) fits no single rule and is not reproduced; this one errs far less.

    References
    ----------
    Herbster, Pontil. *Prediction on a graph with a perceptron.* NIPS 2006.

    Examples
    --------
    Two triangles joined by an edge: one label per triangle colours both.

    >>> from lapwing import Graph
    >>> from lapwing.embed import laplacian
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learner = MulticlassGPA(laplacian(graph, normalized=True, unit_rows=True), 2)
    >>> learner.learn(0, 0)
    >>> learner.learn(5, 1)
    >>> learner.predict(np.arange(6))
    array([0, 0, 0, 1, 1, 1])
    """

    def __init__(self, features: Array, n_classes: int | None = None) -> None:
        super().__init__(features, n_classes, MarginRule(1.0, 0.0, 1.0, True, np.inf))
        self.inverse = np.empty((0, 0))
