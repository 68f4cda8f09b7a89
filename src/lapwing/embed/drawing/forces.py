"""Forces between nodes: neighbours attract, random other nodes and those close by repel."""

from __future__ import annotations

import numpy as np
from numba import njit

from lapwing.types import Nodes

REPULSIONS = 4
"""Random other nodes that each end of an edge is pushed away from."""

_FACTOR, _SHIFT = np.uint64(6364136223846793005), np.uint64(1442695040888963407)


@njit(cache=True)
def relaxed(
    places: np.ndarray,
    ends: Nodes,
    pulls: np.ndarray,
    rounds: int,
    first_step: float,
    last_step: float,
    seed: int,
) -> None:
    """Move the nodes, round by round and edge by edge, in steps that shrink.

    `ends` has one row per edge, `pulls` its strength around 1. Attraction grows with the distance
    and flattens, repulsion is that of UMAP, ``2 / ((.01 + d^2) (1 + d^2))`` times the difference.
    """
    n, m = len(places), len(ends)
    state = np.uint64(2 * seed + 1)
    one, many = np.float32(1.0), np.uint64(n)
    for r in range(rounds):
        step = np.float32(first_step + (last_step - first_step) * r / max(rounds - 1, 1))
        for e in range(m):
            i, j = ends[e, 0], ends[e, 1]
            x, y = places[i, 0], places[i, 1]
            dx, dy = x - places[j, 0], y - places[j, 1]
            distance = np.float32(np.sqrt(dx * dx + dy * dy))
            force = np.float32(0.5) * step * min(pulls[e] / (one + np.float32(0.25) * distance),
                                                 np.float32(0.9))  # fmt: skip
            x -= force * dx
            y -= force * dy
            places[j, 0] += force * dx
            places[j, 1] += force * dy
            for _ in range(REPULSIONS):
                state = state * _FACTOR + _SHIFT
                k = np.int64(((state >> np.uint64(32)) * many) >> np.uint64(32))
                if k in (i, j):
                    continue
                dx, dy = x - places[k, 0], y - places[k, 1]
                square = dx * dx + dy * dy
                away = (step * step * np.float32(2.0)
                        / ((np.float32(0.01) + square) * (one + square)))  # fmt: skip
                x += min(max(away * dx, np.float32(-4.0)), np.float32(4.0))
                y += min(max(away * dy, np.float32(-4.0)), np.float32(4.0))
            places[i, 0], places[i, 1] = x, y


@njit(cache=True)
def _pushed(places: np.ndarray, i: int, k: int, wanted: np.float32) -> None:
    dx, dy = places[i, 0] - places[k, 0], places[i, 1] - places[k, 1]
    distance = np.float32(np.sqrt(dx * dx + dy * dy) + 1e-6)
    gap = np.float32(0.15) * max(wanted - distance, np.float32(0.0)) / distance
    places[i, 0] += gap * dx
    places[i, 1] += gap * dy
    places[k, 0] -= gap * dx
    places[k, 1] -= gap * dy


@njit(cache=True)
def spaced(places: np.ndarray, cell: float, rounds: int, seed: int) -> None:
    """Push nodes apart that are closer than a cell's width, so that each can be seen.

    Every round sorts the nodes into cells and pushes each from a few others of its own cell.
    """
    n = len(places)
    state = np.uint64(2 * seed + 1)
    low_x, low_y = places[:, 0].min(), places[:, 1].min()
    for r in range(rounds):
        shift = np.float32(cell * ((0.618034 * (r + 1)) % 1.0))
        lift = np.float32(cell * ((0.754878 * (r + 1)) % 1.0))
        across = np.int64((places[:, 0].max() - low_x) / cell) + 3
        keys = np.empty(n, np.int64)
        for i in range(n):
            column = np.int64((places[i, 0] - low_x + shift) / cell) + 1
            keys[i] = (np.int64((places[i, 1] - low_y + lift) / cell) + 1) * across + column
        order = np.argsort(keys)
        start = 0
        while start < n:
            stop = start
            while stop < n and keys[order[stop]] == keys[order[start]]:
                stop += 1
            size = stop - start
            if size > 1:
                for place in range(start, stop):
                    i = order[place]
                    for _ in range(min(size - 1, 3)):
                        state = state * _FACTOR + _SHIFT
                        k = order[start + np.int64((state >> np.uint64(33)) % np.uint64(size))]
                        _pushed(places, i, k, np.float32(0.7 * cell))
            start = stop
        low_x, low_y = min(low_x, places[:, 0].min()), min(low_y, places[:, 1].min())
