"""Random walks with restarts kept solved while their sources change: compiled pushes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from lapwing.types import Array, Mask, Nodes


class Scratch(NamedTuple):
    """Room for pushes on n nodes, clean between them."""

    queue: Nodes
    waiting: Mask
    seen: Mask
    touched: Nodes


def scratch(n: int) -> Scratch:
    """Room for a graph of n nodes."""
    return Scratch(
        np.empty(n, dtype=np.int64), np.zeros(n, dtype=np.bool_), np.zeros(n, dtype=np.bool_),
        np.empty(n, dtype=np.int64),
    )  # fmt: skip


@njit(cache=True)
def settle(
    matrix: tuple[Nodes, Nodes, Array, Array],
    alpha: float,
    by_receiver: bool,
    values: Array,
    residual: Array,
    start: Nodes,
    eps: float,
    room: Scratch,
) -> int:
    """Push residuals above `eps` into `values` until none is left; how many nodes were touched.

    Keeps ``values = source + alpha W values - residual`` true, where W is P = D^-1 A (a node's
    value is the mean of its neighbours': `by_receiver`) or its transpose. `matrix` is A in CSR
    form and the degrees; `start` lists the nodes whose residual may be large; `room.touched`
    receives each node whose value changed, once.
    """
    indptr, indices, weights, degrees = matrix
    n = len(values)
    queue, waiting, seen, touched = room
    head = count = changed = 0
    for i in start:
        if abs(residual[i]) > eps and not waiting[i]:
            queue[(head + count) % n] = i
            count += 1
            waiting[i] = True
    while count:
        i = queue[head]
        head = (head + 1) % n
        count -= 1
        waiting[i] = False
        amount = residual[i]
        residual[i] = 0.0
        values[i] += amount
        if not seen[i]:
            seen[i] = True
            touched[changed] = i
            changed += 1
        for k in range(indptr[i], indptr[i + 1]):
            j = indices[k]
            share = weights[k] / (degrees[j] if by_receiver else degrees[i])
            residual[j] += alpha * amount * share
            if abs(residual[j]) > eps and not waiting[j]:
                queue[(head + count) % n] = j
                count += 1
                waiting[j] = True
    for t in range(changed):
        seen[touched[t]] = False
    return changed


@njit(cache=True)
def column(
    matrix: tuple[Nodes, Nodes, Array, Array],
    alpha: float,
    node: int,
    amount: float,
    eps: float,
    clean: tuple[Array, Array],
    room: Scratch,
) -> tuple[Nodes, Array]:
    """The nodes whose walk meets this node, and how much: amount (1 - alpha P)^-1 e_node.

    `clean` are two arrays of zeros, and are so again afterwards.
    """
    indptr, indices = matrix[0], matrix[1]
    values, residual = clean
    residual[node] = amount
    start = np.array([node])
    count = settle(matrix, alpha, True, values, residual, start, eps, room)
    near = room.touched[:count].copy()
    found = values[near]
    for i in near:
        values[i] = 0.0
        residual[i] = 0.0
        for k in range(indptr[i], indptr[i + 1]):
            residual[indices[k]] = 0.0
    residual[node] = 0.0
    return near, found
