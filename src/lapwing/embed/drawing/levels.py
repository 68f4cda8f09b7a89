"""Levels of a graph: every level merges the nodes of the one before into fewer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from scipy import sparse

from lapwing.types import Array, Nodes

SMALLEST = 300
"""A level with fewer nodes is not merged further."""
LARGEST_GROUP = 5
"""No group of merged nodes is larger."""
LEAST_GAIN = 0.85
"""Merging ends when it leaves more than this share of the nodes."""


@dataclass(frozen=True, slots=True)
class Level:
    """One level: its adjacency matrix, and the group of each node in the next, coarser level."""

    adjacency: sparse.csr_array
    groups: Nodes | None


def graph_levels(adjacency: sparse.csr_array, rng: np.random.Generator) -> list[Level]:
    """Merge neighbours again and again; return the levels from the finest to the coarsest.

    Examples
    --------
    >>> n = 1000
    >>> path = sparse.diags_array([np.ones(n - 1), np.ones(n - 1)], offsets=[-1, 1]).tocsr()
    >>> found = graph_levels(path, np.random.default_rng(0))
    >>> [level.adjacency.shape[0] <= 1000 / 2**k for k, level in enumerate(found)]
    [True, True, True]
    """
    levels, current = [], adjacency
    while current.shape[0] > SMALLEST:
        n = current.shape[0]
        weights = np.ascontiguousarray(current.data)
        groups, count = _merged(
            current.indptr, current.indices, weights, rng.permutation(n), LARGEST_GROUP
        )
        if count > LEAST_GAIN * n:
            break
        levels.append(Level(current, groups))
        current = _coarser(current, groups, count)
    return [*levels, Level(current, None)]


def _coarser(adjacency: sparse.csr_array, groups: Nodes, count: int) -> sparse.csr_array:
    edges = adjacency.tocoo()
    ends = groups[edges.row], groups[edges.col]
    kept = ends[0] != ends[1]
    shape = (count, count)
    merged = sparse.coo_array((edges.data[kept], (ends[0][kept], ends[1][kept])), shape=shape)
    return sparse.csr_array(merged.tocsr())


@njit(cache=True)
def _merged(
    starts: Nodes, ends: Nodes, weights: Array, order: Nodes, largest: int
) -> tuple[Nodes, int]:
    """Join each node with the free neighbour it is tied to most, or else with a small group."""
    n = len(starts) - 1
    groups = np.full(n, -1, np.int64)
    sizes = np.zeros(n, np.int64)
    count = 0
    for node in order:
        if groups[node] >= 0:
            continue
        best, joined, tie, bond = -1, -1, -1.0, -1.0
        for place in range(starts[node], starts[node + 1]):
            other = ends[place]
            if other == node:
                continue
            strength = weights[place] / (1.0 + starts[other + 1] - starts[other])
            if groups[other] < 0:
                if strength > tie:
                    best, tie = other, strength
            elif sizes[groups[other]] < largest and strength > bond:
                joined, bond = groups[other], strength
        if best >= 0:
            groups[node] = groups[best] = count
            sizes[count] = 2
            count += 1
        elif joined >= 0:
            groups[node] = joined
            sizes[joined] += 1
        else:
            groups[node] = count
            sizes[count] = 1
            count += 1
    return groups, count
