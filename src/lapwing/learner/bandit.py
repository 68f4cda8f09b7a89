"""The contract of learners that only hear whether a guess was right."""

from __future__ import annotations

from abc import abstractmethod
from typing import NamedTuple, overload

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
from lapwing.learner.decisions import decided, softmax
from lapwing.learner.predictor import Predictor
from lapwing.learner.traces import Trace
from lapwing.linalg.push.spare_space import lengthened
from lapwing.types import UNKNOWN, Array, Index, Mask, Nodes

_CHECKED = 1000
"""How many answered nodes at most are compared with the scores."""


class Feedback(NamedTuple):
    """What the nodes have answered: yes to one class, no to others.

    `rejected` (n, K) holds the classes that a node said no to; `answers` (n,) the class it said yes
    to, or the only one that it has not rejected, else `UNKNOWN`; `counts` (K,) the nodes that have
    each class as their answer.
    """

    rejected: Mask
    answers: Nodes
    counts: Nodes


def no_feedback(n_nodes: int, n_classes: int) -> Feedback:
    """Return the feedback before the first round.

    Examples
    --------
    >>> no_feedback(2, 3).answers
    array([-1, -1])
    """
    rejected = np.zeros((n_nodes, n_classes), dtype=bool)
    answers = np.full(n_nodes, UNKNOWN, dtype=np.intp)
    return Feedback(rejected, answers, np.zeros(n_classes, dtype=np.intp))


def longer_feedback(feedback: Feedback, n_nodes: int) -> Feedback:
    """Return the feedback with nodes added that have not answered anything.

    Examples
    --------
    >>> longer_feedback(no_feedback(2, 3), 4).answers
    array([-1, -1, -1, -1])
    """
    before = len(feedback.answers)
    answers = lengthened(feedback.answers, n_nodes)
    answers[before:] = UNKNOWN
    return Feedback(lengthened(feedback.rejected, n_nodes), answers, feedback.counts)


class BanditLearner(Predictor):
    """An online learner that only hears whether its guess was right.

    A round is ``guess(node)`` and ``learn(node, guess, correct)``. `guess` is what the algorithm
    plays: always a class, which may be one that nobody has confirmed yet, because trying it is the
    only way to learn about it. `predict` and `predict_proba` are what is known: a node's own answer
    where it has one, otherwise the best class that some node has confirmed and this node has not
    rejected, and `UNKNOWN` where there is none. A class that was never confirmed is not predicted.
    `scores` are the algorithm's numbers as they are.

    Public verbs check what they are given and call the verb with an underscore that an algorithm
    provides: `_scores`, `_guess`, `_learn`, and `_stream` where it has its own.
    """

    signed = True
    n_nodes: int
    """Nodes are the integers from 0 to one less."""

    def scores(self, nodes: Index) -> Array:
        return self._scores(node_or_nodes(nodes, self.n_nodes))

    def predict_proba(self, nodes: Index) -> Array:
        """One probability per class, 1 for a node's own answer; all zero where nothing is known."""
        wanted = node_or_nodes(nodes, self.n_nodes)
        many = np.atleast_1d(np.asarray(wanted, dtype=np.intp))
        chances = softmax(2.0 * self._known_scores(many))
        answers = self.feedback.answers[many]
        told = answers != UNKNOWN
        chances[told] = np.eye(self.n_classes)[answers[told]]
        return np.asarray(chances[0] if isinstance(wanted, int) else chances)

    @overload
    def predict(self, nodes: int) -> int: ...
    @overload
    def predict(self, nodes: Nodes) -> Nodes: ...
    def predict(self, nodes: Index) -> int | Nodes:
        """The class known or believed, of one node or of many; `UNKNOWN` where there is none."""
        wanted = node_or_nodes(nodes, self.n_nodes)
        many = np.atleast_1d(np.asarray(wanted, dtype=np.intp))
        answers = self.feedback.answers[many]
        found = np.where(answers == UNKNOWN, decided(self._known_scores(many)), answers)
        return int(found[0]) if isinstance(wanted, int) else found

    def guess(self, node: int) -> int:
        """The class to play for this node, confirmed or not; learn whether it was right.

        Randomness was drawn at the end of the last `learn`: reading again gives the same guess.
        """
        return self._guess(one_node(node, self.n_nodes))

    def learn(self, node: int, guess: int, correct: bool) -> None:
        """End a round: the guess made and the one bit that came back."""
        node, guess = one_node(node, self.n_nodes), one_label(guess, self.n_classes)
        self._learn(node, guess, true_or_false("correct", correct))
        self.labels_learned += 1

    def stream(self, nodes: Nodes, labels: Nodes, *, tries: int = 1) -> Trace:
        """Play rounds over a recorded stream.

        `labels` holds one class index per round, from which the one bit is made. A rejected guess
        is followed by another for the same node, up to `tries` per round; the trace's guess is a
        round's first, its `tries` how many there were. `queried` is true in every round.
        """
        nodes = many_nodes(nodes, self.n_nodes)
        labels = many_labels(labels, self.n_classes, length=len(nodes))
        trace = self._stream(nodes, labels, tries=whole_number("tries", tries, 1))
        self.labels_learned += len(nodes) if trace.tries is None else int(trace.tries.sum())
        return trace

    @property
    @abstractmethod
    def feedback(self) -> Feedback:
        """What the nodes have answered so far."""

    @abstractmethod
    def _scores(self, nodes: Index) -> Array:
        """Scores of one node or of many."""

    def _known_scores(self, nodes: Nodes) -> Array:
        """Scores of the classes that may be predicted, -inf for others, 0 for an unknown node.

        Where the algorithm's scores say nothing, or contradict the answers, the answers themselves
        speak (`_answer_scores`).
        """
        feedback = self.feedback
        held = _confirmed(self._scores(nodes), feedback.counts, feedback.rejected[nodes])
        best = decided(held)
        unsure = (best == UNKNOWN) | ~self._borne_out()[best]
        if unsure.any():
            told = self._answer_scores(nodes[unsure])
            held[unsure] = _confirmed(told, feedback.counts, feedback.rejected[nodes[unsure]])
        return held

    def _answer_scores(self, nodes: Nodes) -> Array:
        """What the answers say of these nodes without the algorithm, 0 where they say nothing."""
        return np.zeros((len(nodes), self.n_classes))

    def _borne_out(self) -> Mask:
        """Whether most of the answered nodes whose scores say a class did say yes to it, (K,).

        Scores can contradict the answers: the Banditron's are right on average only, and a "no"
        that leaves one class teaches that class nothing. Then they are not used.
        """
        answers, counts = self.feedback.answers, self.feedback.counts
        told = np.flatnonzero(answers != UNKNOWN)
        told = told[:: max(1, len(told) // _CHECKED)]
        held = _confirmed(
            self._scores(told), counts, np.zeros((len(told), len(counts)), dtype=bool)
        )
        said = decided(held)
        right = np.bincount(said[said == answers[told]], minlength=len(counts))
        wrong = np.bincount(
            said[(said != answers[told]) & (said != UNKNOWN)], minlength=len(counts)
        )
        return np.asarray(right > 2 * wrong)

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


def _confirmed(scores: Array, counts: Nodes, rejected: Mask) -> Array:
    """Scores of confirmed classes, -inf for others; 0 where none says anything.

    A score of 0 says that no feedback about a class reaches a node. Where it is the largest, the
    others speak against their classes, and nothing is known.
    """
    held = np.where((counts > 0) & ~rejected, scores, -np.inf)
    known = held.max(axis=1, keepdims=True, initial=-np.inf)
    return np.where(np.isfinite(known) & (known != 0.0), held, 0.0)
