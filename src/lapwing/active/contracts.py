"""What a strategy is, and what some strategies can do besides."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeAlias

from lapwing.learner import BinaryLearner, Learner
from lapwing.types import Nodes

Strategy: TypeAlias = Callable[[Learner | BinaryLearner, Nodes], int]
"""A function of a learner and the candidates that returns the node to ask about."""


class CanFollowLabels(ABC):
    """A strategy that keeps its own account of the labels."""

    @abstractmethod
    def refresh(self, changed: int | None = None) -> None:
        """Process labels added, changed or removed since the last call (of one node if given)."""


class CanAvoidHubs(ABC):
    """A strategy that prefers nodes with many neighbours, and can leave out the largest hubs."""

    @abstractmethod
    def without_hubs(self, candidates: Nodes) -> Nodes:
        """Return the candidates that are no hubs; all if there are no others."""


class CanChooseSeveral(ABC):
    """A strategy that can choose several nodes at once."""

    @abstractmethod
    def several(self, candidates: Nodes, count: int, learner: Any = None) -> Nodes:
        """Choose several nodes at once, each as if the previous ones had been answered.

        Strategies that keep their own account of the labels do not need the learner.
        """
