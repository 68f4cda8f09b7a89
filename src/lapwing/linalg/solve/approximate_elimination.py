"""Approximate elimination: a preconditioner for any Laplacian, in nearly linear time."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import sparse

from lapwing.linalg.solve.buckets import (
    Buckets,
    add_to_bucket,
    buckets,
    remove_from_bucket,
    smallest,
)
from lapwing.linalg.solve.substitution import Eliminated, backward, forward
from lapwing.types import Array, Nodes

Integers: TypeAlias = NDArray[Any]
Edges: TypeAlias = tuple[Integers, Integers, Integers, Array]
Ranks: TypeAlias = tuple[Buckets, Nodes]


class ApproximateElimination:
    """An approximate inverse of L, used as a preconditioner for conjugate gradients.

    Nodes are eliminated, smallest degree first. Exactly, a node's neighbours i, j would be joined
    by edges of weight w_i w_j / W (W the sum of its edge weights); here a random tree with the same
    expectation is drawn: each neighbour i, starting with the lightest, is joined to one heavier j
    drawn with probability w_j / S_i, by an edge of weight w_i S_i / W, where S_i sums the weights
    after i. So the number of edges never grows, and trees are eliminated exactly. Cost: about m log
    n to build, the same number of products to apply; `seed` fixes the draws.

    Reference: Gao, Kyng and Spielman, Robust and practical solution of Laplacian equations by
    approximate elimination, 2023 (algorithm AC, after Kyng and Sachdeva 2016).

    Examples
    --------
    On a tree it is the exact inverse.

    >>> path = sparse.csr_array(np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    >>> x = ApproximateElimination(path)(np.array([[1.0], [0.0], [-1.0]]))
    >>> (x - x.mean()).ravel()
    array([ 1.,  0., -1.])
    """

    def __init__(self, adjacency: sparse.csr_array, *, seed: int = 0) -> None:
        n = adjacency.shape[0]
        upper = sparse.coo_array(sparse.triu(adjacency, 1))
        ends = np.empty(2 * upper.nnz, dtype=np.int32)
        ends[0::2], ends[1::2] = upper.coords[1], upper.coords[0]
        order, pivots, start, rows, shares = _sampled(n, ends, np.array(upper.data), seed + 1)
        place = np.empty(n, dtype=np.int32)
        place[order] = np.arange(n)
        self._order = order
        self._columns = Eliminated(np.arange(n), pivots, start, place[rows], shares)

    @property
    def n_products(self) -> int:
        """The number of multiplications per application and right-hand side."""
        return 2 * len(self._columns.rows)

    def __call__(self, rhs: Array) -> Array:
        """Return approximate solutions for the columns of an ``(n, k)`` array."""
        x = rhs[self._order]
        forward(x, self._columns)
        backward(x, self._columns)
        result: Array = np.empty_like(x)
        result[self._order] = x
        return result


@njit(cache=True, nogil=True)
def _sampled(
    n: int, ends: Integers, weights: Array, seed: int
) -> tuple[Nodes, Array, Nodes, Integers, Array]:
    """Eliminate all nodes; edge e joins ``ends[2e]`` and ``ends[2e + 1]``, and 2e is listed at the
    latter: each half edge is in the list of the end it does not name."""
    head, following, degree = _lists(n, ends)
    queue = buckets(np.minimum(degree, n - 1))
    order, pivots = np.empty(n, np.int64), np.empty(n)
    start = np.zeros(n + 1, np.int64)
    rows, shares = np.empty(2 * len(ends) + n, np.int32), np.empty(2 * len(ends) + n)
    seen, star = np.full(n, -1), np.empty(n, np.int64)
    state = np.array([seed], np.uint64)
    for k in range(n):
        least = smallest(queue, 0)
        node = queue[0][least]
        remove_from_bucket(queue, node, least)
        size = _star(node, (head, following, ends, weights), (queue, degree), seen, star)
        at = start[k]
        if at + size > len(rows):
            rows = np.concatenate((rows, np.empty(len(rows) + size, np.int32)))
            shares = np.concatenate((shares, np.empty(len(shares) + size)))
        halves = star[:size][np.argsort(weights[star[:size] >> 1])]
        rows[at : at + size] = ends[halves]
        light = weights[halves >> 1]
        total = light.sum()
        shares[at : at + size] = light / total
        order[k], pivots[k] = node, total if size else np.inf
        start[k + 1] = at + size
        _tree(halves, (head, following, ends, weights), (queue, degree), state)
    return order, pivots, start, rows[: start[n]], shares[: start[n]]


@njit(cache=True)
def _lists(n: int, ends: Integers) -> tuple[Nodes, Nodes, Nodes]:
    """Build each node's linked list of half edges, and its length."""
    head, following = np.full(n, -1, np.int64), np.empty(len(ends), np.int64)
    degree = np.zeros(n, np.int64)
    for half in range(len(ends)):
        node = ends[half ^ 1]
        following[half] = head[node]
        head[node] = half
        degree[node] += 1
    return head, following, degree


@njit(cache=True)
def _star(node: int, edges: Edges, ranks: Ranks, seen: Nodes, star: Nodes) -> int:
    """Write one live half edge per neighbour to `star`, merged; return their number."""
    head, following, ends, weights = edges
    size, half = 0, head[node]
    while half >= 0:
        other, edge = ends[half], half >> 1
        if weights[edge] > 0.0:
            if seen[other] >= 0 and seen[other] < size and ends[star[seen[other]]] == other:
                weights[star[seen[other]] >> 1] += weights[edge]
                weights[edge] = 0.0
                _moved(ranks, other, -1)
            else:
                seen[other] = size
                star[size] = half
                size += 1
        half = following[half]
    return size


@njit(cache=True)
def _tree(halves: Nodes, edges: Edges, ranks: Ranks, state: NDArray[np.uint64]) -> None:
    """Replace the star by a random tree on its ends, reusing the star's edges."""
    head, following, ends, weights = edges
    size = len(halves)
    if size == 0:
        return
    upto = np.cumsum(weights[halves >> 1])
    for a in range(size - 1):
        half = halves[a]
        rest = upto[size - 1] - upto[a]
        drawn = upto[a] + _uniform(state) * rest
        b = min(max(np.searchsorted(upto, drawn), a + 1), size - 1)
        here, there = ends[half], ends[halves[b]]
        weights[half >> 1] *= rest / upto[size - 1]
        ends[half ^ 1] = there
        following[half] = head[there]
        head[there] = half
        _moved(ranks, there, 1)
        ends[half] = here
    last = halves[size - 1]
    weights[last >> 1] = 0.0
    _moved(ranks, ends[last], -1)


@njit(cache=True)
def _moved(ranks: Ranks, node: int, change: int) -> None:
    """Change a node's number of edges and its position in the queue."""
    queue, degree = ranks
    most = len(degree) - 1
    remove_from_bucket(queue, node, min(degree[node], most))
    degree[node] += change
    add_to_bucket(queue, node, min(degree[node], most))


@njit(cache=True)
def _uniform(state: NDArray[np.uint64]) -> float:
    """Return the next number in [0, 1) of splitmix64."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return float((z ^ (z >> np.uint64(31))) >> np.uint64(11)) / 9007199254740992.0
