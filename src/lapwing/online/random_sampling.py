"""Random sampling: a coin decides which labels are queried."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from lapwing.checks import between
from lapwing.learner import Learner, Trace
from lapwing.types import Array, Index, Mask, Nodes


class Recorded(Protocol):
    """A learner that can play a recorded stream in which some labels are held back."""

    signed: bool

    @property
    def n_classes(self) -> int: ...
    def scores(self, nodes: Index) -> Array: ...
    def learn(self, node: int, label: int | None) -> None: ...
    def rounds(self, nodes: Nodes, labels: Nodes, shown: Mask) -> Trace: ...


class RandomSampling(Learner):
    """A learner that queries each node with the same probability, whatever it knows.

    The rival of `SSLGC` in Gu et al. (2013), Section 6.6, who put it on the graph perceptron;
    here on any learner with `rounds`, such as one-vs-rest `GPA` or `OLLGC`. One coin a node serves
    all classes. The coin of the next round is thrown at the end of `learn`.

    Parameters
    ----------
    inner
        Who learns the labels queried.
    p
        Probability of a query, between 0 and 1.
    seed
        Of the coins.

    References
    ----------
    Gu, Aggarwal, Liu, Han. *Selective sampling on graphs for classification.* KDD 2013.

    Examples
    --------
    >>> from lapwing import Graph, make
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learner = make("random-gpa", graph, p=0.5, seed=1)
    >>> learner.stream(np.arange(6), np.array([0, 0, 0, 1, 1, 1])).queried
    array([False, False,  True, False,  True,  True])
    """

    def __init__(self, inner: Recorded, *, p: float = 0.3, seed: int = 0) -> None:
        between("p", p, 0, 1)
        self.inner, self.signed = inner, inner.signed
        self.p = p
        self.rng = np.random.default_rng(seed)
        self.coin = self.rng.random()

    def __repr__(self) -> str:
        return f"RandomSampling({self.inner!r}, p={self.p}, seed={self._shown['seed']})"

    @property
    def n_classes(self) -> int:
        return self.inner.n_classes

    def scores(self, nodes: Index) -> Array:
        return self.inner.scores(nodes)

    def queries(self, node: int) -> bool:  # noqa: ARG002 - the same for every node
        return bool(self.coin < self.p)

    def learn(self, node: int, label: int | None) -> None:
        self.inner.learn(node, label)
        self.coin = self.rng.random()

    def stream(self, nodes: Nodes, labels: Nodes, *, always: bool = False) -> Trace:
        coins = np.concatenate([[self.coin], self.rng.random(len(nodes))])
        self.coin = float(coins[-1])
        return self.inner.rounds(nodes, labels, (coins[:-1] < self.p) | always)
