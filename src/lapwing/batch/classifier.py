"""What every batch method on a graph shares: labels checked, hopeless nodes left unknown."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

import numpy as np

from lapwing.batch.known_labels import KnownLabels, known_labels
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.learner import Classifier, shares, softmax
from lapwing.types import Array, Index, Mask


class GraphClassifier(Classifier):
    """Learns scores of all nodes at once; a method says only how, in `_learned`.

    No label at all: every node is unknown. One class seen: every node that a label reaches has
    it. A node in a component without a label is unknown, always. A class that nobody has never
    wins. `signed` says whether scores are margins (probabilities are then their softmax) or
    amounts that are not negative (probabilities are then their shares).
    """

    signed: bool = False

    def __init__(self, graph: Graph, n_classes: int | None = None) -> None:
        if n_classes is not None and n_classes < 1:
            raise InputError(f"n_classes must be at least 1, got {n_classes}")
        self.graph = graph
        self._given_classes = n_classes
        self._scores = np.zeros((graph.n_nodes, n_classes or 0))
        self._seen: Mask = np.zeros(n_classes or 0, dtype=bool)

    @property
    def n_classes(self) -> int:
        """How many classes there are: as given, or one more than the largest label seen."""
        return int(self._scores.shape[1])

    @abstractmethod
    def _learned(self, known: KnownLabels) -> Array:
        """Scores ``(n_nodes, n_classes)`` from labels of two classes or more, each seen."""

    def fit(self, nodes: Any, labels: Any) -> Self:
        known = known_labels(self.graph, nodes, labels, self._given_classes)
        scores = np.zeros((self.graph.n_nodes, known.n_classes))
        reached, seen = _reached(self.graph, known), known.seen
        if seen.sum() == 1:
            scores[np.ix_(reached, seen)] = 1.0
        elif seen.any():
            learned = self._learned(known.of_seen_classes())
            scores[:, seen] = learned
            if self.signed and not seen.all():
                scores[:, ~seen] = learned.min(axis=1, keepdims=True) - 1.0
            scores[~reached] = 0.0
        self._scores, self._seen = scores, seen
        return self

    def scores(self, nodes: Index) -> Array:
        chosen = self.graph.checked(nodes)
        return self._scores[chosen if np.ndim(nodes) else int(chosen[0])].copy()

    def predict_proba(self, nodes: Index) -> Array:
        scores = self.scores(nodes)
        if not self.signed:
            return shares(scores)
        chances = np.zeros_like(scores)
        chances[..., self._seen] = softmax(scores[..., self._seen])
        return chances


def _reached(graph: Graph, known: KnownLabels) -> Mask:
    """Which nodes lie in a component that has a label."""
    labelled = np.zeros(max(graph.n_components, 1), dtype=bool)
    labelled[graph.components[known.nodes]] = True
    return np.asarray(labelled[graph.components])
