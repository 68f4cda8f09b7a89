"""The order in which nodes are played."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from lapwing.checks import whole_number
from lapwing.errors import InputError, UnknownNodeError
from lapwing.learner import Learner
from lapwing.types import UNKNOWN, Nodes


def shuffled(n: int | Iterable[int], seed: int) -> Nodes:
    """Return nodes 0..n-1, or the given nodes, in a random order.

    Examples
    --------
    >>> shuffled(5, seed=0)
    array([2, 4, 3, 0, 1])
    """
    nodes = np.arange(n) if isinstance(n, int) else np.array(list(n), dtype=np.intp)
    whole_number("seed", seed, 0)
    return np.random.default_rng(seed).permutation(nodes).astype(np.intp)


def given(order: Iterable[int], labels: Nodes) -> Nodes:
    """Return the order as an index array; raise if a node does not exist or has no label.

    Examples
    --------
    >>> given([0, 2, 2], labels=np.array([0, 1, 1]))
    array([0, 2, 2])
    >>> given([0, 3], labels=np.array([0, 1, 1]))
    Traceback (most recent call last):
        ...
    lapwing.errors.UnknownNodeError: nodes must lie in 0..2, got 3
    """
    nodes = np.asarray(order if isinstance(order, np.ndarray) else list(order))
    if nodes.size and nodes.dtype.kind not in "iu":
        raise UnknownNodeError(f"nodes must be integer indices, got {nodes.dtype}")
    nodes = nodes.astype(np.intp)
    outside = (nodes < 0) | (nodes >= len(labels))
    if outside.any():
        wrong = nodes[np.argmax(outside)]
        raise UnknownNodeError(f"nodes must lie in 0..{len(labels) - 1}, got {wrong}")
    bare = labels[nodes] == UNKNOWN
    if bare.any():
        raise InputError(f"every node played needs a label, node {nodes[np.argmax(bare)]} has none")
    return nodes


class Adversary:
    """Play each node once; the next node is the one about which the learner is most wrong.

    Most wrong means the largest difference between the score of another class and the score of the
    true class. This is the greedy form of the adversary in mistake bounds. It reads the scores of
    all nodes in each round.

    Examples
    --------
    >>> from lapwing import Graph, make, play
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> game = play(make("ollgc", graph, n_classes=2), Adversary(6), np.array([0, 0, 0, 1, 1, 1]))
    >>> [round.node for round in game]
    [0, 3, 2, 1, 4, 5]
    """

    def __init__(self, nodes: int | Iterable[int]) -> None:
        listed = range(nodes) if isinstance(nodes, int) else nodes
        self.nodes = np.array(list(listed), dtype=np.intp)

    def worst(self, learner: Learner, labels: Nodes, left: Nodes) -> int:
        """Return the remaining node about which the learner is most wrong."""
        scores = learner.scores(left)
        true = labels[left]
        known = true < scores.shape[1]
        rival = scores.copy()
        rival[known, true[known]] = -np.inf
        own = np.where(known, scores[np.arange(len(left)), true * known], 0.0) if scores.size else 0
        best = rival.max(axis=1, initial=-np.inf)
        regret = np.where(np.isfinite(best), best - own, 0.0)
        return int(np.argmax(np.where(known, regret, np.inf)))
