"""Labels spread as heat does (Chung 2007)."""

from __future__ import annotations

import numpy as np

from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.diffusion.transition import transition
from lapwing.batch.known_labels import KnownLabels
from lapwing.checks import strictly_between
from lapwing.graph import Graph
from lapwing.types import Array


class HeatKernel(GraphClassifier):
    """Let each class's labels spread as heat for a time rho; the warmest class wins.

    h = exp(-rho (I - P)) s = e^-rho (s + rho P s + rho^2/2! P^2 s + ...), P = D^-1 A, s the 0/1
    labels of a class: the chance that a walk with a Poisson(rho) number of steps ends at a
    label of that class. The series is cut where a walk is that long with a chance below `tol`. A
    term costs one pass over the edges per class.

    Parameters
    ----------
    rho:
        The time; 5 as Ye et al. 2017 use it.
    balanced:
        Whether each class starts with the same amount of heat, however many labels it has.

    Departures: the text of Ye et al. prints exp(-rho (I - P^-1)), a slip: its own series is that
    of exp(-rho (I - P)), which this is.

    References
    ----------
    Chung. The heat kernel as the pagerank of a graph. PNAS 2007.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> HeatKernel(graph).fit([0, 5], [0, 1]).predict(np.arange(6))
    array([0, 0, 0, 1, 1, 1])
    """

    def __init__(
        self,
        graph: Graph,
        n_classes: int | None = None,
        *,
        rho: float = 5.0,
        balanced: bool = False,
        tol: float = 1e-12,
    ) -> None:
        super().__init__(graph, n_classes)
        strictly_between("rho", rho, 0, 500)
        self.rho = rho
        self.balanced = balanced
        self.tol = tol

    def _learned(self, known: KnownLabels) -> Array:
        term = known.spread()
        if self.balanced:
            term /= term.sum(axis=0)
        term *= np.exp(-self.rho)
        step, heat = transition(self.graph), term.copy()
        chance, hop = np.exp(-self.rho), 0
        while hop <= self.rho or chance > self.tol:
            hop += 1
            chance *= self.rho / hop
            term = (self.rho / hop) * (step @ term)
            heat += term
        return heat
