"""Columns of the inverse of a system's matrix, by pushes from one node."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lapwing.linalg.push.fetching import fetch_neighbour, fetch_next
from lapwing.linalg.push.residuals import Diffusion, queue_arrays
from lapwing.linalg.stored_weights import weight_at
from lapwing.types import Array

REACHED, WAITING = 1, 2
"""Marks of a node: it is listed among those reached, and it waits to be pushed."""


class Scratch(NamedTuple):
    """Memory for one kernel column; all zero between uses."""

    value: Array
    left: Array
    mark: NDArray[np.uint8]
    touched: NDArray[np.int32]
    queue: NDArray[np.int32]


def scratch_arrays(n: int) -> Scratch:
    """Allocate memory for kernel columns of n nodes."""
    queue, mark, _ = queue_arrays(n)
    touched = np.zeros(n, dtype=np.int32)
    return Scratch(np.zeros(n), np.zeros(n), mark.view(np.uint8), touched, queue)


@njit(cache=True)
def kernel_column(system: Diffusion, k: int, node: int, tolerance: float, scratch: Scratch) -> int:
    """Compute column `node` of the inverse of system k's matrix by pushes.

    The values are in ``scratch.value`` at the nodes ``scratch.touched[:count]``; returns the count.
    Call `release` afterwards. The first value is the node's prior or posterior variance.
    """
    value, left, mark, touched, queue = scratch
    start, stop, neighbors, weights = system.start, system.stop, system.neighbors, system.weights
    diagonal, label_weight = system.diagonal, system.label_weight
    alpha, ridge, size = system.alpha[k], system.ridge[k], queue.size
    left[node], mark[node], touched[0], queue[0] = 1.0, REACHED, node, node
    count, head, tail = 1, 0, 1 % size
    while head != tail:
        fetch_next(start, stop, neighbors, queue, head, 1, left, value, diagonal, mark)
        i = np.uint32(queue[head])
        head = head + 1 if head + 1 < size else 0
        mark[i] = REACHED
        held = diagonal[i] + (ridge * label_weight[i] if ridge > 0.0 else 0.0)
        step = left[i] / held
        left[i] = 0.0
        value[i] += step
        last = stop[i]
        for at in range(start[i], last):
            fetch_neighbour(neighbors, at, last, left, diagonal)
            j = np.uint32(neighbors[np.uint64(at)])
            left[j] += alpha * weight_at(weights, at) * step
            if mark[j] == 0:
                mark[j] = REACHED
                touched[count] = j
                count += 1
            if mark[j] != WAITING and left[j] > tolerance * diagonal[j]:
                mark[j] = WAITING
                queue[tail] = j
                tail = tail + 1 if tail + 1 < size else 0
    return count


@njit(cache=True)
def release(scratch: Scratch, count: int) -> None:
    """Reset the memory to zero after `kernel_column`."""
    for at in range(count):
        i = scratch.touched[at]
        scratch.value[i] = scratch.left[i] = 0.0
        scratch.mark[i] = 0
