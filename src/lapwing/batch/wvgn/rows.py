"""The geometric neighbourhood of a node: where its random walks go, damped by length."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numba import njit
from scipy import sparse

from lapwing.batch.diffusion.transition import transition, unit_weights
from lapwing.batch.linear.gram import BLOCK
from lapwing.checks import at_least, finite_positive
from lapwing.graph import Graph
from lapwing.types import Array, Nodes


@dataclass(frozen=True)
class GeometricRows:
    """x_q = p_q (rho P + rho^2/2! P^2 + ... + rho^m/m! P^m), with P = D^-1 A and p_q its row q.

    Ye et al. 2017, Section 3.3: each row takes hops until the acceleration of its terms falls below
    `tol` (their epsilon, 1e-4), at most `max_hops`; in the limit the row is p_q (exp(rho P) - I).
    `times` and `transposed_times` multiply by the matrix of all rows, which is n x n and never
    formed, with as many hops as keep each term's entries below `tol`. A hop costs one pass over the
    edges for each row or column.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> rows = GeometricRows(graph)
    >>> rows.rows(np.array([0])).round(1).tolist()
    [[29.6, 29.1, 38.8, 24.4, 12.8, 12.8]]
    >>> float(rows.times(np.ones((6, 1)))[0, 0])
    147.413
    """

    graph: Graph
    rho: float = 5.0
    tol: float = 1e-4
    max_hops: int = 50

    def __post_init__(self) -> None:
        finite_positive("rho", self.rho)
        at_least("tol", self.tol, 0)
        at_least("max_hops", self.max_hops, 1)

    def rows(self, nodes: Nodes) -> Array:
        """Return the rows of some nodes, ``(m, n)``, each with its own number of hops."""
        found = np.empty((len(nodes), self.graph.n_nodes))
        for start in range(0, len(nodes), BLOCK):
            found[start : start + BLOCK] = self._block(nodes[start : start + BLOCK]).T
        return found

    def _block(self, nodes: Nodes) -> Array:
        """Return the rows of a few nodes as columns: Algorithm 1, lines 5-13."""
        start = np.zeros((self.graph.n_nodes, len(nodes)))
        start[nodes, np.arange(len(nodes))] = 1.0
        before = self.rho * (self._back @ (self._back @ start))
        term = (self.rho / 2) * (self._back @ before)
        total = before + term
        walking = np.ones(len(nodes))
        for hop in range(3, self.max_hops + 1):
            after = self._back @ term
            bend = _accelerated(after, self.rho / hop, term, before, total, walking)
            walking[bend <= self.tol] = 0.0
            if not walking.any():
                break
            term, before = after, term
        return np.asarray(total if self.max_hops > 1 else before)

    def times(self, values: Array) -> Array:
        """Return X @ values, for one column or several, ``(n, k)``."""
        ahead = transition(self.graph)
        term = ahead @ values
        total = np.zeros_like(term)
        for hop in range(1, self.hops + 1):
            term = (self.rho / hop) * (ahead @ term)
            total += term
        return np.asarray(total)

    def transposed_times(self, values: Array) -> Array:
        """Return X.T @ values, for one column or several, ``(n, k)``."""
        term = self._back @ values
        total = np.zeros_like(term)
        for hop in range(1, self.hops + 1):
            term = (self.rho / hop) * (self._back @ term)
            total += term
        return np.asarray(total)

    @property
    def metric(self) -> Array:
        """1 / d_i^2 of objective (9): the degree; 1 for an isolated node, whose column is zero.

        Degrees are counted in weights of mean 1.
        """
        degrees = np.asarray(unit_weights(self.graph).sum(axis=1))
        return np.where(degrees > 0, degrees, 1.0)

    @property
    def hops(self) -> int:
        """Return the hops after which no term has an entry above `tol`, by the bound rho^m / m!."""
        bound, hop = 1.0, 0
        while hop < self.max_hops and (bound > self.tol or hop < self.rho):
            hop += 1
            bound *= self.rho / hop
        return hop

    @cached_property
    def _back(self) -> sparse.csr_array:
        """Multiply by P.T: each column, read as a row vector, walks one step."""
        return sparse.csr_array(transition(self.graph).T)


@njit(cache=True, fastmath=True)
def _accelerated(
    after: Array, rate: float, term: Array, before: Array, total: Array, walking: Array
) -> Array:
    """Add the scaled new terms; return each column's max |(after - term) - (term - before)|."""
    width = term.shape[1]
    bend = np.zeros(width)
    for i in range(term.shape[0]):
        for k in range(width):
            after[i, k] *= rate
            bend[k] = max(bend[k], abs(after[i, k] - 2.0 * term[i, k] + before[i, k]))
            total[i, k] += walking[k] * after[i, k]
    return bend
