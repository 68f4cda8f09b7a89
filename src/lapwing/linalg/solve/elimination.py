"""Exact elimination of a graph's nodes of low degree, smallest degree first."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from scipy import sparse

from lapwing.linalg.solve.buckets import (
    Buckets,
    add_to_bucket,
    buckets,
    remove_from_bucket,
    smallest,
)
from lapwing.linalg.solve.substitution import Eliminated
from lapwing.types import Array, Mask, Nodes

MAX_FILL = 10_000_000
"""Number of new edges at which elimination stops, which keeps tables below a gigabyte."""
TINY = 1e-100
"""Replaces a pivot that is exactly zero; callers with a negative `excess` must check."""


class Elimination(NamedTuple):
    """The result of eliminating some nodes from M = L + diag(excess).

    `columns` belong to the eliminated nodes, `core` lists the remaining nodes, and `schur` is M's
    Schur complement on them.
    """

    columns: Eliminated
    core: Nodes
    schur: Array


def eliminated(
    adjacency: sparse.csr_array, excess: Array, *, max_degree: int, max_core: int
) -> Elimination | None:
    """Eliminate while some node has at most `max_degree` neighbours; None if the core is too large.

    Eliminating a node whose edges weigh w_1, w_2, ... joins its neighbours i, j by an edge of
    weight ``w_i w_j / (w_1 + w_2 + ...)``, the star-mesh rule: without `excess` only positive
    numbers are added, so nothing cancels. Cost: a constant per pair of neighbours of an eliminated
    node, at most ``n max_degree^2 / 2``, and ``8 max_core^2`` bytes. At least one node always
    remains.

    Examples
    --------
    >>> path = sparse.csr_array(np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    >>> result = eliminated(path, np.zeros(3), max_degree=2, max_core=10)
    >>> result.columns.order.tolist(), result.columns.pivots.tolist(), result.schur.tolist()
    ([2, 1], [1.0, 1.0], [[0.0]])
    """
    n, fill_limit = adjacency.shape[0], min(4 * adjacency.nnz + 1000, MAX_FILL)
    indptr, indices = adjacency.indptr.astype(np.int64), adjacency.indices.astype(np.int64)
    table = _table(indptr, indices, np.array(adjacency.data), fill_limit)
    more = (np.full(n, -1), np.empty(2 * fill_limit, np.int64), np.empty(2 * fill_limit, np.int64))
    excess = np.array(excess)
    done, head = _eliminate((indptr, indices), table, more, excess, max_degree, fill_limit)
    core = np.flatnonzero(~done)
    if len(core) > max_core:
        return None
    schur = _schur((indptr, indices), table, more, core, done)
    schur[np.diag_indices(len(core))] = excess[core] - schur.sum(axis=1)
    return Elimination(head, core, schur)


Csr = tuple[Nodes, Nodes]
Table = tuple[Nodes, Array]
Lists = tuple[Nodes, Nodes, Nodes]


@njit(cache=True)
def _slot(keys: Nodes, key: int) -> int:
    """Return the position of a key in the table of 2^k places, or its insertion point."""
    h = key * -7046029254386353131
    h = (h ^ (h >> 31)) & (len(keys) - 1)
    while keys[h] != -1 and keys[h] != key:
        h = (h + 1) & (len(keys) - 1)
    return h


@njit(cache=True)
def _table(indptr: Nodes, indices: Nodes, weights: Array, fill_limit: int) -> Table:
    """Build a table of edge weights by ``smaller end * n + larger end``, with room for fill."""
    n, size = len(indptr) - 1, 1024
    while 2 * size < 3 * (len(indices) // 2 + fill_limit):
        size *= 2
    keys, values = np.full(size, -1), np.empty(size)
    for i in range(n):
        for p in range(indptr[i], indptr[i + 1]):
            if i < indices[p]:
                at = _slot(keys, i * n + indices[p])
                keys[at] = i * n + indices[p]
                values[at] = weights[p]
    return keys, values


@njit(cache=True)
def _neighbours(node: int, csr: Csr, more: Lists, done: Mask, found: Nodes) -> int:
    """Write the neighbours not yet eliminated to `found` and return their number."""
    count = 0
    for p in range(csr[0][node], csr[0][node + 1]):
        if not done[csr[1][p]]:
            found[count] = csr[1][p]
            count += 1
    p = more[0][node]
    while p >= 0:
        if not done[more[2][p]]:
            found[count] = more[2][p]
            count += 1
        p = more[1][p]
    return count


@njit(cache=True)
def _eliminate(
    csr: Csr, table: Table, more: Lists, excess: Array, max_degree: int, fill_limit: int
) -> tuple[Mask, Eliminated]:
    n = len(csr[0]) - 1
    done = np.zeros(n, dtype=np.bool_)
    degree = np.diff(csr[0])
    queue = buckets(degree)
    order, pivots = np.empty(n, np.int64), np.empty(n)
    start = np.zeros(n + 1, np.int64)
    rows, shares = np.empty(4 * n + max_degree, np.int64), np.empty(4 * n + max_degree)
    count = fill = least = 0
    while count < n - 1:
        least = smallest(queue, least)
        room = 2 * fill_limit - 2 * fill
        if least > max_degree or least * least > room:
            break
        node, at = queue[0][least], start[count]
        if at + max_degree > len(rows):
            rows = np.concatenate((rows, np.empty(len(rows), np.int64)))
            shares = np.concatenate((shares, np.empty(len(shares))))
        remove_from_bucket(queue, node, least)
        found = _neighbours(node, csr, more, done, rows[at:])
        done[node] = True
        order[count] = node
        start[count + 1] = at + found
        stop = at + found
        pivots[count], fill = _join(
            node, (rows[at:stop], shares[at:stop]), table, more, (queue, degree, excess), fill
        )
        least = max(0, least - 1)
        count += 1
    stop = start[count]
    columns = Eliminated(
        order[:count], pivots[:count], start[: count + 1], rows[:stop], shares[:stop]
    )
    return done, columns


@njit(cache=True)
def _join(
    node: int,
    star: tuple[Nodes, Array],
    table: Table,
    more: Lists,
    state: tuple[Buckets, Nodes, Array],
    fill: int,
) -> tuple[float, int]:
    """Join a node's neighbours by the star-mesh rule; return its pivot and the fill."""
    (keys, values), (rows, shares), (queue, degree, excess) = table, star, state
    n = len(degree)
    for a in range(len(rows)):
        i = rows[a]
        shares[a] = values[_slot(keys, min(i, node) * n + max(i, node))]
        remove_from_bucket(queue, i, degree[i])
        degree[i] -= 1
    pivot = shares.sum() + excess[node]
    if pivot == 0.0:
        pivot = np.inf if len(rows) == 0 else TINY
    for a in range(len(rows)):
        i = rows[a]
        weight = shares[a]
        shares[a] /= pivot
        excess[i] += shares[a] * excess[node]
        for b in range(a):
            fill += _raised(rows[b], i, shares[b] * weight, table, more, degree, fill)
    for a in range(len(rows)):
        add_to_bucket(queue, rows[a], degree[rows[a]])
    return pivot, fill


@njit(cache=True)
def _raised(
    i: int, j: int, more_weight: float, table: Table, more: Lists, degree: Nodes, fill: int
) -> int:
    """Add to an edge's weight; return 1 if the edge is new, else 0."""
    keys, values = table
    key = min(i, j) * len(degree) + max(i, j)
    at = _slot(keys, key)
    if keys[at] == key:
        values[at] += more_weight
        return 0
    keys[at], values[at] = key, more_weight
    _listed(more, 2 * fill, i, j)
    _listed(more, 2 * fill + 1, j, i)
    degree[i] += 1
    degree[j] += 1
    return 1


@njit(cache=True)
def _listed(more: Lists, place: int, node: int, neighbour: int) -> None:
    head, following, ends = more
    ends[place] = neighbour
    following[place] = head[node]
    head[node] = place


@njit(cache=True)
def _schur(csr: Csr, table: Table, more: Lists, core: Nodes, done: Mask) -> Array:
    """Return the negated weights between nodes of the core, zero on the diagonal."""
    n, m = len(csr[0]) - 1, len(core)
    matrix = np.zeros((m, m))
    place = np.empty(n, np.int64)
    place[core] = np.arange(m)
    found = np.empty(n, np.int64)
    for a in range(m):
        i = core[a]
        for b in range(_neighbours(i, csr, more, done, found)):
            j = found[b]
            at = _slot(table[0], min(i, j) * n + max(i, j))
            matrix[a, place[j]] = -table[1][at]
    return matrix
