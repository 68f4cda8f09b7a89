"""Minimal norm interpolation, one Cholesky row a label."""

from __future__ import annotations

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from lapwing.online.columns import Columns
from lapwing.online.kernel_learner import KernelLearner
from lapwing.types import Array, Nodes

DEPENDENT = 1e-10
"""A node whose column is this close, in squared norm, to the labelled ones' span is in it."""


class MNI(KernelLearner):
    """The smoothest function that equals every label seen so far.

    MNI-ag of Herbster, Pontil and Wainer (2005): Algorithm 2 with U_t = {1, ..., t}, aggressive,
    not cyclic, so that g solves their (4). The Cholesky factor of K between the labelled nodes, in
    the order of presentation, grows by one row a label: round t costs O(t^2), a margin O(d) on
    rows. On columns a round costs two solves: the node's column, and g itself.

    Parameters
    ----------
    kernel, c, start
        As for every `KernelLearner`. The paper's kernel L+ fails on unbalanced labels; b > 0
        (a constant column sqrt(b) in the rows) repairs it.

    Notes
    -----
    Departures: a node whose label others already force (all labelled ones but one on L+ alone; any
    node after d labels on rows of rank d) cannot be interpolated and is passed over; c > 0 avoids
    that. A node that comes again with another label takes the later one.

    References
    ----------
    Herbster, Pontil, Wainer. *Online learning over graphs.* ICML 2005.

    Examples
    --------
    Two triangles joined by an edge: half of the way is half of the label.

    >>> from lapwing.embed import laplacian
    >>> from lapwing.graph import Graph
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learner = MNI(laplacian(graph, rank=None, bias=1.0))
    >>> for node, label in [(0, +1), (5, -1)]:
    ...     learner.learn(node, label)
    >>> learner.margin(np.arange(6)).round(2)
    array([ 1.  ,  0.71,  0.43, -0.43, -0.71, -1.  ])
    """

    def __init__(
        self, kernel: Array | Columns, *, c: float = 0.0, start: Array | None = None
    ) -> None:
        super().__init__(kernel, c=c, start=start)
        self.nodes: list[int] = []
        self.factor = np.zeros((8, 8))
        self.targets: list[float] = []
        self.progress = 0.0

    def learn(self, node: int, label: int | None) -> None:
        if label is None:
            return
        moved = label - float(self.span.values(node))
        if node in self.nodes:
            self._relabel(self.nodes.index(node), moved)
        elif self._grow(node):
            self.targets.append(label - float(self.span.start_values(node)))
            self._interpolate()
            self.progress += (moved / self.factor[len(self.nodes) - 1, len(self.nodes) - 1]) ** 2

    def _grow(self, node: int) -> bool:
        """One more row of the factor, unless the labelled nodes' columns span this one's."""
        t = len(self.nodes)
        row = self.span.inner(node, np.array([*self.nodes, node], dtype=np.intp))
        solved = solve_triangular(self.factor[:t, :t], row[:t], lower=True, check_finite=False)
        left = row[t] - solved @ solved
        if left <= DEPENDENT * row[t]:
            return False
        if t == len(self.factor):
            self.factor = np.pad(self.factor, (0, t))
        self.factor[t, :t], self.factor[t, t] = solved, np.sqrt(left)
        self.nodes.append(node)
        return True

    def _amounts(self) -> Array:
        t = len(self.targets)
        factor = self.factor[:t, :t]
        half = solve_triangular(factor, np.array(self.targets), lower=True, check_finite=False)
        return np.asarray(solve_triangular(factor.T, half, lower=False, check_finite=False))

    def _interpolate(self) -> None:
        self.span.assign(np.array(self.nodes, dtype=np.intp), self._amounts())

    def _relabel(self, position: int, moved: float) -> None:
        if moved == 0:
            return
        before = self._amounts()
        self.targets[position] += moved
        change = self._amounts() - before
        self._interpolate()
        self.progress += moved * float(change[position])


def interpolation_margins(kernel: Array, nodes: Nodes, labels: Nodes) -> Array:
    """The margin of minimal norm interpolation at each round of a stream, before its label.

    `kernel` is the whole matrix K, the nodes must differ, `labels` are -1 or +1. One Cholesky
    K = FF' in the order of presentation says it all: with Fz = y, round t has the margin
    y_t - F_tt z_t. K restricted to all nodes but the last must be positive definite, as L+ is.

    Examples
    --------
    >>> from lapwing.embed import laplacian
    >>> from lapwing.graph import Graph
    >>> rows = laplacian(Graph.from_edges([(0, 1), (1, 2)]), rank=None, bias=1.0)
    >>> interpolation_margins(rows @ rows.T, np.array([0, 2, 1]), np.array([1, 1, -1])).round(3)
    array([0.   , 0.357, 0.842])
    """
    ordered = kernel[np.ix_(nodes, nodes)]
    inner = len(nodes) - 1
    y = labels.astype(np.float64)
    factor = cholesky(ordered[:inner, :inner], lower=True, check_finite=False)
    z = solve_triangular(factor, y[:inner], lower=True, check_finite=False)
    last = solve_triangular(factor, ordered[:inner, inner], lower=True, check_finite=False) @ z
    return np.append(y[:inner] - np.diag(factor) * z, last)
