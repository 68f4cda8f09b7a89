"""The method to use when you do not want to choose one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from lapwing.batch.calibration.calibrated import Calibrated
from lapwing.batch.calibration.probability_maps import out_of_fold
from lapwing.batch.chosen.blend import MethodBlend
from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.diffusion.laplace import Laplace
from lapwing.batch.diffusion.pagerank import PageRank
from lapwing.batch.diffusion.poisson import Poisson
from lapwing.batch.embedding.spectral import Spectral
from lapwing.batch.known_labels import KnownLabels
from lapwing.graph import Graph
from lapwing.learner import top_classes
from lapwing.types import Array

MOST_FOR_SPECTRUM = 200_000
Make = Callable[[Graph], GraphClassifier]


def _blend(graph: Graph) -> GraphClassifier:
    if graph.n_nodes <= MOST_FOR_SPECTRUM:
        return MethodBlend(graph)
    return MethodBlend(graph, members=[Poisson(graph), PageRank(graph)])


CANDIDATES: Mapping[str, Make] = {
    "blend": _blend,
    "poisson": Poisson,
    "spectral": Spectral,
    "laplace": Laplace,
    "pagerank": PageRank,
}
"""The methods tried, the one that wins ties first."""


class CrossValidated(GraphClassifier):
    """Picks a method by cross-validation on the labels given, and says why.

    Every candidate predicts each label from the others. The blend of Poisson learning and the
    low spectrum is taken unless another is right on clearly more of them: by more than two
    standard errors of the difference, label by label. The choice is then calibrated and
    learned from all labels. `why` tells what was found. With fewer than ten labels that can be
    held out the blend is taken unseen; more than 200,000 nodes are spared the spectrum.

    Parameters
    ----------
    n_folds: parts of the cross-validation.
    seed: of the split into parts.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> model = CrossValidated(graph).fit([0, 1, 4, 5], [0, 0, 1, 1])
    >>> model.predict(np.arange(6)), model.chosen, model.why
    (array([0, 0, 0, 1, 1, 1]), 'blend', '4 labels are too few to compare methods: blend')
    """

    def __init__(
        self, graph: Graph, n_classes: int | None = None, *, n_folds: int = 5, seed: int = 0
    ) -> None:
        super().__init__(graph, n_classes)
        self.n_folds, self.seed = n_folds, seed
        self.chosen, self.why = "", "nothing learned yet"

    def _learned(self, known: KnownLabels) -> Array:
        self.chosen, self.why = self._choice(known)
        model = CANDIDATES[self.chosen](self.graph)
        if self.chosen != "blend":
            model = Calibrated(model, n_folds=self.n_folds, seed=self.seed)
        return model.fit(known.nodes, known.indicator).predict_proba(np.arange(known.n_nodes))

    def _choice(self, known: KnownLabels) -> tuple[str, str]:
        usable = int((known.indicator.sum(axis=0) >= 2) @ known.indicator.sum(axis=0))
        if usable < 10:
            return "blend", f"{len(known.nodes)} labels are too few to compare methods: blend"
        right = {name: self._right(make, known) for name, make in self._candidates().items()}
        shares = {name: float(hits.mean()) for name, hits in right.items()}
        best = max(shares, key=lambda name: shares[name])
        lead = right[best] - right["blend"]
        error = float(lead.std() / np.sqrt(len(lead)))
        chosen = best if lead.mean() > 2.0 * error else "blend"
        table = ", ".join(f"{name} {share:.1%}" for name, share in shares.items())
        reason = "is best" if chosen == best else f"is within two standard errors of {best}"
        return chosen, f"right on held-out labels: {table}; {chosen} {reason}"

    def _candidates(self) -> Mapping[str, Make]:
        if self.graph.n_nodes <= MOST_FOR_SPECTRUM:
            return CANDIDATES
        return {name: make for name, make in CANDIDATES.items() if name != "spectral"}

    def _right(self, make: Make, known: KnownLabels) -> Array:
        """The share of each labelled node's true classes that it would have been given."""
        scores = out_of_fold(make(self.graph), known, n_folds=self.n_folds, seed=self.seed)
        named = top_classes(scores, known.counts) * known.indicator
        return np.asarray(named.sum(axis=1) / known.counts)
