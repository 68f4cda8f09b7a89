"""What some learners can do beyond their contract; ask with `isinstance`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Self


class CanWithdraw(ABC):
    """A learner that can take back a label it has learned."""

    @abstractmethod
    def withdraw(self, node: int) -> None:
        """Forget this node's label, as if it had never been given."""


class CanMakeRoom(ABC):
    """A learner that can be told of classes before their first labels."""

    @abstractmethod
    def make_room(self, n_classes: int) -> None:
        """Reserve memory for this many classes."""


class CanSave(ABC):
    """A learner whose state can be kept in a file."""

    @abstractmethod
    def save(self, path: str | Path) -> None:
        """Write the state to a file."""

    @abstractmethod
    def load(self, path: str | Path) -> Self:
        """Take over the state that a learner of the same kind and parameters saved."""


class CanChangeEdges(ABC):
    """A learner whose graph may change while it learns."""

    @abstractmethod
    def add_edge(self, u: int, v: int, weight: float = 1.0) -> None:
        """Add an edge, or add to the weight of one."""

    @abstractmethod
    def remove_edge(self, u: int, v: int) -> None:
        """Remove an edge."""
