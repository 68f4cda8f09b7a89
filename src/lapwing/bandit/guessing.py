"""Compiled: which classes may be guessed for a node, and which of them comes first."""

from __future__ import annotations

from numba import njit

from lapwing.types import Array, Mask, Nodes


@njit(cache=True)
def n_open(rejected: Mask) -> int:
    """How many classes a node leaves open: those it has not rejected, or all if it has all.

    Examples
    --------
    >>> import numpy as np
    >>> n_open(np.array([True, False])), n_open(np.array([True, True]))
    (1, 2)
    """
    count = 0
    for k in range(rejected.size):
        count += not rejected[k]
    return count if count else rejected.size


@njit(cache=True)
def is_open(rejected: Mask, k: int, count: int) -> bool:
    """Whether a class may be guessed, where `count` is what `n_open` says."""
    return count == rejected.size or not rejected[k]


@njit(cache=True)
def first_best(scores: Array, rejected: Mask, tie_order: Nodes) -> int:
    """The open class of the largest score; among equals the first in the order.

    Examples
    --------
    >>> import numpy as np
    >>> first_best(np.array([1.0, 1.0, 5.0]), np.array([False, False, True]), np.array([2, 1, 0]))
    1
    """
    count = n_open(rejected)
    best = -1
    for k in tie_order:
        if is_open(rejected, k, count) and (best < 0 or scores[k] > scores[best]):
            best = k
    return best


@njit(cache=True)
def explored(best: int, rejected: Mask, dice: Array, gamma: float) -> int:
    """The best class, or with probability gamma any open one; two dice in [0, 1).

    Examples
    --------
    >>> import numpy as np
    >>> rejected = np.array([False, True, False])
    >>> explored(0, rejected, np.array([0.9, 0.9]), 0.1)
    0
    >>> explored(0, rejected, np.array([0.05, 0.9]), 0.1)
    2
    """
    if dice[0] >= gamma:
        return best
    count = n_open(rejected)
    wanted = int(dice[1] * count)
    for k in range(rejected.size):
        if is_open(rejected, k, count):
            if wanted == 0:
                return k
            wanted -= 1
    return best
