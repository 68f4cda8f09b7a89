"""The graph kernel L+ + b 11' + c I, as a whole or by columns."""

from __future__ import annotations

import numpy as np

from lapwing.checks import finite_at_least
from lapwing.graph import Graph
from lapwing.linalg import LaplacianSolver, pseudoinverse
from lapwing.types import Array, Nodes


def kernel(
    graph: Graph, *, bias: float = 0.0, ridge: float = 0.0, normalized: bool = False
) -> Array:
    """Return the whole ``(n, n)`` matrix K = L+ + bias 11' + ridge I, for up to 20,000 nodes.

    Herbster and Pontil 2006 write it K_c^b (before their Lemma 4.1), where b is the bias and c the
    ridge. The bias makes unbalanced labels cheap, the ridge makes noise cheap. L+ is zero between
    components; the bias is not.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> kernel(graph, bias=1.0, ridge=0.5)[0].round(3)
    array([2.194, 1.361, 1.194, 0.694, 0.528, 0.528])
    """
    _check(bias, ridge)
    matrix = pseudoinverse(graph.adjacency, normalized=normalized)
    matrix += bias
    matrix[np.diag_indices(graph.n_nodes)] += ridge
    return matrix


class Kernel:
    """The kernel K = L+ + bias 11' + ridge I of a graph of any size, by one solve per column.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> Kernel(graph, bias=1.0, ridge=0.5).column(0).round(3)
    array([2.194, 1.361, 1.194, 0.694, 0.528, 0.528])
    """

    def __init__(self, graph: Graph, *, bias: float = 0.0, ridge: float = 0.0) -> None:
        _check(bias, ridge)
        self.graph, self.bias, self.ridge = graph, bias, ridge
        self.solver = LaplacianSolver(graph.adjacency)

    def column(self, node: int) -> Array:
        """Return the column of K for one node."""
        return self.columns(np.array([node]))[:, 0]

    def columns(self, nodes: Nodes) -> Array:
        """Return the columns of K for some nodes, ``(n, m)``, solved together."""
        nodes = self.graph.checked(nodes)
        columns = self.solver.columns(nodes) + self.bias
        columns[nodes, np.arange(len(nodes))] += self.ridge
        return columns


def _check(bias: float, ridge: float) -> None:
    for name, value in (("bias", bias), ("ridge", ridge)):
        finite_at_least(name, value, 0)
