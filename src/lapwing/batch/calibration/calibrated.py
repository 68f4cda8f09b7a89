"""Any batch method with calibrated probabilities."""

from __future__ import annotations

import numpy as np

from lapwing.batch.calibration.probability_maps import (
    CalibrationMethod,
    ProbabilityMap,
    calibration,
    logits,
    out_of_fold,
)
from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.known_labels import KnownLabels
from lapwing.checks import at_least
from lapwing.graph import Graph
from lapwing.learner import softmax
from lapwing.types import Array, Index


class Calibrated(GraphClassifier):
    """Calibrate the probabilities of another method on held-out labels.

    The inner method is fitted several times, each time without a part of the labels. The
    calibration is fitted to its predictions for that part, and the method is then fitted to all
    labels. No label is used to judge a prediction that it helped to make.

    Parameters
    ----------
    inner: the method, already on its graph, without a fixed number of classes.
    method: "temperature" (default, safest with few labels), "platt" or "isotonic".
    n_folds: number of folds, at least 2.
    seed: seed of the split into folds.

    Examples
    --------
    >>> from lapwing.batch.diffusion.poisson import Poisson
    >>> from lapwing.graph import Graph
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> model = Calibrated(Poisson(graph), n_folds=3).fit([0, 1, 2, 3, 4, 5], [0, 0, 0, 1, 1, 1])
    >>> bool(model.predict_proba(0)[0] > 0.8)
    True
    """

    signed = True

    def __init__(
        self,
        inner: GraphClassifier,
        n_classes: int | None = None,
        *,
        method: CalibrationMethod = "temperature",
        n_folds: int = 5,
        seed: int = 0,
    ) -> None:
        at_least("n_folds", n_folds, 2)
        super().__init__(inner.graph, n_classes)
        self.inner, self.method, self.n_folds, self.seed = inner, method, n_folds, seed
        self._map: ProbabilityMap = softmax

    def _begin_on(self, graph: Graph) -> None:
        inner = self.inner
        inner.grow(graph)
        shown, n_classes = self._shown, self._given_classes
        own = {name: value for name, value in shown.items() if name != "n_classes"}
        vars(self).clear()
        self._shown = shown
        self.__init__(inner, n_classes, **own)  # type: ignore[misc]  # begins again

    def _learned(self, known: KnownLabels) -> Array:
        held_out = out_of_fold(self.inner, known, n_folds=self.n_folds, seed=self.seed)
        raised = logits(held_out, signed=self.inner.signed)
        self._map = calibration(raised, known.indicator, self.method)
        self.inner.fit_known(known)
        scores = self.inner.scores(np.arange(known.n_nodes))
        return logits(scores, signed=self.inner.signed)

    def predict_proba(self, nodes: Index) -> Array:
        scores = self.scores(nodes)
        chances = np.zeros_like(scores)
        chances[..., self._seen] = self._map(scores[..., self._seen])
        return chances
