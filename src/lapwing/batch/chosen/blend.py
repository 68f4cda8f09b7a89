"""Several methods, each calibrated, and the mean of their probabilities."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lapwing.batch.calibration.probability_maps import calibration, logits, out_of_fold
from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.diffusion.poisson import Poisson
from lapwing.batch.embedding.spectral import Spectral
from lapwing.batch.known_labels import KnownLabels
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.types import Array


class MethodBlend(GraphClassifier):
    """The mean probability of methods that err in different places.

    By default Poisson learning, which follows single edges, and a linear classifier on the
    smoothest directions, which follows the graph at large: their blend is better than either on
    every graph it was measured on. Each is calibrated inside the labels before it is averaged.

    Parameters
    ----------
    members: the methods, on this graph; None for the two above.
    n_folds, seed: of the calibration.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> MethodBlend(graph).fit([0, 1, 4, 5], [0, 0, 1, 1]).predict(np.arange(6))
    array([0, 0, 0, 1, 1, 1])
    """

    def __init__(
        self,
        graph: Graph,
        n_classes: int | None = None,
        *,
        members: Sequence[GraphClassifier] | None = None,
        n_folds: int = 5,
        seed: int = 0,
    ) -> None:
        super().__init__(graph, n_classes)
        chosen = (Poisson(graph), Spectral(graph)) if members is None else members
        if not chosen or any(member.graph is not graph for member in chosen):
            raise InputError("a blend needs at least one method, all of them on its own graph")
        self.members = list(chosen)
        self.n_folds, self.seed = n_folds, seed

    def _learned(self, known: KnownLabels) -> Array:
        everyone = np.arange(known.n_nodes)
        held_out, found = [], []
        for member in self.members:
            apart = out_of_fold(member, known, n_folds=self.n_folds, seed=self.seed)
            apart = logits(apart, signed=member.signed)
            chances = calibration(apart, known.indicator)
            member.fit(known.nodes, known.indicator)
            held_out.append(chances(apart))
            found.append(chances(logits(member.scores(everyone), signed=member.signed)))
        together = logits(np.mean(held_out, axis=0), signed=False)
        sharpened = calibration(together, known.indicator)
        return sharpened(logits(np.mean(found, axis=0), signed=False))
