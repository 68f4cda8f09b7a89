"""Multi-class selective sampling on graphs (Yang et al., 2016)."""

from __future__ import annotations

import numpy as np

from lapwing.checks import positive
from lapwing.linalg.ridge.inverse import checked_ridge
from lapwing.online.linear.margin_learner import MarginLearner, checked_margin
from lapwing.online.linear.margin_ridge import MarginRule
from lapwing.types import Array


class MSG(MarginLearner):
    r"""Ridge regression of all classes that queries with a probability that depends on doubt.

    After Yang et al. (2016). Scores look one row ahead, :math:`f_t = B_{t-1}^\top A_t^{-1} x_t`
    with :math:`A_t = A_{t-1} + x_t x_t^\top`; :math:`r_t = x_t^\top A_t^{-1} x_t` is their
    uncertainty. A label is queried with probability

    .. math:: \frac{h}{h + \max(0, \Theta_t)}, \qquad
              \Theta_t = f_{\hat y} - \max_{i \ne \hat y} f_i - \tfrac{\phi}{2} r_t,

    and learned if the guess was wrong or the true class's lead is below :math:`\phi r_t / 2` (the
    "aggressive" variant; phi = 0 is the "conservative" one). The update is :math:`A_t`, :math:`B_t
    = B_{t-1} + x_t y_t^\top`, with y +1 for the true class and -1 for the best other. A round costs
    :math:`O(d^2 + K d)`.

    Parameters
    ----------
    features
        One row per node, shape ``(n, d)``.
    n_classes
        Number of classes; None adds them as their labels appear.
    b
        Ridge penalty, positive: 10 (Cora, Coauthor), 100 (PubMed) as for MOLG.
    phi
        The required margin, at least 0.
    h
        Positive; larger values query more labels. Infinity always queries, as in the tables of Yang
        et al. (2018), which call the algorithm one "with full information feedback".
    seed
        Seed of the coin flips.

    Notes
    -----
    Departures: only the abstract of the 2016 paper and its use in Yang et al. (2018) are at hand.
    They give: one multi-class problem, not one-vs-rest; a randomised query by a hybrid of margin
    and uncertainty; the aggressive update. The form of the coin, h / (h + Theta), follows the
    randomised samplers of Cesa-Bianchi et al. (2006); its Theta and the update's margin are those
    of Yang et al. (2018), (9), for rows of weight 1. Their row of Table 1 is not a target.

    References
    ----------
    Yang, Zhao, Hai, Liu, Hoi, Li. *Efficient multi-class selective sampling on graphs.* UAI 2016.

    Examples
    --------
    Two triangles joined by an edge: one label per triangle, then no more questions.

    >>> from lapwing import Graph
    >>> from lapwing.embed import laplacian
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> rows = laplacian(graph, rank=2, normalized=True, unit_rows=True)
    >>> learner = MSG(rows, 2, b=0.1, phi=0.5, h=0.01)
    >>> trace = learner.stream(np.array([0, 5, 1, 4]), np.array([0, 1, 0, 1]))
    >>> trace.guesses, trace.queried
    (array([-1,  0,  0,  1]), array([ True,  True, False, False]))
    """

    def __init__(
        self,
        features: Array,
        n_classes: int | None = None,
        *,
        b: float = 10.0,
        phi: float = 10.0,
        h: float = np.inf,
        seed: int = 0,
    ) -> None:
        positive("h", h)
        self.rng = np.random.default_rng(seed)
        b = checked_ridge(features, b, weighted=False)
        super().__init__(
            features, n_classes, MarginRule(b, checked_margin(phi), 1.0, True, float(h))
        )
        self.dice = self._drawn(1)

    def _drawn(self, count: int) -> Array:
        return self.rng.random(count)
