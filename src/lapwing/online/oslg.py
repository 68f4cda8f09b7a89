"""Online spectral learning on a graph (Gu and Han, 2014)."""

from __future__ import annotations

import numpy as np

from lapwing.linalg.ridge.inverse import checked_ridge
from lapwing.online.linear.margin_learner import MarginLearner
from lapwing.online.linear.margin_ridge import MarginRule
from lapwing.types import Array


class OSLG(MarginLearner):
    r"""Ridge regression of all classes on the rows of the nodes guessed wrong.

    The full-information algorithm of Gu and Han (2014), as Yang et al. (2018) use it: on a
    mistake, with y_t the unit vector of the label,

    .. math:: A \leftarrow A + x_t x_t^\top, \quad B \leftarrow B + x_t y_t^\top,
              \qquad W = A^{-1} B, \quad A_0 = b I.

    A mistake costs :math:`O(d^2 + K d)`, any other round :math:`O(K d)`.

    Parameters
    ----------
    features
        One row per node, shape ``(n, d)``; the papers take eigenvectors of the Laplacian.
    n_classes
        Number of classes; None adds them as their labels appear, which changes nothing:
        a class has weights of zero until its first label.
    b
        Ridge penalty, positive; Yang et al. take 10 (Cora, Coauthor) and 100 (PubMed, IMDB).

    Notes
    -----
    Departures: the 2014 paper's text is not public, only its abstract and the description in Yang
    et al. are used. That updates happen on mistakes only follows from the table of Yang et al.,
    whose counts are K times the mistakes; updates are counted so here. Codes +1/-1 in place of
    1/0 give the same error within a tenth of a percent on Cora and PubMed.

    References
    ----------
    Gu, Han. *Online spectral learning on a graph with bandit feedback.* ICDM 2014.

    Examples
    --------
    Two triangles joined by an edge: one label per triangle colours all.

    >>> from lapwing import Graph
    >>> from lapwing.embed import laplacian
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learner = OSLG(laplacian(graph, normalized=True, unit_rows=True), 2, b=1.0)
    >>> trace = learner.stream(np.array([0, 5, 1, 4]), np.array([0, 1, 0, 1]))
    >>> trace.guesses, trace.updates
    (array([-1,  0,  0,  1]), array([2, 2, 0, 0]))
    """

    def __init__(self, features: Array, n_classes: int | None = None, *, b: float = 10.0) -> None:
        b = checked_ridge(features, b, weighted=False)
        super().__init__(features, n_classes, MarginRule(b, 0.0, 1.0, False, np.inf))
