"""Rows that experts share: made once, when they are first needed or in the background."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy, deepcopy
from functools import partial
from typing import Any

import numpy as np

from lapwing.graph import Graph
from lapwing.online.near_far.making import Making
from lapwing.online.near_far.near_far import NearFar
from lapwing.online.pool.reading.inner_products import InnerProducts, Rows
from lapwing.types import Array, Mask, Nodes

SAMPLE = 1_000
"""Rows whose mean length is taken for that of all."""


class Source:
    """One row per node, made from a graph; zeros for a node that it says nothing about.

    Examples
    --------
    >>> source = Source(Graph.from_edges([(0, 1)]), lambda graph: np.eye(graph.n_nodes))
    >>> source.rows.tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    _told: tuple[Rows, Mask, bool] | None = None
    _square: tuple[Rows, float] | None = None

    def __init__(self, graph: Graph, made: Callable[[Graph], Rows]) -> None:
        self.making = Making(partial(made, graph))
        self._asleep, self._inner = False, InnerProducts()

    def __deepcopy__(self, memo: dict[int, Any]) -> Source:
        """Rows are shared; nobody changes them."""
        twin = memo[id(self)] = copy(self)
        twin._inner = InnerProducts()
        return twin

    @property
    def rows(self) -> Rows:
        """One row per node."""
        return self.making.result()

    @property
    def told(self) -> Mask:
        """Which nodes have a row that says something."""
        return self._looked()[1]

    @property
    def tells_all(self) -> bool:
        """Whether every node has a row that says something."""
        return self._looked()[2]

    def _looked(self) -> tuple[Rows, Mask, bool]:
        rows = self.rows
        if self._told is None or self._told[0] is not rows:
            told = np.asarray(rows.any(axis=1))
            self._told = rows, told, bool(told.all())
        return self._told

    @property
    def mean_square(self) -> float:
        """The mean of the squared lengths of rows, of about 1,000 of them."""
        rows = self.rows
        if self._square is None or self._square[0] is not rows:
            sample = np.asarray(rows[:: -(-len(rows) // SAMPLE)], dtype=np.float64)
            self._square = rows, float(np.square(sample).sum(axis=1).mean())
        return self._square[1]

    def products(self, nodes: Nodes) -> Array:
        """Return the inner products of some nodes' rows, kept for the next time."""
        return self._inner.of(self.rows, nodes)

    @property
    def is_asleep(self) -> bool:
        """Whether the rows are not to be used yet."""
        return self._asleep

    def follow(self, graph: Graph, made: Callable[[Graph], Rows]) -> None:
        """Make the rows of a changed graph in this way when they are next needed."""
        self.making = Making(partial(made, graph))
        if self._asleep:
            self.making.begin()

    def sleep(self) -> None:
        """Make the rows in the background; they are not used until `wake`."""
        self._asleep = True
        self.making.begin()

    def wake(self) -> None:
        """Use the rows from now on."""
        self._asleep = False


class PositionSource(Source):
    """The rows of near-far: a node's position in the graph at large."""

    def __init__(self, near_far: NearFar) -> None:
        self._near_far, self._inner = near_far, InnerProducts()

    def __deepcopy__(self, memo: dict[int, Any]) -> PositionSource:
        """The copy reads the rows of the learner's copy."""
        return PositionSource(deepcopy(self._near_far, memo))

    @property
    def rows(self) -> Rows:
        """One row per node."""
        return self._near_far.position_rows

    @property
    def is_asleep(self) -> bool:
        """Whether near-far does without rows, for now or on this graph."""
        return not self._near_far.has_position

    def follow(self, graph: Graph, made: Callable[[Graph], Rows]) -> None:
        """near-far follows by itself."""

    def sleep(self) -> None:
        """near-far postpones by itself."""

    def wake(self) -> None:
        """near-far adopts by itself."""
