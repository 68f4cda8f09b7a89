"""The graph kernel L+ + b 11', whole."""

from __future__ import annotations

from lapwing.graph import Graph
from lapwing.linalg import low_spectrum
from lapwing.online.columns import Columns, DenseColumns


def laplacian_kernel(graph: Graph, *, bias: float = 0.0) -> Columns:
    """K = L+ + bias 11', columns of a dense matrix."""
    values, vectors = low_spectrum(graph.adjacency, None)
    return DenseColumns((vectors / values) @ vectors.T + bias)
