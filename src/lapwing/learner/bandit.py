"""The contract of learners that only hear whether a guess was right."""

from __future__ import annotations

from abc import abstractmethod
from typing import overload

import numpy as np

from lapwing.checks import (
    many_labels,
    many_nodes,
    node_or_nodes,
    one_label,
    one_node,
    true_or_false,
    whole_number,
)
from lapwing.learner.decisions import probabilities
from lapwing.learner.predictor import Predictor
from lapwing.learner.traces import Trace
from lapwing.types import UNKNOWN, Array, Index, Nodes


class BanditLearner(Predictor):
    """An online learner that only hears whether its guess was right.

    `scores` and `predict_proba` are what it believes; `predict` may explore. Public verbs check
    what they are given and call the verb with an underscore that an algorithm provides: `_scores`,
    `_guess`, `_learn`, and `_stream` where it has its own.
    """

    signed = True
    n_nodes: int
    """Nodes are the integers from 0 to one less."""

    def scores(self, nodes: Index) -> Array:
        return self._scores(node_or_nodes(nodes, self.n_nodes))

    def predict_proba(self, nodes: Index) -> Array:
        return probabilities(self.scores(nodes), signed=self.signed)

    @overload
    def predict(self, nodes: int) -> int: ...
    @overload
    def predict(self, nodes: Nodes) -> Nodes: ...
    def predict(self, nodes: Index) -> int | Nodes:
        """The guess for one node, or for each of many as if it came next.

        Randomness was drawn at the end of the last `learn`: reading again gives the same guess.
        """
        wanted = node_or_nodes(nodes, self.n_nodes)
        if isinstance(wanted, int):
            return self._guess(wanted)
        return np.array([self._guess(node) for node in wanted.tolist()], dtype=np.intp)

    def learn(self, node: int, guess: int, correct: bool) -> None:
        """End a round: the guess made and the one bit that came back."""
        node, guess = one_node(node, self.n_nodes), one_label(guess, self.n_classes)
        self._learn(node, guess, true_or_false("correct", correct))

    def stream(self, nodes: Nodes, labels: Nodes, *, tries: int = 1) -> Trace:
        """Play rounds over a recorded stream.

        `labels` holds one class index per round, from which the one bit is made. A rejected guess
        is followed by another for the same node, up to `tries` per round; the trace's guess is a
        round's first, its `tries` how many there were. `queried` is true in every round.
        """
        nodes = many_nodes(nodes, self.n_nodes)
        labels = many_labels(labels, self.n_classes, length=len(nodes))
        return self._stream(nodes, labels, tries=whole_number("tries", tries, 1))

    @abstractmethod
    def _scores(self, nodes: Index) -> Array:
        """Beliefs about one node or about many."""

    @abstractmethod
    def _guess(self, node: int) -> int:
        """The guess for one node."""

    @abstractmethod
    def _learn(self, node: int, guess: int, correct: bool) -> None:
        """Learn whether this guess was right."""

    def _stream(self, nodes: Nodes, labels: Nodes, *, tries: int) -> Trace:
        """The verbs, one by one; learners with a compiled loop override this."""
        guesses = np.full(len(nodes), UNKNOWN, dtype=np.intp)
        tried = np.zeros(len(nodes), dtype=np.intp)
        for t, (node, label) in enumerate(zip(nodes.tolist(), labels.tolist(), strict=True)):
            guess = UNKNOWN
            while tried[t] < tries and guess != label:
                guess = self._guess(node)
                self._learn(node, guess, guess == label)
                guesses[t] = guess if tried[t] == 0 else guesses[t]
                tried[t] += 1
        return Trace(guesses=guesses, queried=np.ones(len(nodes), dtype=bool), tries=tried)
