"""Small trees that hang on the rest of a graph by one edge."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import sparse

from lapwing.linalg.stored_weights import stored_weights
from lapwing.types import Mask


class HangingTrees(NamedTuple):
    """Which nodes hang, and where: a node that does not hang holds itself."""

    kept: Mask
    holders: NDArray[np.int64]


def hanging_trees(adjacency: sparse.csr_array, *, smaller_than: int) -> HangingTrees:
    """Find the nodes of trees of fewer than `smaller_than` nodes that one edge holds.

    A dangling path is a set of nodes with a single edge to the rest, so the smoothest eigenvectors
    of a graph with many of them live on single paths and say nothing about the graph at large. In a
    smooth vector, a hanging tree has the value of the node that holds it. Leaves are taken off one
    after the other, as for the 2-core, but a tree that has grown to the limit stays.

    Examples
    --------
    A triangle 0, 1, 2 with the path 3, 4 hanging on node 2:

    >>> edges = ([0, 1, 2, 2, 3], [1, 2, 0, 3, 4])
    >>> half = sparse.coo_array((np.ones(5), edges), shape=(5, 5))
    >>> hanging_trees(sparse.csr_array(half + half.T), smaller_than=3).holders
    array([0, 1, 2, 2, 2])
    >>> hanging_trees(sparse.csr_array(half + half.T), smaller_than=2).holders
    array([0, 1, 2, 3, 3])
    """
    holders = _holders(adjacency.indptr, adjacency.indices, smaller_than)
    return HangingTrees(holders == np.arange(len(holders)), holders)


def inside(adjacency: sparse.csr_array, kept: Mask) -> sparse.csr_array:
    """Return the weights between the nodes that are kept; equal ones are stored once, as before.

    Examples
    --------
    >>> path = sparse.csr_array(np.array([[0.0, 1, 0], [1, 0, 2], [0, 2, 0]]))
    >>> inside(path, np.array([False, True, True])).toarray()
    array([[0., 2.],
           [2., 0.]])
    """
    weights = stored_weights(adjacency)
    arrays = (adjacency.indptr, adjacency.indices, weights)
    place = (np.cumsum(kept) - 1).astype(adjacency.indices.dtype)
    starts, ends, held = _between(*arrays, np.asarray(kept), place)
    count = len(starts) - 1
    found = sparse.csr_array((count, count))
    found.indptr, found.indices = starts, ends
    found.data = np.broadcast_to(weights, len(ends)) if len(weights) == 1 else held
    return found


@njit(cache=True)
def _between(starts: Any, ends: Any, weights: Any, kept: Any, place: Any) -> Any:
    """Count the entries between nodes that are kept, then copy them."""
    many = weights.size > 1
    counts = np.zeros(kept.sum() + 1, dtype=starts.dtype)
    for i in range(kept.size):
        if kept[i]:
            for e in range(starts[i], starts[i + 1]):
                counts[place[i] + 1] += kept[ends[e]]
    first = counts.cumsum().astype(starts.dtype)
    found = np.empty(first[-1], dtype=ends.dtype)
    held = np.empty(found.size if many else 0)
    at = 0
    for i in range(kept.size):
        if kept[i]:
            for e in range(starts[i], starts[i + 1]):
                if kept[ends[e]]:
                    found[at] = place[ends[e]]
                    if many:
                        held[at] = weights[e]
                    at += 1
    return first, found, held


@njit(cache=True)
def _holders(starts: Any, ends: Any, limit: int) -> NDArray[np.int64]:
    """Take leaves off in a queue, then pass the holders down from the last taken to the first."""
    n = starts.size - 1
    left = starts[1:] - starts[:-1]
    size = np.ones(n, dtype=ends.dtype)
    holder = np.arange(n)
    queue = np.empty(n, dtype=ends.dtype)
    last = 0
    for i in range(n):
        if left[i] == 1 and limit > 1:
            queue[last] = i
            last += 1
    taken = 0
    while taken < last:
        leaf = queue[taken]
        taken += 1
        if left[leaf] != 1:
            continue
        for e in range(starts[leaf], starts[leaf + 1]):
            above = ends[e]
            if left[above] > 0 and above != leaf and holder[above] == above:
                holder[leaf] = above
                left[leaf] = 0
                left[above] -= 1
                size[above] += size[leaf]
                if left[above] == 1 and size[above] < limit:
                    queue[last] = above
                    last += 1
                break
    for k in range(taken - 1, -1, -1):
        holder[queue[k]] = holder[holder[queue[k]]]
    return holder
