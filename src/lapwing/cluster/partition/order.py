"""An order of the nodes that keeps neighbours together, by label propagation on several levels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse import csgraph

ROUNDS = 4
"""Rounds of label propagation per level."""
SHRINKS = 0.9
"""A level that keeps more than this share of the nodes below is the last one."""
FINER = 4
"""A block is made of at least about so many clusters."""


def neighbourly_order(
    adjacency: sparse.csr_array, blocks: int, sizes: NDArray[np.int64] | None = None
) -> NDArray[np.int64]:
    """Return the nodes in an order in which neighbours are close, to be cut into `blocks`.

    Nodes join the cluster of most of their neighbours' weight, unless it is full: a cluster holds
    at most a fourth of a block. Clusters become the nodes of the next level, until they no longer
    merge; the last level is ordered by reverse Cuthill-McKee. `sizes` says how many nodes each node
    stands for. Linear in the edges.

    Examples
    --------
    Two triangles joined by an edge, their nodes mixed up:

    >>> pairs = np.array([(0, 2), (2, 4), (4, 0), (4, 1), (1, 3), (3, 5), (5, 1)])
    >>> half = sparse.coo_array((np.ones(7), pairs.T), shape=(6, 6))
    >>> order = neighbourly_order(sparse.csr_array(half + half.T), 2)
    >>> sorted(order[:3].tolist()), sorted(order[3:].tolist())
    ([1, 3, 5], [0, 2, 4])
    """
    n = adjacency.shape[0]
    sizes = np.ones(n, dtype=np.int64) if sizes is None else sizes
    limit = max(int(sizes.sum()) // (FINER * max(blocks, 1)), 3)
    labels = np.arange(n)
    volumes = sizes.copy()
    starts, ends = adjacency.indptr.astype(np.int64), adjacency.indices
    for _ in range(ROUNDS):
        if not cluster_round(starts, ends, adjacency.data, sizes, labels, volumes, limit, 0):
            break
    clusters, members = np.unique(labels, return_inverse=True)
    if len(clusters) > SHRINKS * n:
        return np.asarray(csgraph.reverse_cuthill_mckee(adjacency, True), dtype=np.int64)
    coarse = contracted(adjacency, members, len(clusters))
    places = np.empty(len(clusters), dtype=np.int64)
    weights = np.bincount(members, weights=sizes).astype(np.int64)
    places[neighbourly_order(coarse, blocks, weights)] = np.arange(len(clusters))
    return np.argsort(places[members], kind="stable")


def contracted(adjacency: sparse.csr_array, members: NDArray[Any], count: int) -> sparse.csr_array:
    """Return the graph of clusters: the weights between their members, without loops.

    Examples
    --------
    >>> path = sparse.csr_array(np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    >>> contracted(path, np.array([0, 0, 1]), 2).toarray().tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    n = adjacency.shape[0]
    joins = sparse.csr_array((np.ones(n), (np.arange(n), members)), shape=(n, count))
    coarse = sparse.csr_array(joins.T @ (adjacency @ joins))
    coarse.setdiag(0.0)
    coarse.eliminate_zeros()
    return coarse


@njit(cache=True, nogil=True)
def cluster_round(
    starts: Any, ends: Any, weights: Any, sizes: Any, labels: Any, volumes: Any, limit: int,
    first: int,
) -> int:  # fmt: skip
    """Move every row to the cluster of most of its neighbours' weight; return how many moved.

    `labels` and `volumes` are changed in place. Row i is node ``first + i`` of the labels.
    """
    held = np.zeros(len(volumes))
    touched = np.empty(len(volumes), dtype=np.int64)
    moved = 0
    for row in range(len(starts) - 1):
        count = 0
        for entry in range(starts[row], starts[row + 1]):
            label = labels[ends[entry]]
            if held[label] == 0.0:
                touched[count] = label
                count += 1
            held[label] += weights[entry]
        own = labels[first + row]
        best, most = own, held[own]
        for k in range(count):
            label = touched[k]
            fits = volumes[label] + sizes[row] <= limit
            if label != own and fits and (held[label] > most):
                best, most = label, held[label]
        for k in range(count):
            held[touched[k]] = 0.0
        if best != own:
            volumes[own] -= sizes[row]
            volumes[best] += sizes[row]
            labels[first + row] = best
            moved += 1
    return moved


def balanced_cuts(costs: NDArray[Any], parts: int) -> list[int]:
    """Return where a sequence is cut into parts of about equal total cost.

    Examples
    --------
    >>> balanced_cuts(np.array([1, 1, 1, 3, 1, 1]), 2)
    [0, 3, 6]
    """
    total = np.concatenate([[0], np.cumsum(costs)])
    wanted = np.linspace(0, total[-1], parts + 1)[1:-1]
    above = np.searchsorted(total, wanted).clip(1, len(costs))
    inner = above - (wanted - total[above - 1] < total[above] - wanted)
    return [0, *inner.tolist(), len(costs)]
