"""A compiled bucket queue of nodes with small integer keys; operations take constant time."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numba import njit

from lapwing.types import Nodes

Buckets: TypeAlias = tuple[Nodes, Nodes, Nodes]
"""The first node of each key; each node's successor and predecessor under its key (-1: none)."""


@njit(cache=True)
def buckets(keys: Nodes) -> Buckets:
    """Make a queue of the nodes 0..n-1 with these keys, each less than n.

    Examples
    --------
    >>> queue = buckets(np.array([1, 0, 1]))
    >>> smallest(queue, 0), queue[0].tolist()
    (0, [1, 2, -1, -1])
    """
    n = len(keys)
    queue = (np.full(n + 1, -1), np.full(n, -1), np.full(n, -1))
    for node in range(n):
        add_to_bucket(queue, node, keys[node])
    return queue


@njit(cache=True)
def add_to_bucket(queue: Buckets, node: int, key: int) -> None:
    """Add a node that is not in the queue, with a key."""
    first, after, before = queue
    after[node] = first[key]
    before[node] = -1
    if first[key] >= 0:
        before[first[key]] = node
    first[key] = node


@njit(cache=True)
def remove_from_bucket(queue: Buckets, node: int, key: int) -> None:
    """Remove a node from the queue."""
    first, after, before = queue
    if before[node] >= 0:
        after[before[node]] = after[node]
    else:
        first[key] = after[node]
    if after[node] >= 0:
        before[after[node]] = before[node]


@njit(cache=True)
def smallest(queue: Buckets, least: int) -> int:
    """Return the smallest key in use that is at least `least`; there must be one."""
    while queue[0][least] < 0:
        least += 1
    return least
