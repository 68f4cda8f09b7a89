"""The mean probability of several calibrated methods."""

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
    """Average the calibrated probabilities of several methods.

    By default these are Poisson learning, which follows single edges, and a linear classifier on
    the smoothest eigenvectors, which follows the graph at large. Their blend is better than either
    on every graph on which it was measured. Each method is calibrated by cross-validation before
    averaging.

    Parameters
    ----------
    members: the methods, on this graph; None for the two above.
    n_folds, seed: number of folds and seed of the calibration.

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
            raise InputError("a blend must have at least one method, all of them on its own graph")
        self.members = list(chosen)
        self.n_folds, self.seed = n_folds, seed

    def _begin_on(self, graph: Graph) -> None:
        for member in self._shown["members"] or ():
            member.grow(graph)
        super()._begin_on(graph)

    def _learned(self, known: KnownLabels) -> Array:
        apart = [
            out_of_fold(member, known, n_folds=self.n_folds, seed=self.seed)
            for member in self.members
        ]
        return self.learned_from(known, apart)

    def held_out(self, known: KnownLabels, apart: Sequence[Array]) -> Array:
        """Return the blended probabilities of each label from the members' out-of-fold scores."""
        raised = self._logits(apart)
        return np.asarray(np.mean([calibration(r, known.indicator)(r) for r in raised], axis=0))

    def learned_from(self, known: KnownLabels, apart: Sequence[Array]) -> Array:
        """Return blended probabilities of all nodes; members are fitted once and calibrated.

        `apart` holds each member's out-of-fold scores of the labelled nodes.
        """
        for member in self.members:
            member.fit_known(known)
        everyone = np.arange(known.n_nodes)
        found = [
            calibration(held, known.indicator)(full)
            for held, full in zip(
                self._logits(apart),
                self._logits([member.scores(everyone) for member in self.members]),
                strict=True,
            )
        ]
        together = logits(self.held_out(known, apart), signed=False)
        sharpened = calibration(together, known.indicator)
        return sharpened(logits(np.mean(found, axis=0), signed=False))

    def _logits(self, scores: Sequence[Array]) -> list[Array]:
        pairs = zip(self.members, scores, strict=True)
        return [logits(one, signed=member.signed) for member, one in pairs]
