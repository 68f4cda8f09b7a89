"""Minimal norm interpolation, one Cholesky row per label."""

from __future__ import annotations

import numpy as np
from scipy.linalg import LinAlgError, cholesky, solve_triangular

from lapwing.learner import BinaryTrace
from lapwing.online.kernel.columns import KernelColumns
from lapwing.online.kernel.kernel_learner import KernelLearner
from lapwing.types import Array, Index, Mask, Nodes

DEPENDENT = 1e-10
"""A column this close, in squared norm, to the span of labelled ones counts as inside."""


class MNI(KernelLearner):
    """Predict with the smoothest function that equals every label seen so far.

    MNI-ag of Herbster, Pontil and Wainer (2005): Algorithm 2 with U_t = {1, ..., t}, aggressive,
    not cyclic, so that g solves their (4). The Cholesky factor F of K between the labelled nodes,
    in the order of presentation, grows by one row per label, and with it z = F^-1 y: round t costs
    O(t^2) (a recorded stream of new nodes is one blocked Cholesky). On columns a round costs one
    column; reading many nodes at once costs one combination of columns.

    Parameters
    ----------
    kernel, c, start
        As for every `KernelLearner`. The paper's kernel L+ fails on unbalanced labels; b > 0
        (a constant column sqrt(b) in the rows) repairs it.

    Notes
    -----
    Departures: a node whose label others already force (the last of all on L+ alone; any node after
    d labels on rows of rank d) cannot be interpolated and is skipped; c > 0 avoids that. If a node
    appears again with another label, the later one counts.

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
        self, kernel: Array | KernelColumns, *, c: float = 0.0, start: Array | None = None
    ) -> None:
        super().__init__(kernel, c=c, start=start)
        self.nodes: list[int] = []
        self.factor = np.zeros((8, 8))
        self.z = np.zeros(8)
        self.progress = 0.0
        self.assigned = 0

    def _margin(self, nodes: Index) -> Array:
        if np.ndim(nodes) == 0:
            node = int(nodes)
            return np.asarray(self.span.start_values(node) + self._row(node) @ self._z)
        if self.assigned != len(self.nodes):
            self.span.assign(np.array(self.nodes, dtype=np.intp), self._amounts())
            self.assigned = len(self.nodes)
        return self.span.values(nodes)

    def _learn(self, node: int, label: int | None) -> None:
        if label is None:
            return
        row = self._row(node)
        moved = label - float(self.span.start_values(node) + row @ self._z)
        if node in self.nodes:
            self._relabel(self.nodes.index(node), moved)
            return
        norm = float(self.span.inner(node, np.array([node]))[0])
        left = norm - float(row @ row)
        if left > DEPENDENT * norm:
            self._grow(np.array([node]), row[None], np.array([[np.sqrt(left)]]))
            self.z[len(self.nodes) - 1] = moved / np.sqrt(left)
            self.progress += moved**2 / left

    def _stream(self, nodes: Nodes, labels: Nodes, shown: Mask | None) -> BinaryTrace:
        """Play rounds over a recorded stream; new nodes are one blocked Cholesky.

        With Fz = y, round t has the margin y_t - F_tt z_t. The last node, whose label the others
        may force, is played by itself.
        """
        every = shown is None or bool(shown.all())
        new = len(np.unique([*self.nodes, *nodes])) == len(self.nodes) + len(nodes)
        first = None
        if every and new and len(nodes) > 2:
            first = self._block(nodes[:-1], labels[:-1].astype(np.float64))
        if first is None:
            return super()._stream(nodes, labels, shown)
        last = super()._stream(nodes[-1:], labels[-1:], None).margins
        return BinaryTrace(np.append(first, last), np.ones(len(nodes), dtype=bool))

    @property
    def _z(self) -> Array:
        return self.z[: len(self.nodes)]

    def _row(self, node: int) -> Array:
        """Return the row that the factor would get for a node."""
        t = len(self.nodes)
        between = self.span.inner(node, np.array(self.nodes, dtype=np.intp))
        factor = self.factor[:t, :t]
        return np.asarray(solve_triangular(factor, between, lower=True, check_finite=False))

    def _block(self, nodes: Nodes, labels: Array) -> Array | None:
        """Learn many new nodes at once; return their margins, or None if a label is forced."""
        t = len(self.nodes)
        known = np.array(self.nodes, dtype=np.intp)
        rows = solve_triangular(
            self.factor[:t, :t], self.span.between(known, nodes), lower=True, check_finite=False
        ).T
        inner = self.span.between(nodes, nodes)
        try:
            corner = cholesky(inner - rows @ rows.T, lower=True, check_finite=False)
        except LinAlgError:
            return None
        pivots = np.diag(corner)
        if (pivots**2 <= DEPENDENT * np.diag(inner)).any():
            return None
        target = labels - self.span.start_values(nodes) - rows @ self._z
        z = solve_triangular(corner, target, lower=True, check_finite=False)
        self._grow(nodes, rows, corner)
        self.z[t : t + len(nodes)] = z
        self.progress += float(z @ z)
        margins = labels - pivots * z
        if t == 0:
            margins[:1] = self.span.start_values(nodes[:1])
        return np.asarray(margins)

    def _grow(self, nodes: Nodes, rows: Array, corner: Array) -> None:
        """Append rows to the factor."""
        t, end = len(self.nodes), len(self.nodes) + len(nodes)
        if end > len(self.factor):
            more = max(end, 2 * len(self.factor)) - len(self.factor)
            self.factor, self.z = np.pad(self.factor, (0, more)), np.pad(self.z, (0, more))
        self.factor[t:end, :t], self.factor[t:end, t:end] = rows, corner
        self.nodes.extend(nodes.tolist())

    def _amounts(self) -> Array:
        t = len(self.nodes)
        factor = self.factor[:t, :t]
        return np.asarray(solve_triangular(factor.T, self._z, lower=False, check_finite=False))

    def _relabel(self, position: int, moved: float) -> None:
        """Change the label of an interpolated node: update y there and z = F^-1 y."""
        t = len(self.nodes)
        change = np.zeros(t)
        change[position] = moved
        step = solve_triangular(self.factor[:t, :t], change, lower=True, check_finite=False)
        self.z[:t] += step
        self.progress += float(step @ step)
        self.assigned = -1
