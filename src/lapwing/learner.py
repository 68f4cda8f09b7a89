"""The contracts: what a model can be asked, and in which order.

Reading (`scores`, `predict`, `margin`, `queries`) never changes a model. A round of online
learning ends with exactly one `learn`, whose label is ``None`` when none was given.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
from scipy import sparse

from lapwing.types import UNKNOWN, Array, Index, Mask, Nodes


class Predictor(ABC):
    """Anything with one score a class for each node."""

    @property
    @abstractmethod
    def n_classes(self) -> int:
        """How many classes are known so far."""

    @abstractmethod
    def scores(self, nodes: Index) -> Array:
        """Scores of shape ``(n_classes,)`` for one node, ``(m, n_classes)`` for m."""

    def predict(self, nodes: Index) -> Nodes:
        """The class of the largest score; `UNKNOWN` for a node about which nothing is known."""
        return decided(self.scores(nodes))


class Classifier(Predictor):
    """A batch learner: all known labels at once.

    Labels are class indices, one a node (`UNKNOWN`: none is known), or, where a node may have
    several classes, a 0/1 matrix with one row a node (a row of zeros: none is known).
    """

    @abstractmethod
    def fit(self, nodes: Nodes, labels: Nodes | sparse.csr_array) -> Self:
        """Learn from these nodes' labels, forgetting any before."""

    def predict_proba(self, nodes: Index) -> Array:
        """A probability a class, rows summing to 1; all zero for a node nothing is known about."""
        return shares(self.scores(nodes))


class Learner(Predictor):
    """An online learner: one node a round."""

    def queries(self, node: int) -> bool:  # noqa: ARG002 - selective samplers override it
        """Whether the learner wants this node's label."""
        return True

    @abstractmethod
    def learn(self, node: int, label: int | None) -> None:
        """End a round: learn this node's label, or that none was given."""

    def stream(self, nodes: Nodes, labels: Nodes, *, always: bool = False) -> Trace:
        """Play rounds over a recorded stream; learners with a compiled loop override this.

        `labels` holds one class index a round. The label is shown where the learner queries,
        or in every round with `always`.
        """
        guesses = np.full(len(nodes), UNKNOWN, dtype=np.intp)
        queried = np.zeros(len(nodes), dtype=bool)
        for t, (node, label) in enumerate(zip(nodes.tolist(), labels.tolist(), strict=True)):
            guesses[t] = self.predict(node)
            queried[t] = always or self.queries(node)
            self.learn(node, label if queried[t] else None)
        return Trace(guesses=guesses, queried=queried)


class BinaryLearner(ABC):
    """An online learner of labels -1 and +1, written as its paper writes it."""

    @abstractmethod
    def margin(self, nodes: Index) -> Array:
        """Signed confidence in +1, one number a node."""

    def queries(self, node: int) -> bool:  # noqa: ARG002 - selective samplers override it
        """Whether the learner wants this node's label."""
        return True

    @abstractmethod
    def learn(self, node: int, label: int | None) -> None:
        """End a round: learn this node's label, -1 or +1, or that none was given."""

    def stream(self, nodes: Nodes, labels: Nodes, shown: Mask | None = None) -> BinaryTrace:
        """Play rounds over a recorded stream; learners with a compiled loop override this.

        `labels` holds -1 or +1 a round; a label is given where the learner queries it and
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


class BanditLearner(ABC):
    """An online learner told only whether its guess was right."""

    @abstractmethod
    def predict(self, node: int) -> int:
        """The guess for this node; randomness was drawn at the end of the last `learn`."""

    @abstractmethod
    def learn(self, node: int, guess: int, correct: bool) -> None:
        """End a round: the guess made and the one bit that came back."""

    def stream(self, nodes: Nodes, labels: Nodes, *, tries: int = 1) -> Trace:
        """Play rounds over a recorded stream; learners with a compiled loop override this.

        `labels` holds one class index a round, from which the one bit is made. A rejected guess
        is followed by another for the same node, up to `tries` a round; the trace's guess is a
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


@dataclass(frozen=True, slots=True)
class BinaryTrace:
    """What a binary learner did over a stream: margins before learning, queries, updates."""

    margins: Array
    queried: Mask
    updated: Mask | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """What happened over a stream, one entry a round.

    `class_queries`, `binary_mistakes` and `updates` count, in each round, the one-vs-rest
    problems that asked, that were wrong, and the updates made; `tries` counts the guesses of a
    round in which a bandit may guess again. None where a learner has no such notion.
    """

    guesses: Nodes
    queried: Mask
    class_queries: Nodes | None = None
    binary_mistakes: Nodes | None = None
    updates: Nodes | None = None
    tries: Nodes | None = None

    @classmethod
    def joined(cls, traces: Sequence[Trace]) -> Self:
        """One trace of several that follow each other; what one of them lacks, all lack."""

        def column(name: str) -> Any:
            parts = [getattr(trace, name) for trace in traces]
            return None if any(part is None for part in parts) else np.concatenate(parts)

        return cls(**{field.name: column(field.name) for field in fields(cls)})


def decided(scores: Array) -> Nodes:
    """The arg-max of each row; `UNKNOWN` where a row is empty, all zero or not a number.

    Examples
    --------
    >>> decided(np.array([[0.1, 0.3], [0.0, 0.0], [-2.0, -1.0]]))
    array([ 1, -1,  1])
    """
    if scores.shape[-1] == 0:
        return np.full(scores.shape[:-1], UNKNOWN, dtype=np.intp)
    known = (scores != 0).any(axis=-1) & ~np.isnan(scores).any(axis=-1)
    return np.where(known, np.argmax(scores, axis=-1), UNKNOWN)


def shares(scores: Array) -> Array:
    """Each row of scores that are not negative over its sum; a row of zeros stays.

    Examples
    --------
    >>> shares(np.array([[1.0, 3.0], [0.0, 0.0]])).tolist()
    [[0.25, 0.75], [0.0, 0.0]]
    """
    total = scores.sum(axis=-1, keepdims=True)
    return np.asarray(np.divide(scores, total, out=np.zeros_like(scores), where=total > 0))


def top_classes(scores: Array, counts: Nodes) -> Array:
    """0/1: the best classes of each row, as many as `counts` says; none where nothing is known.

    Of classes with the same score the first come first.

    Examples
    --------
    >>> top_classes(np.array([[0.1, 0.7, 0.2], [0.0, 0.0, 0.0]]), np.array([2, 1])).tolist()
    [[0.0, 1.0, 1.0], [0.0, 0.0, 0.0]]
    """
    order = np.argsort(-scores, axis=1, kind="stable")
    chosen = np.arange(scores.shape[1]) < np.asarray(counts)[:, None]
    chosen &= (decided(scores) != UNKNOWN)[:, None]
    best = np.zeros(scores.shape)
    np.put_along_axis(best, order, chosen.astype(float), axis=1)
    return best
