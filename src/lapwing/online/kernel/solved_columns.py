"""Columns of a large graph's kernel, each solved for when it is first needed."""

from __future__ import annotations

from collections import OrderedDict
from functools import cached_property

import numpy as np

from lapwing.embed import ResistanceSketch
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.linalg import LaplacianSolver
from lapwing.types import Array, Index, Nodes

KEPT_BYTES = 512 * 2**20
"""How much memory the columns used last may take."""
BLOCK = 16


class SolvedColumns:
    """K = L+ + bias 11' of a graph of any size: one Laplacian solve per column, none formed whole.

    A learner that updates on mistakes pays one solve for each. The columns used last are kept, as
    many as 512 MB hold, since projections and several classes come back to them. K_ii is
    exact where it is asked for one node, or where the column was solved for already; over many
    nodes it is a sketch (about 10% off, from 200 solves when first asked for), good enough to
    choose nodes by Act-st.

    Parameters
    ----------
    graph
        The graph; of several components, each has its own L+, and the bias is common.
    bias
        b of b 11', at least 0.
    tol
        The relative residual that every solve must reach.
    projections
        How many random projections the sketch of diag(K) takes.
    seed
        Draws the sketch.

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
        if not (np.isfinite(bias) and bias >= 0):
            raise InputError(f"bias must be finite and at least 0, got {bias}")
        self.graph, self.bias = graph, bias
        self.projections, self.seed = projections, seed
        self.solver = LaplacianSolver(graph.adjacency, tol=tol)
        self.solves = 0
        self._kept: OrderedDict[int, Array] = OrderedDict()
        self._most = max(4, KEPT_BYTES // (8 * max(graph.n_nodes, 1)))
        self._norms: dict[int, float] = {}

    @property
    def n_nodes(self) -> int:
        """How many nodes there are."""
        return self.graph.n_nodes

    def column(self, node: int) -> Array:
        """One column, solved for unless it is kept."""
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
        """The sum of some columns, each times its amount: one solve for all."""
        spread = np.zeros(self.n_nodes)
        np.add.at(spread, nodes, amounts)
        self.solves += 1
        return np.asarray(self.solver.solve(spread) + self.bias * spread.sum())

    def between(self, some: Nodes, others: Nodes) -> Array:
        """The block of K of some rows and columns, a solve per column."""
        block = np.empty((len(some), len(others)))
        for start in range(0, len(others), BLOCK):
            part = others[start : start + BLOCK]
            block[:, start : start + BLOCK] = self.solver.columns(part)[some] + self.bias
        self.solves += len(others)
        return block

    def diagonal(self, nodes: Index) -> Array:
        """K_ii: exact for one node, and for those solved before; else the sketch's estimate."""
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
