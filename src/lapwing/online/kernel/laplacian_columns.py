"""The graph kernel L+ + b 11' by columns, and with a constant within each component."""

from __future__ import annotations

import numpy as np

from lapwing.embed import kernel
from lapwing.graph import Graph
from lapwing.online.kernel.columns import DenseColumns, KernelColumns
from lapwing.online.kernel.solved_columns import SolvedColumns
from lapwing.types import Array, Index, Nodes

WHOLE_BELOW = 4000
"""Up to this many nodes, the whole kernel is computed and kept (128 MB at most)."""
WIDE = 1e6
"""A wider range of weights may be too much for the solver."""
SAMPLED = 16
"""Nodes whose K_ii says how large the kernel is."""


def laplacian_columns(graph: Graph, *, bias: float = 0.0) -> KernelColumns:
    """Return the exact kernel K = L+ + bias 11': dense up to 4,000 nodes, else by columns.

    Where weights span many orders of magnitude, one column is solved at once: what cannot be solved
    is known now, not when a label arrives.

    Examples
    --------
    >>> K = laplacian_columns(Graph.from_edges([(0, 1), (1, 2)]), bias=1.0)
    >>> K.column(0).round(3)
    array([1.556, 0.889, 0.556])
    """
    if graph.n_nodes > WHOLE_BELOW:
        solved = SolvedColumns(graph, bias=bias)
        weights = graph.adjacency.data
        if len(weights) and weights.max() > WIDE * weights.min():
            solved.column(int(graph.adjacency.indices[np.argmax(weights)]))
        return solved
    return DenseColumns(kernel(graph, bias=bias))


class ComponentColumns:
    """K plus a constant between nodes of one component.

    L+ is zero between components, and within a small one most of its entries are negative: a
    label would speak for the opposite class there. The constant is `bias`, or twice the mean K_ii
    of a few nodes that have neighbours where that is more, as in `lapwing.embed.laplacian`.

    Examples
    --------
    >>> from lapwing.online.kernel.columns import DenseColumns
    >>> pairs = np.array([[0.25, -0.25, 0, 0], [-0.25, 0.25, 0, 0], [0, 0, 1, -1], [0, 0, -1, 1]])
    >>> K = ComponentColumns(DenseColumns(pairs), np.array([0, 0, 1, 1]), bias=2.0)
    >>> K.column(0), K.diagonal(3), K.combined(np.array([0, 3]), np.array([1.0, 2.0]))
    (array([2.25, 1.75, 0.  , 0.  ]), array(3.), array([2.25, 1.75, 2.  , 6.  ]))
    """

    def __init__(self, inner: KernelColumns, components: Nodes, *, bias: float = 0.0) -> None:
        self.inner, self.components = inner, components
        self.height = max(bias, 2.0 * self._mean_norm())

    @property
    def n_nodes(self) -> int:
        """How many nodes there are."""
        return self.inner.n_nodes

    def column(self, node: int) -> Array:
        """One column."""
        same = self.components == self.components[node]
        return np.asarray(self.inner.column(node) + self.height * same)

    def combined(self, nodes: Nodes, amounts: Array) -> Array:
        """The sum of some columns, each times its amount."""
        totals = np.zeros(int(self.components.max(initial=-1)) + 1)
        np.add.at(totals, self.components[nodes], amounts)
        return self.inner.combined(nodes, amounts) + self.height * totals[self.components]

    def between(self, some: Nodes, others: Nodes) -> Array:
        """The block of K of some rows and columns."""
        same = self.components[some][:, None] == self.components[others]
        return np.asarray(self.inner.between(some, others) + self.height * same)

    def diagonal(self, nodes: Index) -> Array:
        """K_ii for some nodes."""
        return np.asarray(self.inner.diagonal(nodes) + self.height)

    def _mean_norm(self) -> float:
        sizes = np.bincount(self.components)[self.components]
        joined = np.flatnonzero(sizes > 1)
        if not len(joined):
            return 0.5
        chosen = joined[np.linspace(0, len(joined) - 1, min(SAMPLED, len(joined)), dtype=np.intp)]
        return float(np.mean([self.inner.diagonal(node) for node in chosen.tolist()]))
