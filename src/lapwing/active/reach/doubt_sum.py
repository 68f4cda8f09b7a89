"""The doubt that every node reaches, kept up to date as accurately as ranking needs it."""

from __future__ import annotations

import copy
from typing import Self

import numpy as np

from lapwing.graph import Graph
from lapwing.linalg.chebyshev import diffused
from lapwing.linalg.passes import Passes
from lapwing.linalg.push.changing_matrix import ChangingRows
from lapwing.linalg.push.residuals import UNLIMITED, Diffusion, queue_arrays, settle_from
from lapwing.types import Array, Nodes

WIDE = 0.02
"""A label that changes a larger share of all doubt triggers a new solve of the sum."""
TINY, EXACT = 100, 1e-12
"""The tolerance on a graph of at most 100 nodes, where nodes that look alike must tie."""
SUMMED = 100.0
"""The factor by which residuals can be larger in sums that only rank nodes."""
LARGE, ROUGHER = 25_000, 3.0
"""On a larger graph, where most nodes are far from the best, this factor more."""
MOST_READ = 1_000_000
"""Neighbours read after one label on such a graph; what is left to push waits for the next."""
CORRECTED = 0.3
"""How much of the change, at most, is left when such a graph's sum is corrected as a whole."""


class DoubtSum:
    r"""The sums :math:`\sum_v R_{vc} s_v` over the sources s of a graph's nodes, from 1 on.

    They solve (D - alpha A) x = (1 - alpha) s, times D, and follow changes of sources by pushes, or
    by passes over all edges where much has changed. On a graph of more than 25,000 nodes, a change
    reads at most a million neighbours: sums far from it may lag behind, and catch up with the next
    changes. How far they lag does not depend on the clock, so the same labels give the same sums.

    Examples
    --------
    >>> path = Graph.from_edges([(0, 1), (1, 2)])
    >>> sums = DoubtSum(path, alpha=0.5, eps=1e-3)
    >>> sums.of(np.arange(3)).round(3)
    array([0.833, 1.333, 0.833])
    >>> sums.change(np.array([0]), np.array([0.0]))
    >>> sums.of(np.arange(3)).round(3)
    array([0.25, 1.  , 0.75])
    """

    def __init__(self, graph: Graph, *, alpha: float, eps: float) -> None:
        n, degrees = graph.n_nodes, np.where(graph.degrees > 0, graph.degrees, 1.0)
        self._adjacency, self._alpha = graph.adjacency, alpha
        self._passes = Passes(graph.adjacency) if n > LARGE else None
        self._exact_passes = Passes(graph.adjacency, np.float64) if n > LARGE else None
        self._most = UNLIMITED if self._passes is None else MOST_READ
        self._source = np.ones(n)
        summed = SUMMED * eps * (1.0 if self._passes is None else ROUGHER)
        self._tol = EXACT if n <= TINY else summed
        tolerance = summed / float(degrees.mean()) if n else eps
        rows = ChangingRows(graph.adjacency)
        one = (np.array([alpha]), np.zeros(1), np.array([tolerance]), np.zeros(1), 1)
        self.system = Diffusion(
            rows.start, rows.stop, rows.neighbors, rows.weights, degrees, np.zeros(n), np.ones(1),
            *one, np.zeros((n, 1)), np.zeros((n, 1)), *queue_arrays(n),
        )  # fmt: skip
        self._solve()

    def of(self, nodes: Nodes) -> Array:
        """Return the sums of these nodes."""
        return np.asarray(self.system.diagonal[nodes] * self.system.solution[nodes, 0])

    def twin(self) -> Self:
        """Return a copy that changes on its own."""
        other = copy.copy(self)
        parts = ("solution", "residual", "queue", "waiting", "counts")
        other.system = self.system._replace(**{p: getattr(self.system, p).copy() for p in parts})
        other._source = self._source.copy()
        return other

    def change(self, nodes: Nodes, source: Array) -> None:
        """Follow a change of these nodes' sources."""
        by = source - self._source[nodes]
        self._source[nodes] = source
        wide = np.abs(by).sum() > WIDE * len(self._source)
        if wide and self._passes is None:
            self._solve()
            return
        self.system.residual[nodes, 0] += (1.0 - self._alpha) * by
        if wide:
            self._correct()
        else:
            settle_from(self.system, nodes, self._most)

    def _solve(self) -> None:
        """Solve for the sums directly: faster than pushes everywhere."""
        degrees = self.system.diagonal
        source = (1.0 - self._alpha) * self._source
        solution = self._diffused(source, self._tol)
        self.system.solution[:, 0] = solution
        self.system.residual[:, 0] = (
            source + self._alpha * self._product(solution) - degrees * solution
        )
        settle_from(self.system, np.arange(len(degrees)), self._most)

    def _correct(self) -> None:
        """Solve for what the sums lack, roughly."""
        residual = self.system.residual[:, 0]
        step = self._diffused(residual, CORRECTED)
        self.system.solution[:, 0] += step
        residual += self._alpha * self._product(step) - self.system.diagonal * step
        settle_from(self.system, np.arange(len(step)), self._most)

    def _product(self, values: Array) -> Array:
        """The adjacency times one column."""
        if self._exact_passes is None:
            return np.asarray(self._adjacency @ values)
        found = np.zeros((len(values), 1))
        self._exact_passes.step(values[:, None], found, a=1.0)
        return np.asarray(self.system.diagonal * found[:, 0])

    def _diffused(self, right: Array, tol: float) -> Array:
        column = (right / self.system.diagonal)[:, None]
        found = diffused(self._adjacency, column, alpha=self._alpha, tol=tol, passes=self._passes)
        return np.asarray(found[:, 0], dtype=np.float64)
