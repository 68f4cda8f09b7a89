"""Learning with local and global consistency (Zhou et al. 2003)."""

from __future__ import annotations

from lapwing.batch.diffusion.restarts import RestartingWalk, Restarts
from lapwing.batch.known_labels import KnownLabels
from lapwing.checks import strictly_between
from lapwing.graph import Graph


class LGC(RestartingWalk):
    """Spread labels over the edges, a share alpha at each step, until convergence.

    The fixed point of F = alpha S F + Y, that is (I - alpha S) F = Y with S = D^-1/2 A D^-1/2 and
    Y the labels, by Chebyshev's iteration: about sqrt(1 / (1 - alpha)) passes over the edges per
    digit and class. `Spreading` is the same fixed point with scikit-learn's scale and a coarser
    tolerance; `restarted` shows how the methods of this family differ.

    Parameters
    ----------
    alpha:
        Between 0 and 1; 0.99 in the paper. 0.9 is better on citation graphs: with 0.99 the largest
        class takes nearly all nodes, unless `balanced`.
    balanced:
        Whether each class starts with the same total, 1, regardless of its number of labels.
    tol:
        The error of the solution at which to stop.

    References
    ----------
    Zhou, Bousquet, Lal, Weston, Schölkopf. Learning with local and global consistency. NIPS 2003.

    Examples
    --------
    >>> import numpy as np
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> LGC(graph).fit([0, 5], [0, 1]).predict(np.arange(6))
    array([0, 0, 0, 1, 1, 1])
    """

    def __init__(
        self,
        graph: Graph,
        n_classes: int | None = None,
        *,
        alpha: float = 0.9,
        balanced: bool = False,
        tol: float = 1e-8,
    ) -> None:
        super().__init__(graph, n_classes)
        strictly_between("alpha", alpha, 0, 1)
        self.alpha = alpha
        self.balanced = balanced
        self.tol = tol

    def restarts(self, known: KnownLabels) -> Restarts:
        labels = known.scaled(per_class=self.balanced)
        return Restarts(labels, self.alpha, self.tol, start=0.5, end=0.5)
