"""Random choice of nodes, the baseline for all other strategies."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from lapwing import checks
from lapwing.learner import BinaryLearner, Learner
from lapwing.types import Nodes


class Uniform:
    """Choose a candidate uniformly at random; the same seed gives the same nodes.

    With `labels` (those known so far), a draw depends on their number and not on earlier draws, so
    a reopened session asks the same questions. With `n_nodes`, candidates are checked against it.

    Examples
    --------
    >>> strategy = Uniform(seed=1)
    >>> [strategy(None, np.arange(100)) for _ in range(3)]
    [47, 51, 75]
    >>> [Uniform(seed=1, labels={})(None, np.arange(100)) for _ in range(2)]
    [47, 47]
    """

    def __init__(
        self,
        *,
        seed: int = 0,
        labels: Mapping[int, int] | None = None,
        n_nodes: int | None = None,
    ) -> None:
        self._seed, self._labels, self._n_nodes = seed, labels, n_nodes
        self._rng = np.random.default_rng(seed)

    def __call__(self, learner: Learner | BinaryLearner | None, candidates: Nodes) -> int:  # noqa: ARG002 - a strategy's signature
        given = checks.candidates(candidates, self._n_nodes)
        if self._labels is not None:
            self._rng = np.random.default_rng([self._seed, len(self._labels)])
        return int(self._rng.choice(given))
