"""Compiled inner products.

Sums always run in the same order (no fast-math), so a round played alone and the same round inside
a compiled stream give bit-identical results.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from lapwing.types import Array, Nodes


@njit(cache=True)
def dot(x: Array, y: Array) -> float:
    """The inner product of two vectors.

    Examples
    --------
    >>> float(dot(np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0])))
    32.0
    """
    size = x.size
    whole = size - size % 4
    first, second, third, fourth = 0.0, 0.0, 0.0, 0.0
    for i in range(0, whole, 4):
        first += x[i] * y[i]
        second += x[i + 1] * y[i + 1]
        third += x[i + 2] * y[i + 2]
        fourth += x[i + 3] * y[i + 3]
    for i in range(whole, size):
        first += x[i] * y[i]
    return float((first + second) + (third + fourth))


@njit(cache=True)
def row_products(rows: Array, nodes: Nodes, weights: Array) -> Array:
    """Multiply the selected rows with each row of weights, shape ``(m, K)``.

    Examples
    --------
    >>> row_products(np.eye(3), np.array([2, 0]), np.array([[1.0, 2.0, 3.0]])).tolist()
    [[3.0], [1.0]]
    """
    products = np.empty((nodes.size, weights.shape[0]))
    for m in range(nodes.size):
        for k in range(weights.shape[0]):
            products[m, k] = dot(rows[nodes[m]], weights[k])
    return products
