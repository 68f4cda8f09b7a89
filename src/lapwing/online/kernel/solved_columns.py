"""Columns of a large graph's kernel, each solved when it is first needed."""

from __future__ import annotations

from collections import OrderedDict
from functools import cached_property

import numpy as np

from lapwing.checks import finite_at_least
from lapwing.embed import ResistanceSketch
from lapwing.graph import Graph
from lapwing.linalg import LaplacianSolver
from lapwing.types import Array, Index, Nodes

KEPT_BYTES = 512 * 2**20
"""Memory for the most recently used columns, in bytes."""
BLOCK = 16


class SolvedColumns:
    """The kernel K = L+ + bias 11' of a graph of any size, by one Laplacian solve per column.

    A learner that updates on mistakes takes one solve per mistake. The most recently used columns
    are kept, up to 512 MB, since projections and several classes reuse them. K_ii is exact for a
    single node, or if the column was solved before; for many nodes it is estimated by a sketch
    (about 10% off, from 200 solves on first use), which is good enough to choose nodes by Act-st.

    Parameters
    ----------
    graph
        The graph; of several components, each has its own L+, and the bias is common.
    bias
        b of b 11', at least 0.
    tol
        The relative residual that every solve must reach.
    projections
        Number of random projections in the sketch of diag(K).
    seed
        Seed of the sketch.

    Examples
    --------
    >>> K = SolvedColumns(Graph.from_edges([(0, 1), (1, 2)]), bias=1.0)
    >>> K.column(0).round(3)
    array([1.556, 0.889, 0.556])
    >>> float(K.diagonal(2)), K.solves
    (1.555556, 2)
    """

    def __init__(
        self,
        graph: Graph,
        *,
        bias: float = 0.0,
        tol: float = 1e-8,
        projections: int = 200,
        seed: int = 0,
    ) -> None:
        finite_at_least("bias", bias, 0)
        self.graph, self.bias = graph, bias
        self.projections, self.seed = projections, seed
        self.solver = LaplacianSolver(graph.adjacency, tol=tol)
        self.solves = 0
        self._kept: OrderedDict[int, Array] = OrderedDict()
        self._most = max(4, KEPT_BYTES // (8 * max(graph.n_nodes, 1)))
        self._norms: dict[int, float] = {}

    @property
    def n_nodes(self) -> int:
        """The number of nodes."""
        return self.graph.n_nodes

    def column(self, node: int) -> Array:
        """Return one column, solved unless it is cached."""
        if node in self._kept:
            self._kept.move_to_end(node)
        else:
            self._kept[node] = self.solver.column(node) + self.bias
            self._norms[node] = float(self._kept[node][node])
            self.solves += 1
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return self._kept[node]

    def combined(self, nodes: Nodes, amounts: Array) -> Array:
        """Return the sum of some columns, each times its amount, by a single solve."""
        spread = np.zeros(self.n_nodes)
        np.add.at(spread, nodes, amounts)
        self.solves += 1
        return np.asarray(self.solver.solve(spread) + self.bias * spread.sum())

    def between(self, some: Nodes, others: Nodes) -> Array:
        """Return the block of K of some rows and columns, by one solve per column."""
        block = np.empty((len(some), len(others)))
        for start in range(0, len(others), BLOCK):
            part = others[start : start + BLOCK]
            block[:, start : start + BLOCK] = self.solver.columns(part)[some] + self.bias
        self.solves += len(others)
        return block

    def diagonal(self, nodes: Index) -> Array:
        """Return K_ii: exact for one node or solved columns, else estimated by the sketch."""
        if np.ndim(nodes) == 0:
            node = int(nodes)
            if node not in self._norms:
                self.column(node)
            return np.asarray(self._norms[node])
        estimate = self._sketch.copy()
        estimate[list(self._norms)] = list(self._norms.values())
        return np.asarray(estimate[nodes])

    @cached_property
    def _sketch(self) -> Array:
        sketch = ResistanceSketch(
            self.graph, projections=self.projections, seed=self.seed, solver=self.solver
        )
        self.solves += self.projections
        return np.asarray(sketch.diagonal() + self.bias)
