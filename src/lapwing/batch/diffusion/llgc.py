"""Learning with local and global consistency in the form of Gu et al. (2013), equation (2)."""

from __future__ import annotations

from typing import Literal

from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.known_labels import KnownLabels
from lapwing.checks import one_of, positive
from lapwing.graph import Graph
from lapwing.linalg import combinatorial_laplacian
from lapwing.linalg.solve.conjugate_gradients import solved
from lapwing.types import Array


class LLGC(GraphClassifier):
    """Fit the labels with a smooth function: the offline problem that OLLGC solves online.

    Minimises |f - y|^2 / 2 + mu f'Lf / 2 per class, that is (I + mu L) f = y with L = D - A; solved
    by conjugate gradients. Zhou's form, `LGC`, has the normalised Laplacian instead.

    Parameters
    ----------
    mu:
        Positive; larger is smoother. The paper searches 0.001 to 10 for its online form.
    tol:
        The solver's relative residual.
    unit:
        "mean" divides all weights by their mean, so that mu says the same on every graph; "own"
        takes them as they are, which is equation (2) to the letter.

    Notes
    -----
    Departures: the text has two classes, y +1, -1 or 0; with several, y is 1 for the class and 0
    otherwise, which gives the same largest class as +1 and -1, since the classes' sum is the same
    at a node. Weights are divided by their mean (`unit`); on a graph without weights that changes
    nothing.

    References
    ----------
    Gu, Aggarwal, Liu, Han. *Selective sampling on graphs for classification.* KDD 2013.

    Examples
    --------
    >>> import numpy as np
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> LLGC(graph).fit([0, 5], [0, 1]).predict(np.arange(6))
    array([0, 0, 0, 1, 1, 1])
    """

    def __init__(
        self,
        graph: Graph,
        n_classes: int | None = None,
        *,
        mu: float = 1.0,
        tol: float = 1e-8,
        unit: Literal["mean", "own"] = "mean",
    ) -> None:
        super().__init__(graph, n_classes)
        positive("mu", mu)
        one_of("unit", unit, ("mean", "own"))
        self.unit = unit
        self.mu = mu
        self.tol = tol

    def _learned(self, known: KnownLabels) -> Array:
        laplacian = combinatorial_laplacian(self.graph.adjacency)
        scaled = self.unit == "mean" and self.graph.n_edges > 0
        mu = self.mu / float(self.graph.adjacency.data.mean()) if scaled else self.mu
        scale = 1.0 / (1.0 + mu * laplacian.diagonal())[:, None]
        return solved(lambda f: f + mu * (laplacian @ f), known.spread(), tol=self.tol, scale=scale)
