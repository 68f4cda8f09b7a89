"""Learners whose one loop serves the verbs and a recorded stream alike."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from lapwing.learner import Learner, Trace
from lapwing.online.sslgc import thresholds
from lapwing.types import UNKNOWN, Array, Mask, Nodes


class RecordedLearner(Learner):
    """A learner that queries by a threshold t^-kappa, or always, and plays by `rounds`."""

    kappa: float | None
    t: int

    @abstractmethod
    def rounds(self, nodes: Nodes, labels: Nodes, shown: Mask, *, always: bool = False) -> Trace:
        """Play a recorded stream; where `shown` is false no label is given."""

    def learn(self, node: int, label: int | None) -> None:
        given = UNKNOWN if label is None else label
        self.rounds(np.array([node]), np.array([given]), np.array([label is not None]), always=True)

    def stream(self, nodes: Nodes, labels: Nodes, *, always: bool = False) -> Trace:
        return self.rounds(nodes, labels, np.ones(len(nodes), dtype=bool), always=always)

    def limits(self, rounds: int, *, always: bool = False) -> Array:
        """The thresholds of the next rounds; -1, below all, where every label is asked for."""
        if always or self.kappa is None:
            return np.full(rounds, -1.0)
        return np.asarray(thresholds(self.t, rounds, self.kappa))
