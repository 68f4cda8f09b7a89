"""Random sampling: query labels by a coin flip."""

from __future__ import annotations

import numpy as np

from lapwing.checks import between
from lapwing.learner import Trace, WrapsLearner
from lapwing.online.linear.recorded_learner import RecordedLearner
from lapwing.types import Nodes


class RandomSampling(WrapsLearner):
    """Query each node with the same probability, independent of what was learned.

    The baseline of `SSLGC` in Gu et al. (2013), Section 6.6, who put it on the graph perceptron;
    here on any `RecordedLearner`, such as one-vs-rest `GPA` or `OLLGC`. One coin per node serves
    all classes. The coin of the next round is flipped at the end of `learn`.

    Parameters
    ----------
    inner
        The learner that learns the queried labels.
    p
        Probability of a query, between 0 and 1.
    seed
        Seed of the coin flips.

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

    inner: RecordedLearner

    def __init__(self, inner: RecordedLearner, *, p: float = 0.3, seed: int = 0) -> None:
        between("p", p, 0, 1)
        super().__init__(inner)
        self.p = p
        self.rng = np.random.default_rng(seed)
        self.coin = self.rng.random()

    def __repr__(self) -> str:
        return f"RandomSampling({self.inner!r}, p={self.p}, seed={self._shown['seed']})"

    def _queries(self, node: int) -> bool:  # noqa: ARG002 - the same for every node
        return bool(self.coin < self.p)

    def _learn(self, node: int, label: int | None) -> None:
        self.inner._learn(node, label)
        self.coin = self.rng.random()

    def _stream(self, nodes: Nodes, labels: Nodes, *, always: bool) -> Trace:
        coins = np.concatenate([[self.coin], self.rng.random(len(nodes))])
        self.coin = float(coins[-1])
        return self.inner._rounds(nodes, labels, (coins[:-1] < self.p) | always)
