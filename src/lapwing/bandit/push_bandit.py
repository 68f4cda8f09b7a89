"""Bandit feedback on the graph itself: accepted guesses attract, rejected guesses repel."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from lapwing.bandit.rows.guesses import first_best, heard
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.graph.growth import Change
from lapwing.learner import (
    BanditLearner,
    CanGrow,
    Feedback,
    HowItGrows,
    Trace,
    longer_feedback,
    no_feedback,
)
from lapwing.linalg.push.diffusions import Diffusions
from lapwing.linalg.push.residuals import Diffusion, settle, tell
from lapwing.types import UNKNOWN, Array, Index, Nodes


class PushBandit(BanditLearner, CanGrow):
    """Ridge regression on the diffusion kernel that is only told whether a guess was right.

    The state is that of `lapwing.online.push.PushRidge`: ``(D - alpha A + w G) x = w G y`` per
    class, kept solved by pushes. An accepted guess is a label: y = 1 for its class, 0 for the
    others. A rejected one is half a label that says what the node is not: y = -1 for its class, 0
    for the others, with half the weight; further rejections add up. The class of the largest score
    is guessed. It needs no exploration: a class that was not tried here scores 0, above one that
    was rejected nearby. A class rejected for a node is not guessed for it again.

    Cost: a guess touches only the nodes it can move; memory 3 numbers per node and class.

    Parameters
    ----------
    graph, n_classes
        The graph, and the number of classes (at least 2).
    alpha
        How far answers spread: walkers go 1 / (1 - alpha) steps on average.
    label_weight
        The weight of an accepted guess, in edges of mean weight.
    rejection
        The weight of a rejected guess, as a share of an accepted one's.
    eps
        The tolerance of pushing. None: 3e-4, and up to 6 % of a node's lead is left unpushed.

    Reference
    ---------
    The feedback is Yang, Zhao, Gao's (Bandit online learning on graphs, IJCAI 2018); the learner is
    this package's own.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learner = PushBandit(graph, 2)
    >>> learner.learn(0, 0, True)
    >>> learner.learn(5, 0, False)
    >>> [learner.guess(node) for node in range(6)]
    [0, 0, 0, 1, 1, 1]
    """

    def __init__(
        self,
        graph: Graph,
        n_classes: int | None = None,
        *,
        alpha: float = 0.95,
        label_weight: float = 2.0,
        rejection: float = 0.5,
        eps: float | None = None,
    ) -> None:
        if n_classes is None or n_classes < 2:
            raise InputError(f"n_classes of a bandit must be at least 2, got {n_classes}")
        if not 0.0 < alpha < 1.0:
            raise InputError(f"alpha must lie between 0 and 1, got {alpha}")
        for name, value in (("label_weight", label_weight), ("rejection", rejection)):
            if not value > 0.0:
                raise InputError(f"{name} must be positive, got {value}")
        if eps is not None and not eps > 0.0:
            raise InputError(f"eps must be positive, got {eps}")
        self.graph, self.n_nodes = graph, graph.n_nodes
        self.state = Diffusions(
            graph.adjacency,
            alpha=[alpha],
            ridge=[label_weight],
            tolerance=[3e-4 if eps is None else eps],
            lazy=0.06 if eps is None else 0.0,
            n_classes=n_classes,
        )
        mean = self.state.mean_weight
        self.weights = np.array([mean * rejection, mean])
        self._feedback = no_feedback(graph.n_nodes, n_classes)
        self.totals: Array = np.zeros(n_classes)

    @property
    def grows(self) -> HowItGrows:
        return "exactly"

    def _grow(self, graph: Graph, change: Change) -> None:
        self.state.add_nodes(change.n_nodes - self.n_nodes)
        self.n_nodes = graph.n_nodes
        self._feedback = longer_feedback(self._feedback, self.n_nodes)
        self.state.set_edges(
            change.sources, change.targets, change.weights, lambda: graph.adjacency
        )
        factor = self.state.mean_weight / float(self.weights[1])
        if factor != 1.0:
            self.weights *= factor
            self.state.scale_labels(factor)

    @property
    def beliefs(self) -> Beliefs:
        """Everything that the compiled rounds read or change."""
        state = self.state
        return Beliefs(state.system, state.targets, self.totals, self._feedback, self.weights)

    @property
    def n_classes(self) -> int:
        return len(self.totals)

    @property
    def feedback(self) -> Feedback:
        return self._feedback

    def _scores(self, nodes: Index) -> Array:
        """Return the learner's beliefs: one score per class."""
        return self.state.of(nodes, 0)

    def _answer_scores(self, nodes: Nodes) -> Array:
        """The number of answers in the component for the class that all of them name, if any."""
        places, answers = self.state.parts.label, self._feedback.answers
        told = np.flatnonzero(answers != UNKNOWN)
        counts = np.zeros((int(places.max(initial=-1)) + 1, self.n_classes))
        np.add.at(counts, (places[told], answers[told]), 1.0)
        counts[np.count_nonzero(counts, axis=1) > 1] = 0.0
        return np.asarray(counts[places[nodes]])

    def _guess(self, node: int) -> int:
        return int(guess_for(self.beliefs, node))

    def _learn(self, node: int, guess: int, correct: bool) -> None:
        learn_bit(self.beliefs, node, guess, correct)

    def _stream(self, nodes: Nodes, labels: Nodes, *, tries: int) -> Trace:
        guesses, used = play_bits(self.beliefs, nodes, labels, tries)
        every = np.ones(len(nodes), dtype=bool)
        return Trace(guesses=guesses, queried=every, updates=used.copy(), tries=used)


class Beliefs(NamedTuple):
    """The diffusion, what was told per node and class, the answers and the two weights."""

    system: Diffusion
    targets: Array
    totals: Array
    feedback: Feedback
    weights: Array


@njit(cache=True)
def guess_for(beliefs: Beliefs, node: int) -> int:
    """Return the class with the largest score that was not rejected for this node."""
    scores = beliefs.system.solution[node, : beliefs.totals.size].copy()
    if not scores.any():
        scores[:] = beliefs.totals
    return int(first_best(scores, beliefs.feedback.rejected[node], np.arange(scores.size)))


@njit(cache=True)
def learn_bit(beliefs: Beliefs, node: int, guess: int, correct: bool) -> None:
    """Record that a guess for a node was right or wrong, and push."""
    before = beliefs.targets[node].copy()
    if correct:
        after = np.zeros(before.size)
        after[guess] = 1.0
    else:
        after = np.minimum(before, 0.0)
        after[guess] = -1.0
    heard(beliefs.feedback, node, guess, correct)
    beliefs.totals[guess] += 1.0 if correct else -1.0
    tell(beliefs.system, node, before, after, beliefs.weights[1 if correct else 0])
    beliefs.targets[node] = after
    settle(beliefs.system)


@njit(cache=True)
def play_bits(beliefs: Beliefs, nodes: Nodes, labels: Nodes, tries: int) -> tuple[Nodes, Nodes]:
    """Play recorded nodes and labels; return the first guesses and the numbers of guesses."""
    guesses = np.empty(nodes.size, np.intp)
    used = np.zeros(nodes.size, np.intp)
    for t in range(nodes.size):
        guess = -1
        while used[t] < tries and guess != labels[t]:
            guess = guess_for(beliefs, nodes[t])
            learn_bit(beliefs, nodes[t], guess, guess == labels[t])
            if used[t] == 0:
                guesses[t] = guess
            used[t] += 1
    return guesses, used
