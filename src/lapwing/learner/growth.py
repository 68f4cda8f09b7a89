"""Learners that follow a graph while nodes and edges are added, changed or removed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Literal, Protocol, Self

from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.graph.growth import Change
from lapwing.types import Array

HowItGrows = Literal["exactly", "by interpolation", "by fitting again"]
"""How a learner follows its graph.

``exactly``: what it has learned ends up the same as if it had learned on the grown graph from the
start. ``by interpolation``: existing nodes keep their rows and new nodes get rows from their
neighbours. ``by fitting again``: all known labels are fitted on the grown graph.
"""


class MayGrow:
    """What every learner has: `grow`, which raises an error unless the learner can do it."""

    fixed_because: str = "it was made for one graph"
    """Why it cannot grow, for the error message."""

    @property
    def grows(self) -> HowItGrows | None:
        """How the learner follows a growing graph; None if it cannot."""
        return None

    def grow(self, graph: Graph) -> None:
        """Continue on a changed graph that keeps the indices of all nodes.

        Make it from the learner's graph with `Graph.with_edges`, `Graph.with_nodes` or
        `Graph.without_edges`. Everything learned so far is kept, and new nodes have predictions at
        once. A learner that cannot do this raises `InputError` and stays unchanged.
        """
        checked_graph(graph)
        raise InputError(
            f"{type(self).__name__} cannot grow: {self.fixed_because}; "
            "make a new one on the grown graph"
        )


class CanGrow(MayGrow, ABC):
    """A learner that can grow with its graph."""

    graph: Graph
    """The graph, as it is now."""
    n_nodes: int

    @property
    @abstractmethod
    def grows(self) -> HowItGrows: ...

    def grow(self, graph: Graph) -> None:
        change = checked_graph(graph).change_since(self.graph)
        if len(change) or change.n_nodes > self.graph.n_nodes:
            self._grow(graph, change)
        self.graph = graph

    @abstractmethod
    def _grow(self, graph: Graph, change: Change) -> None:
        """Follow a change; `graph` becomes the learner's graph afterwards."""


class GrowingDomain(Protocol):
    """Rows of a graph that follow it; `lapwing.embed.GrowingRows` makes them."""

    changed: float

    @property
    def rows(self) -> Array:
        """One row per node."""

    def restored(self, graph: Graph, rows: Array, changed: float) -> Self:
        """Return the rows as they were saved."""

    def grown(self, graph: Graph) -> Self:
        """Return the rows of the changed graph."""


class GrowsWithRows(MayGrow, ABC):
    """A learner on rows. It can grow if its rows were made from a graph, and else raises an error.

    What was learned stays as it is: existing nodes keep their rows, new nodes get theirs from the
    `domain`.
    """

    domain: GrowingDomain | None = None
    """Makes the rows of new nodes; None if the learner was given bare rows."""

    @property
    def grows(self) -> HowItGrows | None:
        return None if self.domain is None else "by interpolation"

    def grow(self, graph: Graph) -> None:
        if self.domain is None:
            raise InputError(
                f"{type(self).__name__} cannot grow: it was made on rows without a graph; "
                "make it on a Graph"
            )
        self.domain = self.domain.grown(checked_graph(graph))
        self._take_rows(self.domain.rows)

    @abstractmethod
    def _take_rows(self, rows: Array) -> None:
        """Continue on these rows: those of existing nodes first, then those of new nodes."""


def checked_graph(graph: Graph) -> Graph:
    """Return the graph; raise if it is something else.

    Examples
    --------
    >>> checked_graph("edges.csv")
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: grow needs the changed Graph, got str
    """
    if not isinstance(graph, Graph):
        raise InputError(f"grow needs the changed Graph, got {type(graph).__name__}")
    return graph
