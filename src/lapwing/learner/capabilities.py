"""Optional capabilities of learners; check for them with `isinstance`.

As in the contracts, public verbs check what they are given and call the verb with an underscore.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from lapwing.checks import MOST_CLASSES, one_node, whole_number
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.learner.growth import CanGrow, HowItGrows
from lapwing.learner.online import Learner
from lapwing.types import Array, Index

if TYPE_CHECKING:
    from lapwing.learner.online import BinaryLearner


class CanWithdraw(ABC):
    """A learner that can forget a label."""

    n_nodes: int

    def withdraw(self, node: int) -> None:
        """Forget this node's label, as if it had never been given."""
        self._withdraw(one_node(node, self.n_nodes))

    @abstractmethod
    def _withdraw(self, node: int) -> None: ...


class CanMakeRoom(ABC):
    """A learner that can reserve memory for classes before their first labels."""

    fixed_classes: int | None

    def make_room(self, n_classes: int) -> None:
        """Reserve memory for this many classes."""
        n_classes = whole_number("n_classes", n_classes, 0)
        most = MOST_CLASSES if self.fixed_classes is None else self.fixed_classes
        if n_classes > most:
            raise InputError(f"n_classes must be at most {most}, got {n_classes}")
        self._make_room(n_classes)

    @abstractmethod
    def _make_room(self, n_classes: int) -> None: ...


class CanPostpone(ABC):
    """A learner that can go without a part that takes long to make, and use it once it is there.

    Its answers change when it adopts the part. A session records that moment in its log, so that a
    replay adopts it at the same place.
    """

    @abstractmethod
    def postpone(self) -> None:
        """Go without the part, and begin to make it in the background."""

    @property
    @abstractmethod
    def is_made(self) -> bool:
        """Whether the part is made and not yet adopted."""

    @abstractmethod
    def adopt(self) -> None:
        """Use the part from now on; the first reading waits if it is not there yet."""


class CanTellTime(ABC):
    """A learner for which time passes."""

    @abstractmethod
    def advance(self, now: float) -> None:
        """Set the time, which never goes back."""


class CanSave(ABC):
    """A learner whose state can be saved to a file."""

    @abstractmethod
    def save(self, path: str | Path) -> None:
        """Write the state to a file."""

    @abstractmethod
    def load(self, path: str | Path) -> Self:
        """Load the state saved by a learner of the same kind and parameters."""


class CanUpdateAlways(ABC):
    """A learner with a switch `aggressive`: on, it updates in every round, not only on mistakes."""

    aggressive: bool


class HasKernel(ABC):
    """A learner on a kernel K whose diagonal can be read."""

    @abstractmethod
    def norms(self, nodes: Index) -> Array:
        """Return K_ii, the squared norm of each node's kernel column."""


class HasBinaryLearners(ABC):
    """A learner made of binary learners.

    `learners` has one per class, and `unnamed` is the one for a class not seen yet, if more classes
    can appear.
    """

    learners: list[BinaryLearner]
    unnamed: BinaryLearner | None


class HasRows(ABC):
    """A classifier on rows that depend on the graph alone, made once, when first read."""

    @property
    @abstractmethod
    def rows(self) -> Any:
        """The rows of all nodes."""


class WrapsLearner(Learner):
    """A learner that adds something to another one, its `inner` learner, and passes on the rest."""

    inner: Learner

    def __init__(self, inner: Learner) -> None:
        self.inner, self.signed = inner, inner.signed
        self.n_nodes, self.fixed_classes = inner.n_nodes, inner.fixed_classes

    @property
    def n_classes(self) -> int:
        return self.inner.n_classes

    @property
    def grows(self) -> HowItGrows | None:
        return self.inner.grows

    def grow(self, graph: Graph) -> None:
        self.inner.grow(graph)
        self.n_nodes = graph.n_nodes

    def _scores(self, nodes: Index) -> Array:
        return self.inner._scores(nodes)

    def _queries(self, node: int) -> bool:
        return self.inner._queries(node)


class CanChangeEdges(CanGrow):
    """A learner whose edges can also be changed one by one, by index; its graph follows."""

    def add_edge(self, u: int, v: int, weight: float = 1.0) -> None:
        """Add an edge, or add to the weight of one."""
        u, v = self._two_nodes(u, v)
        number = isinstance(weight, float | int | np.number) and not isinstance(weight, bool)
        if not (number and np.isfinite(weight) and weight > 0.0):
            raise InputError(f"edge weights must be positive and finite, got {weight!r}")
        names = self.graph.names
        self._change_edge(self.graph.with_edges([(names[u], names[v])], [float(weight)]))

    def remove_edge(self, u: int, v: int) -> None:
        """Remove an edge."""
        u, v = self._two_nodes(u, v)
        if not self.graph.has_edge(u, v):
            raise InputError(f"there is no edge between {u} and {v}")
        names = self.graph.names
        self._change_edge(self.graph.without_edges([(names[u], names[v])]))

    def _change_edge(self, graph: Graph) -> None:
        self.grow(graph)

    def _two_nodes(self, u: int, v: int) -> tuple[int, int]:
        u, v = one_node(u, self.n_nodes), one_node(v, self.n_nodes)
        if u == v:
            raise InputError(f"an edge joins two nodes, got {u} twice")
        return u, v
