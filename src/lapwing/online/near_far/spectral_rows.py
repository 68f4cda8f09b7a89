"""Unit rows of a graph's smoothest directions, which follow the graph while it grows."""

from __future__ import annotations

import copy
import warnings
from typing import Any, Self

import numpy as np

from lapwing.embed.growing_rows import interpolated
from lapwing.embed.laplacian import (
    EXACT_ROWS,
    ROWS_WITHIN,
    largest_components,
    with_unit_rows,
)
from lapwing.embed.learning_rows import learning_rows, usual_rank
from lapwing.errors import ConvergenceError
from lapwing.graph import Graph
from lapwing.graph.growth import weights_before
from lapwing.linalg.eigen.wide_rows import wide_rows
from lapwing.types import Array, Nodes

MOST_COMPONENTS, LEAST_SHARE = 32, 1e-3
"""Only so many components have a column, on a large graph those of this share of the nodes: labels
nearby tell what smaller ones are."""
MOST_DRIFT = 0.02
"""Rows are refreshed when this share of the edge weight has changed since."""
BLOCK = 1 << 16
"""Rows that are made at a time."""
SMALL = 200
"""Rows of graphs up to this size are computed again instead."""


class SpectralRows:
    """Rows of the smoothest vectors (`learning_rows`), and of components, of length 1.

    Where there are several components, a node's place in its component and the component itself
    count alike: each is half of the row's square.

    When the graph grows, new nodes get the mean of their neighbours, nodes with new edges move
    towards the other ends, and the columns of components are made anew. `drift` is the share of the
    edge weight that changed since the eigenvectors were last right. Beyond 2%, they are refreshed:
    the filter that finds them on large graphs starts from what is there and makes passes over the
    edges until every residual ``|L v - lambda v|`` is at most 0.01. `history` says when. Nothing is
    computed before `rows` is first read.

    Parameters
    ----------
    graph
        The graph.
    rank
        Number of eigenvectors: 0 for none; None for `usual_rank`.

    Examples
    --------
    >>> two = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> rows = SpectralRows(two, None)
    >>> rows.made, np.sign(rows.rows[:, 0]).tolist()
    (False, [1.0, 1.0, 1.0, -1.0, -1.0, -1.0])
    >>> more = rows.grown(two.with_edges([(5, 6)]))
    >>> np.sign(more.rows[:, 0]).tolist(), more.history
    ([1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0], ('rows computed again at 7 nodes',))
    """

    def __init__(self, graph: Graph, rank: int | None) -> None:
        self.graph, self.rank = graph, rank
        self._vectors: Array | None = None
        self._lengths: Array | None = None
        self._rows: Array | None = None
        self.changed = 0.0
        """The edge weight that changed since the eigenvectors were computed or refreshed."""
        self.history: tuple[str, ...] = ()

    def __deepcopy__(self, memo: object) -> Self:
        """Nothing but what is not yet computed ever changes, so that copies can share it."""
        return self

    @property
    def made(self) -> bool:
        """Whether the rows have been computed."""
        return self._rows is not None

    @property
    def is_empty(self) -> bool:
        """Whether no eigenvector is wanted, so that all rows are zeros."""
        return self._count == 0

    @property
    def rows(self) -> Array:
        """One row per node; zeros, with a warning, where the spectrum cannot be had."""
        if self._rows is None:
            if self._vectors is None:
                found = _computed(self.graph, self._count)
                self._vectors = found.astype(self._precision, copy=False)
            rows = self._vectors[:, : self._count] if self._count else self._vectors
            kind = np.dtype(self._precision)
            components = self.graph.components
            self._rows = _frozen(_unit_rows(rows, components, self._components(), kind))
            if kind == np.float32:  # rows and lengths hold the same in half the memory
                self._lengths, self._vectors = _lengths(rows), None
        return self._rows

    def _components(self) -> Nodes:
        """The components that have a column, the largest first."""
        if self._count == 0 or self.graph.n_components == 1:
            return np.empty(0, dtype=np.intp)
        largest = largest_components(self.graph, MOST_COMPONENTS)
        if self.graph.n_nodes <= EXACT_ROWS:
            return largest
        sizes = np.bincount(self.graph.components)[largest]
        return largest[sizes >= LEAST_SHARE * self.graph.n_nodes]

    def _known(self) -> Array | None:
        """The vectors, each times its weight, if they have been computed."""
        if self._vectors is not None or self._rows is None or self._lengths is None:
            return self._vectors
        places = self._rows[:, : self._count]
        return np.asarray(with_unit_rows(places) * self._lengths[:, None])

    @property
    def _count(self) -> int:
        """The number of eigenvectors."""
        n = self.graph.n_nodes
        rank = usual_rank(n) if self.rank is None else self.rank
        return 0 if n < 3 or self.graph.n_edges == 0 or rank == 0 else min(rank, n) - 1

    @property
    def _precision(self) -> type[np.floating[Any]]:
        """Eigenvectors of large graphs are approximate: single precision holds them."""
        return np.float32 if self.graph.n_nodes > EXACT_ROWS else np.float64

    @property
    def drift(self) -> float:
        """The share of the edge weight that changed since the eigenvectors were right."""
        total = float(self.graph.degrees.sum()) / 2.0
        return min(self.changed / total, 1.0) if total else 0.0

    def anew(self, graph: Graph) -> Self:
        """Return the rows of a graph, not computed yet."""
        after = copy.copy(self)
        after.graph, after.changed = graph, 0.0
        after._vectors = after._lengths = after._rows = None
        return after

    def grown(self, graph: Graph) -> Self:
        """Return the rows of a changed graph that keeps the indices of all nodes."""
        after = self.anew(graph)
        known = self._known()
        if known is None:
            return after
        change = graph.change_since(self.graph)
        steps = change.weights - weights_before(self.graph.adjacency, change)
        after.changed = self.changed + float(np.abs(steps).sum())
        small = graph.n_nodes <= SMALL or not known.any()
        if after.drift <= MOST_DRIFT or not small:
            smooth = known / _roots(self.graph)
            after._vectors = interpolated(smooth, graph, change, steps) * _roots(graph)
        if after.drift > MOST_DRIFT:
            said = f"rows {'computed again' if small else 'refreshed'} at {graph.n_nodes:,} nodes"
            after._refresh()
            after.changed, after.history = 0.0, (*self.history, said)
        return after

    def _refresh(self) -> None:
        """Bring the eigenvectors within the tolerance, from where they are."""
        if self._vectors is not None:
            near, count = self._vectors, self._count
            found = wide_rows(self.graph.adjacency, count, tol=ROWS_WITHIN, start=near)
            self._vectors = np.asarray(found, dtype=self._precision)


def _computed(graph: Graph, count: int) -> Array:
    """Return the vectors, each times its weight."""
    if count == 0:
        return np.zeros((graph.n_nodes, 1))
    try:
        return learning_rows(graph, count + 1)
    except ConvergenceError as failed:
        warnings.warn(f"near-far learns from neighbours only: {failed}", RuntimeWarning, 2)
        return np.zeros((graph.n_nodes, 1))


def _unit_rows(rows: Array, components: Nodes, largest: Nodes, kind: np.dtype[Any]) -> Array:
    """Return unit rows, each with columns for the largest components, made block by block.

    All at once would need several times the memory of the result.
    """
    made = np.empty((len(rows), rows.shape[1] + len(largest)), dtype=kind)
    for first in range(0, len(rows), BLOCK):
        part = slice(first, first + BLOCK)
        unit = with_unit_rows(rows[part].astype(kind))
        if len(largest):
            columns = (components[part, None] == largest).astype(kind)
            unit = with_unit_rows(np.hstack([unit, columns]))
        made[part] = unit
    return made


def _lengths(rows: Array) -> Array:
    """Return the length of each row, block by block."""
    blocks = [rows[first : first + BLOCK] for first in range(0, len(rows), BLOCK)]
    return np.concatenate([np.linalg.norm(block, axis=1) for block in blocks])


def _roots(graph: Graph) -> Array:
    """The roots of the degrees: an eigenvector over them varies slowly over edges."""
    return np.sqrt(np.where(graph.degrees > 0, graph.degrees, 1.0))[:, None]


def _frozen(rows: Array) -> Array:
    view = np.ascontiguousarray(rows).view()
    view.flags.writeable = False
    return view
