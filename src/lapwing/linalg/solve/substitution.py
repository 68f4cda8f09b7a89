"""Forward and backward substitution through the columns of eliminated nodes; compiled."""

from __future__ import annotations

from typing import NamedTuple

from numba import njit

from lapwing.types import Array, Nodes


class Eliminated(NamedTuple):
    """Eliminated nodes in order, with the pivot of each and the shares of its neighbours.

    The shares of ``order[k]`` are ``shares[start[k]:start[k + 1]]``, of the nodes in `rows` there:
    edge weight over pivot. A pivot of infinity grounds its node: it gets the value 0.
    """

    order: Nodes
    pivots: Array
    start: Nodes
    rows: Nodes
    shares: Array


@njit(cache=True)
def forward(x: Array, columns: Eliminated) -> None:
    """Forward substitution: pass right-hand sides on to the neighbours, in place, (n, k).

    Examples
    --------
    >>> import numpy as np
    >>> leaf = Eliminated(np.array([1]), np.ones(1), np.array([0, 1]), np.array([0]), np.ones(1))
    >>> x = np.array([[1.0], [2.0]])
    >>> forward(x, leaf)
    >>> x.ravel().tolist()
    [3.0, 2.0]
    """
    order, _, start, rows, shares = columns
    for k in range(len(order)):
        node = order[k]
        for p in range(start[k], start[k + 1]):
            for c in range(x.shape[1]):
                x[rows[p], c] += shares[p] * x[node, c]


@njit(cache=True)
def backward(x: Array, columns: Eliminated) -> None:
    """Backward substitution: compute each eliminated node from its neighbours, in place, (n, k).

    Examples
    --------
    >>> import numpy as np
    >>> leaf = Eliminated(np.array([1]), np.ones(1), np.array([0, 1]), np.array([0]), np.ones(1))
    >>> x = np.array([[5.0], [2.0]])
    >>> backward(x, leaf)
    >>> x.ravel().tolist()
    [5.0, 7.0]
    """
    order, pivots, start, rows, shares = columns
    for k in range(len(order) - 1, -1, -1):
        node = order[k]
        for c in range(x.shape[1]):
            x[node, c] /= pivots[k]
        for p in range(start[k], start[k + 1]):
            for c in range(x.shape[1]):
                x[node, c] += shares[p] * x[rows[p], c]
