"""Rows that follow a growing graph by interpolation."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Self

import numpy as np
from scipy import sparse

from lapwing.embed.laplacian import with_unit_rows
from lapwing.graph import Graph
from lapwing.graph.growth import Change, weights_before
from lapwing.types import Array

STEPS = 3
"""How often the rows of new nodes are averaged over their neighbours."""
MOST_DRIFT = 0.5
"""Rows are computed again when this share of the edge weight has changed since."""


class GrowingRows:
    """Rows of a graph that follow it while nodes and edges arrive.

    A new node gets the weighted mean of its neighbours' rows, in a few steps where new nodes are
    neighbours of each other; an existing node with new edges moves towards its new neighbours by
    their share of its degree. Where the smallest eigenvectors vary slowly over edges, as they do,
    this is close to computing them again. `drift` is the share of the edge weight that is new,
    changed or gone since the rows were computed; beyond one half they are computed again, which
    `history` says, and rotated to the rows before, so that weights that were learned on the old
    ones still fit. A node that no edge connects to a node with a row has a row of zeros.

    Nothing is computed before `rows` is first read.

    Parameters
    ----------
    graph: the graph.
    make: makes the rows of a graph, such as `lapwing.embed.laplacian` with its parameters set.
    unit_rows: whether every row is scaled to length 1.
    rows: the rows, if they are there already.

    Examples
    --------
    >>> from functools import partial
    >>> from lapwing.embed import laplacian
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> rows = GrowingRows(graph, partial(laplacian, rank=2))
    >>> rows.rows[:, 0].round(2)
    array([ 0.7 ,  0.7 ,  0.39, -0.39, -0.7 , -0.7 ])
    >>> more = rows.grown(graph.with_edges([(5, 6)]))
    >>> more.rows[:, 0].round(2), round(more.drift, 2)
    (array([ 0.7 ,  0.7 ,  0.39, -0.39, -0.7 , -0.7 , -0.7 ]), 0.12)
    """

    def __init__(
        self,
        graph: Graph,
        make: Callable[[Graph], Array],
        *,
        unit_rows: bool = False,
        rows: Array | None = None,
    ) -> None:
        self.graph, self._make = graph, make
        self._unit_rows = unit_rows
        self._rows = None if rows is None else _frozen(rows)
        self.changed = 0.0
        """The edge weight that changed since the rows were computed."""
        self.history: tuple[str, ...] = ()

    @property
    def made(self) -> bool:
        """Whether the rows have been computed."""
        return self._rows is not None

    @property
    def rows(self) -> Array:
        """One row per node."""
        if self._rows is None:
            self._rows = _frozen(self._make(self.graph))
        return self._rows

    @property
    def drift(self) -> float:
        """The share of the edge weight that changed since the rows were computed."""
        total = float(self.graph.adjacency.data.sum()) / 2.0
        return min(self.changed / total, 1.0) if total else 0.0

    def restored(self, graph: Graph, rows: Array, changed: float) -> Self:
        """Return the same kind of rows, as they were saved with this graph."""
        after = copy.copy(self)
        after.graph, after._rows, after.changed = graph, _frozen(rows), changed
        return after

    def __deepcopy__(self, memo: object) -> Self:
        """Nothing but the rows not yet computed ever changes, so that copies can share them."""
        return self

    def grown(self, graph: Graph) -> Self:
        """Return the rows of a changed graph that keeps the indices of all nodes."""
        change = graph.change_since(self.graph)
        after = copy.copy(self)
        after.graph = graph
        if self._rows is None:
            return after
        steps = change.weights - weights_before(self.graph.adjacency, change)
        after.changed = self.changed + float(np.abs(steps).sum())
        rows = interpolated(self.rows, graph, change, steps)
        rows = with_unit_rows(rows) if self._unit_rows else rows
        if after.drift > MOST_DRIFT:
            rows, after.changed = _rotated(self._make(graph), rows), 0.0
            after.history = (*self.history, f"rows computed again at {graph.n_nodes:,} nodes")
        after._rows = _frozen(rows)
        return after


def interpolated(rows: Array, graph: Graph, change: Change, steps: Array) -> Array:
    """Return the rows with those of new nodes added and those at new edges moved.

    `steps` holds by how much the weight of each changed edge has risen.

    Examples
    --------
    >>> path = Graph.from_edges([(0, 1)])
    >>> longer = path.with_edges([(1, 2)])
    >>> change = longer.change_since(path)
    >>> interpolated(np.array([[0.0, 1.0], [1.0, 0.0]]), longer, change, change.weights).tolist()
    [[0.0, 1.0], [1.0, 0.0], [1.0, 0.0]]
    """
    n, more = len(rows), graph.n_nodes - len(rows)
    found = np.vstack([rows, np.zeros((more, rows.shape[1]))])
    if more:
        new = np.arange(n, n + more)
        around = sparse.csr_array(graph.adjacency[new])
        for _ in range(STEPS):
            with_row = found.any(axis=1).astype(np.float64)
            weight = around @ with_row
            found[new] = (around @ found) / np.where(weight > 0, weight, 1.0)[:, None]
    _moved(found, rows, graph.degrees, change, steps)
    return found


def _moved(found: Array, before: Array, degrees: Array, change: Change, steps: Array) -> None:
    """Move existing nodes towards the other ends of their new edges, by their share."""
    ends = (change.sources, change.targets), (change.targets, change.sources)
    held = np.asarray(found.any(axis=1))
    pull, weight = np.zeros_like(before), np.zeros(len(before))
    for one, other in ends:
        chosen = (one < len(before)) & (steps > 0)
        chosen[chosen] &= held[one[chosen]] & held[other[chosen]]
        np.add.at(pull, one[chosen], steps[chosen, None] * found[other[chosen]])
        np.add.at(weight, one[chosen], steps[chosen])
    moved = np.flatnonzero(weight)
    share = (weight[moved] / degrees[moved])[:, None]
    found[moved] = (1.0 - share) * before[moved] + pull[moved] / degrees[moved][:, None]


def _rotated(rows: Array, before: Array) -> Array:
    """Rotate new rows to the old ones: orthogonal Procrustes, with as many columns as before.

    Examples
    --------
    >>> _rotated(np.array([[0.0, 1.0], [2.0, 0.0]]), np.array([[1.0, 0.0], [0.0, 2.0]]))
    array([[1., 0.],
           [0., 2.]])
    """
    left, _, right = np.linalg.svd(rows.T @ before, full_matrices=False)
    return np.asarray(rows @ (left @ right))


def _frozen(rows: Array) -> Array:
    view = np.ascontiguousarray(rows, dtype=np.float64).view()
    view.flags.writeable = False
    return view
