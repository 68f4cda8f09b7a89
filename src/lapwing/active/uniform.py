"""A node at random: what every other choice must beat."""

from __future__ import annotations

import numpy as np

from lapwing.learner import BinaryLearner, Learner
from lapwing.types import Nodes


class Uniform:
    """Any candidate, each as likely; the same seed asks the same nodes.

    Examples
    --------
    >>> strategy = Uniform(seed=1)
    >>> [strategy(None, np.arange(100)) for _ in range(3)]
    [47, 51, 75]
    """

    def __init__(self, *, seed: int = 0) -> None:
        self._rng = np.random.default_rng(seed)

    def __call__(self, learner: Learner | BinaryLearner | None, candidates: Nodes) -> int:  # noqa: ARG002 - a strategy's signature
        return int(self._rng.choice(candidates))
