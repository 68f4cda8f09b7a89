"""Compiled: which classes may be guessed for a node, and which of them comes first."""

from __future__ import annotations

import numpy as np
from numba import njit

from lapwing.types import Array, Mask, Nodes


@njit(cache=True)
def open_classes(rejected: Mask) -> Mask:
    """The classes a node has not rejected, or all when it has rejected all.

    Examples
    --------
    >>> open_classes(np.array([True, False])), open_classes(np.array([True, True]))
    (array([False,  True]), array([ True,  True]))
    """
    if rejected.all():
        return np.ones_like(rejected)
    return ~rejected


@njit(cache=True)
def first_best(scores: Array, allowed: Mask, tie_order: Nodes) -> int:
    """The allowed class of the largest score; among equals the first in the order.

    Examples
    --------
    >>> first_best(np.array([1.0, 1.0, 5.0]), np.array([True, True, False]), np.array([2, 1, 0]))
    1
    """
    best = -1
    for k in tie_order:
        if allowed[k] and (best < 0 or scores[k] > scores[best]):
            best = k
    return best


@njit(cache=True)
def explored(best: int, allowed: Mask, dice: Array, gamma: float) -> int:
    """The best class, or with probability gamma any allowed one; two dice in [0, 1).

    Examples
    --------
    >>> allowed = np.array([True, False, True])
    >>> explored(0, allowed, np.array([0.9, 0.9]), 0.1)
    0
    >>> explored(0, allowed, np.array([0.05, 0.9]), 0.1)
    2
    """
    if dice[0] >= gamma:
        return best
    wanted = int(dice[1] * allowed.sum())
    for k in range(allowed.size):
        if allowed[k]:
            if wanted == 0:
                return k
            wanted -= 1
    return best
