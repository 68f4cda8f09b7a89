"""The contracts of learners and classifiers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Self, overload

from scipy import sparse

from lapwing.learner.decisions import decided, probabilities
from lapwing.learner.described import Described
from lapwing.learner.growth import MayGrow
from lapwing.types import Array, Index, Nodes


class Predictor(Described, MayGrow, ABC):
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
