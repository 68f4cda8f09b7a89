"""The base class of bandits on rows: rejected guesses, ties, dice and the stream."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from lapwing.bandit.rows.guesses import Tally, blank_tally, heard
from lapwing.errors import InputError
from lapwing.learner import (
    BanditLearner,
    Feedback,
    GrowsWithRows,
    Trace,
    longer_feedback,
    no_feedback,
)
from lapwing.linalg.products import row_products
from lapwing.types import UNKNOWN, Array, Index, Mask, Nodes


class RowBandit(BanditLearner, GrowsWithRows):
    """A bandit over rows that never repeats a rejected guess.

    A class rejected for a node is not guessed for that node again, so after a "no" you can ask for
    the next guess at once. If all classes were rejected, the feedback is contradictory and all can
    be guessed again. Ties, in particular before anything is learned, are broken by a random order
    of the classes.

    Attributes
    ----------
    n_guesses, n_second_guesses, n_updates
        The number of guesses learned from, of those for a node that had rejected one before, and of
        those that changed the weights.
    weights
        One row per class, ``(K, d)``.
    """

    def __init__(self, features: Array, n_classes: int | None, *, seed: int) -> None:
        if n_classes is None or n_classes < 2:
            raise InputError(f"n_classes of a bandit must be at least 2, got {n_classes}")
        self.features = np.ascontiguousarray(features, dtype=np.float64)
        n, d = self.features.shape
        self.n_nodes = n
        self.rng = np.random.default_rng(seed)
        self.tie_order = self.rng.permutation(n_classes)
        self._feedback = no_feedback(n, n_classes)
        self.weights = np.zeros((n_classes, d))
        self.n_guesses = self.n_second_guesses = self.n_updates = 0
        self.dice = self._drawn(1)[0]

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return len(self.weights)

    @property
    def feedback(self) -> Feedback:
        return self._feedback

    @property
    def rejected(self) -> Mask:
        """The classes that each node rejected, ``(n, K)``."""
        return self._feedback.rejected

    def _take_rows(self, rows: Array) -> None:
        self.features, self.n_nodes = rows, len(rows)
        self._feedback = longer_feedback(self._feedback, self.n_nodes)

    def _scores(self, nodes: Index) -> Array:
        many = np.atleast_1d(np.asarray(nodes, dtype=np.intp))
        scores = row_products(self.features, many, self.weights)
        return np.asarray(scores[0] if np.ndim(nodes) == 0 else scores)

    def _answer_scores(self, nodes: Nodes) -> Array:
        """The sums of the inner products with the answered nodes of each class."""
        answers = self._feedback.answers
        told = np.flatnonzero(answers != UNKNOWN)
        sums = np.zeros_like(self.weights)
        np.add.at(sums, answers[told], self.features[told])
        return np.asarray(row_products(self.features, nodes, sums))

    def _learn(self, node: int, guess: int, correct: bool) -> None:
        self.n_guesses += 1
        self.n_second_guesses += bool(self.rejected[node].any())
        self.n_updates += bool(self._learned(node, guess, correct))
        heard(self._feedback, node, guess, correct)
        self.dice = self._drawn(1)[0]

    def _stream(self, nodes: Nodes, labels: Nodes, *, tries: int) -> Trace:
        start = self.rng.bit_generator.state
        dice = np.concatenate([self.dice[None], self._drawn(len(nodes) * tries)])
        tally = blank_tally(len(nodes))
        self._rounds(nodes, labels, tries, dice, tally)
        used = int(tally.tries.sum())
        self.rng.bit_generator.state = start
        self.dice = np.concatenate([self.dice[None], self._drawn(used)])[-1]
        self.n_guesses += used
        self.n_second_guesses += int(tally.again[0])
        self.n_updates += int(tally.updates.sum())
        every = np.ones(len(nodes), dtype=bool)
        return Trace(tally.guesses, every, updates=tally.updates, tries=tally.tries)

    @abstractmethod
    def _learned(self, node: int, guess: int, correct: bool) -> bool:
        """Learn from one bit and return whether the weights changed."""

    @abstractmethod
    def _rounds(self, nodes: Nodes, labels: Nodes, tries: int, dice: Array, tally: Tally) -> None:
        """Play the compiled stream and write the results to the tally."""

    def _drawn(self, count: int) -> Array:
        """Return dice for this many guesses, one row each; empty if the algorithm uses none."""
        return np.zeros((count, 0))
