"""Solves with a graph's Laplacian: columns of its pseudoinverse without forming it."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from lapwing.checks import strictly_between
from lapwing.errors import ConvergenceError, InputError
from lapwing.linalg.laplacian import combinatorial_laplacian
from lapwing.linalg.solve.approximate_elimination import ApproximateElimination
from lapwing.linalg.solve.conjugate_gradients import Operator, conjugate_gradients
from lapwing.linalg.solve.direct import DirectSolver
from lapwing.types import Array, Index

MAX_CORE = 6000
"""The largest dense core that is factorised: 288 MB, a few seconds."""
MAX_DIRECT = 200_000
"""The largest graph on which exact elimination is tried."""
HARD_STEPS = 1000
"""Number of steps with the better preconditioner."""
SMALL = 5000
"""Graphs of up to this many nodes are factorised immediately."""
EASY_STEPS = 40
"""Number of conjugate gradient steps with the diagonal before building a better one."""


class LaplacianSolver:
    """Apply L+, the pseudoinverse of a graph's Laplacian, to one vector or many.

    A small graph is factorised (`DirectSolver`). On a larger one, conjugate gradients run with a
    diagonal preconditioner. If that does not converge in a few steps, the graph is factorised or,
    if its core is too large, preconditioned by `ApproximateElimination`. Whatever was built is kept
    for the next solve. The true relative residual ``|y - L x| / |y|`` of every solution is checked
    against `tol`. Disconnected graphs are solved component by component: x sums to zero on each, as
    does the part of y that is used.

    Parameters
    ----------
    adjacency: symmetric, positive weights, no loops, as `Graph.adjacency` is.
    tol: the largest relative residual allowed.

    Examples
    --------
    Two triangles joined by an edge.

    >>> A = np.zeros((6, 6))
    >>> for i, j in [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)]:
    ...     A[i, j] = A[j, i] = 1.0
    >>> solver = LaplacianSolver(sparse.csr_array(A))
    >>> solver.column(2).round(4)
    array([ 0.1944,  0.1944,  0.3611, -0.1389, -0.3056, -0.3056])
    """

    def __init__(self, adjacency: sparse.csr_array, *, tol: float = 1e-8) -> None:
        strictly_between("tol", tol, 0, 1)
        self._adjacency, self._tol = adjacency, tol
        self._laplacian = combinatorial_laplacian(adjacency)
        self._parts = csgraph.connected_components(adjacency, connection="strong")
        diagonal = self._laplacian.diagonal()
        self._diagonal = np.where(diagonal > 0, diagonal, 1.0)[:, None]
        self._hard = False

    @property
    def n(self) -> int:
        """The number of nodes of the graph."""
        return int(self._adjacency.shape[0])

    @cached_property
    def direct(self) -> DirectSolver | None:
        """The factorisation, if the graph allows one; computed when first needed."""
        if self.n > MAX_DIRECT:
            return None
        return DirectSolver.of(self._adjacency, max_core=MAX_CORE)

    @cached_property
    def _approximate(self) -> ApproximateElimination:
        return ApproximateElimination(self._adjacency)

    def column(self, node: int) -> Array:
        """Return column `node` of L+."""
        return self.columns(np.array([node]))[:, 0]

    def columns(self, nodes: Index) -> Array:
        """Return columns of L+, one per node."""
        nodes = np.atleast_1d(nodes)
        if nodes.size and not 0 <= nodes.min() <= nodes.max() < self.n:
            raise InputError(f"nodes must lie in 0..{self.n - 1}, got {nodes}")
        rhs = np.zeros((self.n, len(nodes)))
        rhs[nodes, np.arange(len(nodes))] = 1.0
        return self.solve(rhs)

    def solve(self, rhs: Array) -> Array:
        """Multiply L+ with a vector, or with each column of an ``(n, k)`` array."""
        rhs = np.asarray(rhs, dtype=np.float64)
        if rhs.shape[0] != self.n or rhs.ndim > 2:
            raise InputError(f"right side must have {self.n} rows, got shape {rhs.shape}")
        if not np.isfinite(rhs).all():
            raise InputError("right side must be finite")
        block = self.centred(rhs.reshape(self.n, -1))
        x = self.centred(self._solved(block))
        residual = self._residuals(x, block).max(initial=0.0)
        if not residual <= self._tol:
            raise ConvergenceError(
                f"solves must reach relative residual {self._tol:g}, got {residual:.2g}"
            )
        return x.reshape(rhs.shape)

    def _residuals(self, x: Array, rhs: Array) -> Array:
        """Return the relative residual of each solution."""
        size = np.linalg.norm(rhs, axis=0)
        error = np.linalg.norm(rhs - self._laplacian @ x, axis=0)
        return np.asarray(error / np.where(size > 0, size, 1.0), dtype=np.float64)

    def centred(self, x: Array) -> Array:
        """Subtract the mean of each component: project the vectors onto the range of L."""
        count, part = self._parts
        if count == 1:
            return np.asarray(x - x.mean(axis=0), dtype=np.float64)
        return np.asarray(x - (self._means @ x)[part], dtype=np.float64)

    @cached_property
    def _means(self) -> sparse.csr_array:
        count, part = self._parts
        share = 1.0 / np.bincount(part)[part]
        return sparse.csr_array((share, (part, np.arange(self.n))), (count, self.n))

    def _solved(self, rhs: Array) -> Array:
        """Solve with the cheapest method that converges; the caller checks the residuals."""
        x = np.zeros_like(rhs)
        if self.n > SMALL and not self._hard:
            x, residual = self._steps(rhs, x, lambda r: r / self._diagonal, EASY_STEPS)
            if residual.max(initial=0.0) <= self._tol:
                return x
            self._hard = True
        if self.direct is not None:
            x = self.direct(rhs)
            return x + self.direct(self.centred(rhs - self._laplacian @ x))
        return self._steps(rhs, x, lambda r: self.centred(self._approximate(r)), HARD_STEPS)[0]

    def _steps(
        self, rhs: Array, x: Array, precondition: Operator, steps: int
    ) -> tuple[Array, Array]:
        return conjugate_gradients(
            self._laplacian.__matmul__, rhs, precondition, tol=self._tol, max_steps=steps, start=x
        )
