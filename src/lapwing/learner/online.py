"""The contracts of learners that see one label at a time.

Each public verb checks what it is given, once, and then calls the verb of the same name with an
underscore, which an algorithm provides. Learners made of others call those unchecked verbs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from lapwing.checks import (
    many_labels,
    many_nodes,
    many_signs,
    node_or_nodes,
    one_label,
    one_node,
    one_sign,
)
from lapwing.errors import InputError
from lapwing.learner.decisions import decided, probabilities
from lapwing.learner.described import Described
from lapwing.learner.growth import MayGrow
from lapwing.learner.predictor import Predictor
from lapwing.learner.traces import BinaryTrace, Trace
from lapwing.types import UNKNOWN, Array, Index, Mask, Nodes


class Learner(Predictor):
    """An online learner: one node per round.

    An algorithm sets `n_nodes` and provides `n_classes`, `_scores` and `_learn`; `_queries`,
    `_predict_proba` and `_stream` where it has its own.
    """

    n_nodes: int
    """Nodes are the integers from 0 to one less."""
    fixed_classes: int | None = None
    """How many classes there are; None lets classes appear with their first labels."""

    def scores(self, nodes: Index) -> Array:
        return self._scores(node_or_nodes(nodes, self.n_nodes))

    def predict_proba(self, nodes: Index) -> Array:
        return self._predict_proba(node_or_nodes(nodes, self.n_nodes))

    def queries(self, node: int) -> bool:
        """Whether the learner wants this node's label."""
        return self._queries(one_node(node, self.n_nodes))

    def learn(self, node: int, label: int | None) -> None:
        """End a round: learn this node's label, or that none was given."""
        node = one_node(node, self.n_nodes)
        self._learn(node, None if label is None else one_label(label, self.fixed_classes))
        self.labels_learned += label is not None

    def stream(self, nodes: Nodes, labels: Nodes, *, always: bool = False) -> Trace:
        """Play rounds over a recorded stream.

        `labels` holds one class index per round. The label is shown where the learner queries,
        or in every round with `always`.
        """
        nodes = many_nodes(nodes, self.n_nodes)
        labels = many_labels(labels, self.fixed_classes, length=len(nodes))
        trace = self._stream(nodes, labels, always=bool(always))
        self.labels_learned += int(trace.queried.sum())
        return trace

    @abstractmethod
    def _scores(self, nodes: Index) -> Array:
        """Scores of one node or of many."""

    def _predict_proba(self, nodes: Index) -> Array:
        return probabilities(self._scores(nodes), signed=self.signed)

    def _queries(self, node: int) -> bool:  # noqa: ARG002 - selective samplers override it
        return True

    @abstractmethod
    def _learn(self, node: int, label: int | None) -> None:
        """Learn this node's label, or that none was given."""

    def _stream(self, nodes: Nodes, labels: Nodes, *, always: bool) -> Trace:
        """The verbs, one by one; learners with a compiled loop override this."""
        guesses = np.full(len(nodes), UNKNOWN, dtype=np.intp)
        queried = np.zeros(len(nodes), dtype=bool)
        for t, (node, label) in enumerate(zip(nodes.tolist(), labels.tolist(), strict=True)):
            guesses[t] = decided(self._scores(node))
            queried[t] = always or self._queries(node)
            self._learn(node, label if queried[t] else None)
        return Trace(guesses=guesses, queried=queried)


class BinaryLearner(Described, MayGrow, ABC):
    """An online learner of labels -1 and +1, written as its paper writes it.

    An algorithm sets `n_nodes` and provides `_margin` and `_learn`; `_queries` and `_stream` where
    it has its own.
    """

    n_nodes: int
    """Nodes are the integers from 0 to one less."""

    def margin(self, nodes: Index) -> Array:
        """Signed confidence in +1, one number per node."""
        return self._margin(node_or_nodes(nodes, self.n_nodes))

    def queries(self, node: int) -> bool:
        """Whether the learner wants this node's label."""
        return self._queries(one_node(node, self.n_nodes))

    def learn(self, node: int, label: int | None) -> None:
        """End a round: learn this node's label, -1 or +1, or that none was given."""
        node = one_node(node, self.n_nodes)
        self._learn(node, None if label is None else one_sign(label))
        self.labels_learned += label is not None

    def stream(self, nodes: Nodes, labels: Nodes, shown: Mask | None = None) -> BinaryTrace:
        """Play rounds over a recorded stream.

        `labels` holds -1 or +1 per round; a label is given where the learner queries it and
        `shown` (everywhere, when None) allows it.
        """
        nodes = many_nodes(nodes, self.n_nodes)
        labels = many_signs(labels, length=len(nodes))
        if shown is not None and (shown.dtype != np.bool_ or shown.shape != nodes.shape):
            raise InputError(f"shown must be one boolean per round, got shape {shown.shape}")
        trace = self._stream(nodes, labels, shown)
        given = trace.queried if shown is None else trace.queried & shown
        self.labels_learned += int(given.sum())
        return trace

    @abstractmethod
    def _margin(self, nodes: Index) -> Array:
        """Margins of one node or of many."""

    def _queries(self, node: int) -> bool:  # noqa: ARG002 - selective samplers override it
        return True

    @abstractmethod
    def _learn(self, node: int, label: int | None) -> None:
        """Learn this node's label, or that none was given."""

    def _stream(self, nodes: Nodes, labels: Nodes, shown: Mask | None) -> BinaryTrace:
        """The verbs, one by one; learners with a compiled loop override this."""
        margins = np.empty(len(nodes))
        queried = np.zeros(len(nodes), dtype=bool)
        for t, (node, label) in enumerate(zip(nodes.tolist(), labels.tolist(), strict=True)):
            margins[t] = self._margin(node)
            queried[t] = self._queries(node)
            given = queried[t] and (shown is None or shown[t])
            self._learn(node, label if given else None)
        return BinaryTrace(margins, queried)
