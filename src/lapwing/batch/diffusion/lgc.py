"""Learning with local and global consistency (Zhou et al. 2003)."""

from __future__ import annotations

import numpy as np

from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.diffusion.solved_systems import solved
from lapwing.batch.diffusion.transition import symmetric_transition
from lapwing.batch.known_labels import KnownLabels
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.types import Array


class LGC(GraphClassifier):
    """Let labels flow over edges, a share alpha at each step, until nothing changes.

    The fixed point of F = alpha S F + Y, that is (I - alpha S) F = Y with S = D^-1/2 A D^-1/2 and
    Y the labels; solved by conjugate gradients, about sqrt(1 / (1 - alpha)) passes over the edges
    a digit and class.

    Parameters
    ----------
    alpha:
        Between 0 and 1; 0.99 in the paper. 0.9 is better on citation graphs: with 0.99 the
        largest class takes nearly all, unless `balanced`.
    balanced:
        Whether each class starts with the same amount, 1, however many labels it has.
    tol:
        The solver's relative residual.

    References
    ----------
    Zhou, Bousquet, Lal, Weston, Schölkopf. Learning with local and global consistency. NIPS 2003.

    Examples
    --------
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
        if not 0 < alpha < 1:
            raise InputError(f"alpha must lie between 0 and 1, got {alpha}")
        self.alpha = alpha
        self.balanced = balanced
        self.tol = tol

    def _learned(self, known: KnownLabels) -> Array:
        labels = known.spread()
        if self.balanced:
            labels /= labels.sum(axis=0)
        step = symmetric_transition(self.graph)
        found = solved(lambda f: f - self.alpha * (step @ f), labels, tol=self.tol)
        return np.maximum(found, 0.0)
