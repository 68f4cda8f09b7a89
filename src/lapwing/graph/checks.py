"""Check weights and matrices; error messages give the names of the nodes."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from lapwing.errors import GraphError
from lapwing.graph.construction import first_bad_weight
from lapwing.graph.names import Names
from lapwing.types import Array, Nodes


def check_weights(sources: Nodes, targets: Nodes, weights: Array, names: Names) -> None:
    """Raise unless every weight is positive and finite."""
    bad = first_bad_weight(weights)
    if bad is not None:
        ends = (names[int(sources[bad])], names[int(targets[bad])])
        raise GraphError(
            f"edge weights must be positive and finite, edge {bad} {ends!r} has {weights[bad]}"
        )


def check_symmetric(matrix: sparse.coo_array, names: Names) -> None:
    """Raise unless both directions of every edge have the same weight."""
    matrix = sparse.csr_array(matrix)
    difference = abs(matrix - matrix.T)
    if difference.nnz and difference.max() > 1e-12 * abs(matrix).max():
        at = int(np.argmax(difference.tocoo().data))
        i, j = (int(c[at]) for c in difference.tocoo().coords)
        raise GraphError(
            f"adjacency must be symmetric, weight of {(names[i], names[j])!r} is {matrix[i, j]:g} "
            f"one way and {matrix[j, i]:g} the other; "
            'a directed graph needs directed="max" or directed="sum"'
        )
