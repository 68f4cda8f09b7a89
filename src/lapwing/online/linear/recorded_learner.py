"""Learners that play a recorded stream with some labels withheld."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from lapwing.deprecation import warn_former
from lapwing.learner import Learner, Trace
from lapwing.types import UNKNOWN, Mask, Nodes


class RecordedLearner(Learner):
    """A learner whose methods all run one loop over a recorded stream, `_rounds`."""

    @abstractmethod
    def _rounds(self, nodes: Nodes, labels: Nodes, shown: Mask, *, always: bool = False) -> Trace:
        """Play a recorded stream; a label is given only where `shown` allows it."""

    def rounds(self, nodes: Nodes, labels: Nodes, shown: Mask, *, always: bool = False) -> Trace:
        """A former way to play a recorded stream; use `stream`."""
        warn_former(f"{type(self).__name__}.rounds", f"{type(self).__name__}.stream")
        return self._rounds(nodes, labels, shown, always=always)

    def _learn(self, node: int, label: int | None) -> None:
        given = UNKNOWN if label is None else label
        one = np.array([label is not None])
        self._rounds(np.array([node]), np.array([given]), one, always=True)

    def _stream(self, nodes: Nodes, labels: Nodes, *, always: bool) -> Trace:
        return self._rounds(nodes, labels, np.ones(len(nodes), dtype=bool), always=always)
