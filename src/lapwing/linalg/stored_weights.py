"""The weights of a matrix as they are stored: one number for all entries, or one for each."""

from __future__ import annotations

import numpy as np
from numba import njit
from scipy import sparse

from lapwing.types import Array


def stored_weights(adjacency: sparse.csr_array) -> Array:
    """Return the weights of the entries; one element if a graph stores equal weights once.

    Examples
    --------
    >>> matrix = sparse.csr_array(np.array([[0.0, 2.0], [2.0, 0.0]]))
    >>> stored_weights(matrix)
    array([2., 2.])
    >>> matrix.data = np.broadcast_to(np.array([2.0]), 2)
    >>> stored_weights(matrix)
    array([2.])
    """
    data = adjacency.data
    kept = data[:1] if data.strides == (0,) else data
    return np.asarray(kept, dtype=np.float64, order="C")


@njit(cache=True)
def weight_at(weights: Array, entry: int) -> float:
    """Return the weight of an entry, from one number for all or one for each.

    Examples
    --------
    >>> weight_at(np.array([2.0]), 7), weight_at(np.array([2.0, 3.0]), 1)
    (2.0, 3.0)
    """
    return float(weights[min(entry, weights.size - 1)])
