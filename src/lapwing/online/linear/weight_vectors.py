"""Margins and updates of linear learners with one weight vector."""

from __future__ import annotations

import numpy as np
from numba import njit

from lapwing.linalg.products import row_products
from lapwing.types import Array, Index


def margins(features: Array, nodes: Index, w: Array) -> Array:
    """Return the inner product of w with the row of one node, or of each of many.

    Examples
    --------
    >>> margins(np.eye(3), np.array([2, 0]), np.array([1.0, 2.0, 3.0]))
    array([3., 1.])
    """
    wanted = np.asarray(nodes, dtype=np.intp)
    return np.asarray(row_products(features, wanted.ravel(), w[None])).reshape(wanted.shape)


@njit(cache=True)
def add(w: Array, direction: Array, step: float) -> None:
    """Move w by a step along a direction.

    Examples
    --------
    >>> w = np.zeros(2)
    >>> add(w, np.array([1.0, 3.0]), 0.5)
    >>> w.tolist()
    [0.5, 1.5]
    """
    for i in range(w.shape[0]):
        w[i] += step * direction[i]
