"""The contracts of learners and classifiers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Self, overload

import numpy as np
from scipy import sparse

from lapwing.learner.decisions import decided, probabilities
from lapwing.learner.described import Described
from lapwing.learner.traces import BinaryTrace, Trace
from lapwing.types import UNKNOWN, Array, Index, Mask, Nodes


class Predictor(Described, ABC):
    """Anything that gives each node one score per class."""

    signed: bool = False
    """Whether scores are margins, negative against a class; otherwise none is negative."""

    @property
    @abstractmethod
    def n_classes(self) -> int:
        """How many classes are known so far."""

    @abstractmethod
    def scores(self, nodes: Index) -> Array:
        """Scores of shape ``(n_classes,)`` for one node, ``(m, n_classes)`` for m."""

    @overload
    def predict(self, nodes: int) -> int: ...
    @overload
    def predict(self, nodes: Nodes) -> Nodes: ...
    def predict(self, nodes: Index) -> int | Nodes:
        """The class of the largest score; `UNKNOWN` for a node about which nothing is known."""
        found = decided(self.scores(nodes))
        return found if found.ndim else int(found)

    def predict_proba(self, nodes: Index) -> Array:
        """One probability per class, summing to 1; all zero where nothing is known.

        Calibrated where a model can be; otherwise the scores, normalised by
        `lapwing.learner.probabilities`.
        """
        return probabilities(self.scores(nodes), signed=self.signed)


class Classifier(Predictor):
    """A batch learner: all known labels at once.

    Labels are class indices, one per node (`UNKNOWN`: none is known), or, where a node may have
    several classes, a 0/1 matrix with one row per node (a row of zeros: none is known).
    """

    @abstractmethod
    def fit(self, nodes: Nodes, labels: Nodes | sparse.csr_array) -> Self:
        """Learn from these nodes' labels, forgetting any before."""


class Learner(Predictor):
    """An online learner: one node per round."""

    def queries(self, node: int) -> bool:  # noqa: ARG002 - selective samplers override it
        """Whether the learner wants this node's label."""
        return True

    @abstractmethod
    def learn(self, node: int, label: int | None) -> None:
        """End a round: learn this node's label, or that none was given."""

    def stream(self, nodes: Nodes, labels: Nodes, *, always: bool = False) -> Trace:
        """Play rounds over a recorded stream; learners with a compiled loop override this.

        `labels` holds one class index per round. The label is shown where the learner queries,
        or in every round with `always`.
        """
        guesses = np.full(len(nodes), UNKNOWN, dtype=np.intp)
        queried = np.zeros(len(nodes), dtype=bool)
        for t, (node, label) in enumerate(zip(nodes.tolist(), labels.tolist(), strict=True)):
            guesses[t] = self.predict(node)
            queried[t] = always or self.queries(node)
            self.learn(node, label if queried[t] else None)
        return Trace(guesses=guesses, queried=queried)


class BinaryLearner(Described, ABC):
    """An online learner of labels -1 and +1, written as its paper writes it."""

    @abstractmethod
    def margin(self, nodes: Index) -> Array:
        """Signed confidence in +1, one number per node."""

    def queries(self, node: int) -> bool:  # noqa: ARG002 - selective samplers override it
        """Whether the learner wants this node's label."""
        return True

    @abstractmethod
    def learn(self, node: int, label: int | None) -> None:
        """End a round: learn this node's label, -1 or +1, or that none was given."""

    def stream(self, nodes: Nodes, labels: Nodes, shown: Mask | None = None) -> BinaryTrace:
        """Play rounds over a recorded stream; learners with a compiled loop override this.

        `labels` holds -1 or +1 per round; a label is given where the learner queries it and
        `shown` (everywhere, when None) allows it.
        """
        margins = np.empty(len(nodes))
        queried = np.zeros(len(nodes), dtype=bool)
        for t, (node, label) in enumerate(zip(nodes.tolist(), labels.tolist(), strict=True)):
            margins[t] = self.margin(node)
            queried[t] = self.queries(node)
            given = queried[t] and (shown is None or shown[t])
            self.learn(node, label if given else None)
        return BinaryTrace(margins, queried)


class BanditLearner(Predictor):
    """An online learner told only whether its guess was right.

    `scores` and `predict_proba` are what it believes; `predict` may explore.
    """

    signed = True

    @abstractmethod
    def _guess(self, node: int) -> int:
        """The guess for one node; randomness was drawn at the end of the last `learn`."""

    @overload
    def predict(self, nodes: int) -> int: ...
    @overload
    def predict(self, nodes: Nodes) -> Nodes: ...
    def predict(self, nodes: Index) -> int | Nodes:
        """The guess for one node, or for each of many as if it came next."""
        if np.ndim(nodes) == 0:
            return self._guess(int(nodes))
        return np.array([self._guess(node) for node in np.asarray(nodes).tolist()], dtype=np.intp)

    @abstractmethod
    def learn(self, node: int, guess: int, correct: bool) -> None:
        """End a round: the guess made and the one bit that came back."""

    def stream(self, nodes: Nodes, labels: Nodes, *, tries: int = 1) -> Trace:
        """Play rounds over a recorded stream; learners with a compiled loop override this.

        `labels` holds one class index per round, from which the one bit is made. A rejected guess
        is followed by another for the same node, up to `tries` per round; the trace's guess is a
        round's first, its `tries` how many there were. `queried` is true in every round.
        """
        guesses = np.full(len(nodes), UNKNOWN, dtype=np.intp)
        tried = np.zeros(len(nodes), dtype=np.intp)
        for t, (node, label) in enumerate(zip(nodes.tolist(), labels.tolist(), strict=True)):
            guess = UNKNOWN
            while tried[t] < tries and guess != label:
                guess = self.predict(node)
                self.learn(node, guess, guess == label)
                guesses[t] = guess if tried[t] == 0 else guesses[t]
                tried[t] += 1
        return Trace(guesses=guesses, queried=np.ones(len(nodes), dtype=bool), tries=tried)
