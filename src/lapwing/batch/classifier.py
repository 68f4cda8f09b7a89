"""The base class of batch methods: checks labels and leaves unreachable nodes unknown."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np

from lapwing.batch.known_labels import KnownLabels, known_labels
from lapwing.checks import at_least, fits_in_memory
from lapwing.graph import Graph
from lapwing.graph.growth import Change
from lapwing.learner import CanGrow, Classifier, HowItGrows, decided, shares, softmax, within_reach
from lapwing.linalg.push.spare_space import lengthened
from lapwing.types import UNKNOWN, Array, Index, Mask

TABLES = 4
"""Tables of a number per node and class that every method holds at the same time."""
TIED = 1e-9
"""Scores that differ by less than this share of the largest count as equal."""


class GraphClassifier(Classifier, CanGrow):
    """Base class of batch methods; a subclass computes scores in `_learned`.

    Without labels, every node is unknown. A node in a component without a label is always unknown.
    If all labels of a component agree, its nodes get their class. A class without a label is never
    predicted. `signed` says whether scores are margins (probabilities are then their softmax) or
    non-negative amounts (probabilities are then their shares).
    """

    signed: bool = False

    def __init__(self, graph: Graph, n_classes: int | None = None) -> None:
        if n_classes is not None:
            at_least("n_classes", n_classes, 1)
        self.graph = graph
        self._given_classes = n_classes
        self._scores = np.zeros((graph.n_nodes, n_classes or 0))
        self._seen: Mask = np.zeros(n_classes or 0, dtype=bool)
        self._known: KnownLabels | None = None
        self._start: Array | None = None

    @property
    def n_classes(self) -> int:
        """The number of classes: as given, or one more than the largest label seen."""
        return int(self._scores.shape[1])

    @abstractmethod
    def _learned(self, known: KnownLabels) -> Array:
        """Return scores ``(n_nodes, n_classes)`` from labels of two or more classes."""

    def fit(self, nodes: Any, labels: Any) -> Self:
        known = known_labels(self.graph, nodes, labels, self._given_classes)
        fits_in_memory(
            f"scores of {self.graph.n_nodes:,} nodes for {known.n_classes:,} classes",
            8 * TABLES * self.graph.n_nodes * known.n_classes,
            "give fewer classes, or a smaller graph",
        )
        return self.fit_known(known)

    def fit_known(self, known: KnownLabels) -> Self:
        """Learn from labels that have been checked."""
        return self._fit(known)

    def fits(self, several: Sequence[KnownLabels]) -> Iterator[Self]:
        """Yield the method fitted to each of several sets of labels; each fit replaces the last.

        A method that solves one system with a right-hand side per class solves it once for all.
        """
        for known in several:
            yield self.fit_known(known)

    def _fit(self, known: KnownLabels, learned: Array | None = None) -> Self:
        """Learn; `learned` holds what `_learned` returns for the classes seen, if it is there."""
        self.labels_learned = len(known.nodes)
        scores = np.zeros((self.graph.n_nodes, known.n_classes))
        places, seen = self.graph.components, known.seen
        labels = np.bincount(places[known.nodes], minlength=self.graph.n_components)
        reached = within_reach(places, labels)
        if seen.sum() == 1:
            scores[np.ix_(reached, seen)] = 1.0
        elif seen.any():
            among = known.of_seen_classes()
            found = self._learned(among) if learned is None else learned
            learned = self._without_contradictions(found, among)
            scores[:, seen] = learned
            if self.signed and not seen.all():
                scores[:, ~seen] = learned.min(axis=1, keepdims=True) - 1.0
            scores[~reached] = 0.0
        self._scores, self._seen, self._known = scores, seen, known
        return self

    @property
    def n_nodes(self) -> int:  # type: ignore[override]  # follows the graph
        """The number of nodes."""
        return self.graph.n_nodes

    @property
    def grows(self) -> HowItGrows:
        return "by fitting again"

    def _grow(self, graph: Graph, change: Change) -> None:
        """Fit the known labels on the changed graph; an iterative solver starts from its result."""
        known, start = self._known, self._start
        self._begin_on(graph)
        if known is not None:
            self._start = None if start is None else lengthened(start, change.n_nodes)
            self.fit_known(KnownLabels(known.nodes, known.indicator, change.n_nodes))

    def _begin_on(self, graph: Graph) -> None:
        """Forget everything and begin on another graph with the same parameters."""
        shown, n_classes = self._shown, self._given_classes
        vars(self).clear()
        self._shown = shown
        own = {name: value for name, value in shown.items() if name != "n_classes"}
        type(self).__init__(self, graph, n_classes, **own)

    def _started(self, shape: tuple[int, ...]) -> Array | None:
        """Where an iterative solver may start: at its last result, if that has the same shape."""
        fits = self._start is not None and self._start.shape == shape
        return self._start if fits else None

    def _without_contradictions(self, scores: Array, known: KnownLabels) -> Array:
        """Return the scores, overridden where the labels leave no doubt.

        That is in a component whose labels all agree, and at a labelled node for which the method
        gives no score, or for which its own class is as good as the best.
        """
        given = scores[known.nodes]
        size, certain = certain_labels(given, known.indicator)
        decisions = KnownLabels(known.nodes, certain, known.n_nodes).spread()
        if self.graph.n_components > 1:
            decisions = np.maximum(decisions, known.verdicts(self.graph))
        clear = decisions.any(axis=1)
        chosen = decisions[clear]
        scores = np.array(scores, dtype=np.float64)
        scores[clear] = size * (2.0 * chosen - 1.0 if self.signed else chosen)
        return scores

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


def certain_labels(given: Array, indicator: Array) -> tuple[float, Array]:
    """Return the usual size of a score, and the labels that override the scores of their nodes.

    `given` are the scores at the labelled nodes, `indicator` their 0/1 labels. A label overrides
    scores that say nothing, and scores among which its class ties with the best.

    Examples
    --------
    >>> certain_labels(np.array([[0.5, 0.5], [0.2, 0.8]]), np.eye(2)[[1, 0]])
    (0.5, array([[0., 1.],
           [0., 0.]]))
    """
    size = float(np.abs(given).mean()) or 1.0
    best, own = given.max(axis=1), np.where(indicator > 0, given, -np.inf).max(axis=1)
    tied = own >= best - TIED * np.abs(given).max(axis=1)
    certain = indicator * tied[:, None]
    certain *= (indicator[np.arange(len(given)), np.argmax(given, axis=1)] == 0)[:, None]
    certain[decided(given) == UNKNOWN] = indicator[decided(given) == UNKNOWN]
    return size, certain
