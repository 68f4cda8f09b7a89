"""What the next pushes will read is fetched into the cache, as the queue says."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lapwing.linalg.row_sums import prefetched
from lapwing.types import Array, Mask, Nodes

ROW, NEIGHBOURS, RESIDUALS = 10, 6, 2
"""Places behind the head of the queue: whose row is fetched, whose neighbours, whose residuals."""
MOST, AHEAD = 16, 16
"""Neighbours fetched before a node's turn, and how far ahead of the one that is read."""


@njit(cache=True, nogil=True)
def fetch_next(  # noqa: PLR0913 - one argument per array
    start: Nodes, stop: Nodes, neighbors: NDArray[np.int32], queue: NDArray[np.int32], head: int,
    columns: int, residual: Array, solution: Array, diagonal: Array, waiting: Mask,
) -> None:  # fmt: skip
    """Fetch the rows of nodes that wait, and the residuals of their first neighbours.

    Nothing is changed. Pushes go from node to node all over memory: without this they would wait
    for it most of the time.
    """
    end = queue.size - 1
    node = np.uint32(queue[min(head + ROW, end)])
    prefetched(start, node)
    prefetched(stop, node)
    prefetched(residual, node * columns)
    prefetched(solution, node * columns)
    node = np.uint32(queue[min(head + NEIGHBOURS, end)])
    prefetched(neighbors, start[node])
    node = np.uint32(queue[min(head + RESIDUALS, end)])
    first = start[node]
    for at in range(first, min(stop[node], first + MOST)):
        coming = np.uint32(neighbors[np.uint64(at)])
        prefetched(residual, coming * columns)
        prefetched(diagonal, coming)
        prefetched(waiting, coming)


@njit(cache=True, nogil=True)
def fetch_neighbour(
    neighbors: NDArray[np.int32], at: int, last: int, residual: Array, diagonal: Array
) -> None:
    """Fetch what belongs to a later neighbour of the same row, which ends before `last`."""
    coming = np.uint32(neighbors[np.uint64(min(at + AHEAD, last - 1))])
    prefetched(residual, coming)
    prefetched(diagonal, coming)
