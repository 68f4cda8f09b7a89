"""Personalised PageRank from each class's labels (Lin and Cohen 2010)."""

from __future__ import annotations

import numpy as np

from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.diffusion.solved_systems import solved
from lapwing.batch.diffusion.transition import inverse_degrees, symmetric_transition
from lapwing.batch.known_labels import KnownLabels
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.types import Array


class MultiRankWalk(GraphClassifier):
    """Walk with restarts from each class's labels; a node goes to the class that visits it most.

    r = (1 - damping) s + damping A D^-1 r, s uniform over the class's labels. With
    r = D^1/2 z this is (I - damping S) z = (1 - damping) D^-1/2 s, symmetric, and solved by
    conjugate gradients.

    Parameters
    ----------
    damping:
        The chance to walk on instead of restarting; 0.85 as Lin and Cohen have it.
    tol:
        The solver's relative residual.

    References
    ----------
    Lin, Cohen. Semi-supervised classification of network data using very few labels. ASONAM 2010.

    Examples
    --------
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
        if not 0 < damping < 1:
            raise InputError(f"damping must lie between 0 and 1, got {damping}")
        self.damping = damping
        self.tol = tol

    def _learned(self, known: KnownLabels) -> Array:
        restart = known.spread()
        restart /= restart.sum(axis=0)
        alone = self.graph.degrees == 0
        step = symmetric_transition(self.graph)
        right = (1.0 - self.damping) * inverse_degrees(self.graph, 0.5)[:, None] * restart
        found = solved(lambda z: z - self.damping * (step @ z), right, tol=self.tol)
        visits = np.sqrt(self.graph.degrees)[:, None] * np.maximum(found, 0.0)
        visits[alone] = restart[alone]
        return visits
