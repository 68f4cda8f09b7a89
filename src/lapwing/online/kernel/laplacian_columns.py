"""The graph kernel L+ + b 11' by columns: the whole matrix, or one solve per column."""

from __future__ import annotations

from lapwing.embed import kernel
from lapwing.graph import Graph
from lapwing.online.kernel.columns import DenseColumns, KernelColumns
from lapwing.online.kernel.solved_columns import SolvedColumns

WHOLE_BELOW = 4000
"""Up to this many nodes, the whole kernel is computed and kept (128 MB at most)."""


def laplacian_columns(graph: Graph, *, bias: float = 0.0) -> KernelColumns:
    """Return the exact kernel K = L+ + bias 11': dense up to 4,000 nodes, else by columns.

    Examples
    --------
    >>> K = laplacian_columns(Graph.from_edges([(0, 1), (1, 2)]), bias=1.0)
    >>> K.column(0).round(3)
    array([1.556, 0.889, 0.556])
    """
    if graph.n_nodes > WHOLE_BELOW:
        return SolvedColumns(graph, bias=bias)
    return DenseColumns(kernel(graph, bias=bias))
