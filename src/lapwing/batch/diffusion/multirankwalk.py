"""Personalised PageRank from each class's labels (Lin and Cohen 2010)."""

from __future__ import annotations

from lapwing.batch.diffusion.restarts import RestartingWalk, Restarts
from lapwing.batch.known_labels import KnownLabels
from lapwing.checks import strictly_between
from lapwing.graph import Graph


class MultiRankWalk(RestartingWalk):
    """Random walks with restarts from each class's labels; the most frequent visitor wins.

    r = (1 - damping) s + damping A D^-1 r, s uniform over the class's labels. `PageRank` looks
    the other way: its walks start at each node and end at labels, so it divides by degrees instead
    of following them; `restarted` shows how the methods of this family differ.

    Parameters
    ----------
    damping:
        Probability of walking on instead of restarting; 0.85 in Lin and Cohen.
    tol:
        The error of the solution at which to stop.

    References
    ----------
    Lin, Cohen. Semi-supervised classification of network data using very few labels. ASONAM 2010.

    Examples
    --------
    >>> import numpy as np
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> MultiRankWalk(graph).fit([0, 5], [0, 1]).predict(np.arange(6))
    array([0, 0, 0, 1, 1, 1])
    """

    def __init__(
        self,
        graph: Graph,
        n_classes: int | None = None,
        *,
        damping: float = 0.85,
        tol: float = 1e-8,
    ) -> None:
        super().__init__(graph, n_classes)
        strictly_between("damping", damping, 0, 1)
        self.damping = damping
        self.tol = tol

    def restarts(self, known: KnownLabels) -> Restarts:
        labels = known.scaled(1.0 - self.damping, per_class=True)
        return Restarts(labels, self.damping, self.tol, start=1.0, end=1.0)
