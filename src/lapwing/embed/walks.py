"""Random walks from every node, uniform or biased as in node2vec; compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lapwing.checks import at_least, finite_positive
from lapwing.graph import Graph
from lapwing.types import Array, Nodes


def random_walks(
    graph: Graph,
    *,
    length: int = 40,
    per_node: int = 10,
    p: float = 1.0,
    q: float = 1.0,
    seed: int = 0,
) -> NDArray[np.int32]:
    """Return `per_node` walks of `length` nodes from each node, one per row, in random order.

    A step follows an edge with probability proportional to its weight, times 1/p if it leads back
    to the previous node, 1 if it leads to one of that node's neighbours, and 1/q otherwise (Grover
    and Leskovec 2016); p = q = 1 is DeepWalk's uniform walk (Perozzi et al. 2014). The bias needs
    no table: steps are drawn by weight and rejected. A walk from an isolated node is padded with
    -1.

    Examples
    --------
    >>> path = Graph.from_edges([(0, 1), (1, 2)])
    >>> walks = random_walks(path, length=3, per_node=2)
    >>> walks.shape, bool((np.abs(np.diff(walks)) == 1).all())
    ((6, 3), True)
    """
    at_least("length", length, 2)
    at_least("per_node", per_node, 1)
    finite_positive("p", p)
    finite_positive("q", q)
    rng = np.random.default_rng(seed)
    starts = np.concatenate([rng.permutation(graph.n_nodes) for _ in range(per_node)])
    adjacency = graph.adjacency
    uniform = bool((adjacency.data == adjacency.data[:1]).all())
    return np.asarray(
        _walks(
            adjacency.indptr,
            adjacency.indices,
            np.empty(0) if uniform else np.cumsum(adjacency.data),
            starts,
            length,
            1.0 / p,
            1.0 / q,
            rng,
        )
    )


@njit(cache=True)
def _walks(
    indptr: Nodes,
    indices: Nodes,
    heaped: Array,
    starts: Nodes,
    length: int,
    back: float,
    away: float,
    rng: np.random.Generator,
) -> NDArray[np.int32]:
    top = max(back, 1.0, away)
    biased = back != 1.0 or away != 1.0
    walks = np.full((len(starts), length), -1, dtype=np.int32)
    for row in range(len(starts)):
        here, before = starts[row], -1
        walks[row, 0] = here
        if indptr[here] == indptr[here + 1]:
            continue
        for t in range(1, length):
            after = _neighbour(indptr, indices, heaped, here, rng)
            while biased and before >= 0:
                chance = away
                if after == before:
                    chance = back
                elif _joined(indptr, indices, before, after):
                    chance = 1.0
                if rng.random() * top < chance:
                    break
                after = _neighbour(indptr, indices, heaped, here, rng)
            walks[row, t] = after
            before, here = here, after
    return walks


@njit(cache=True)
def _neighbour(
    indptr: Nodes, indices: Nodes, heaped: Array, node: int, rng: np.random.Generator
) -> Any:
    """Draw a neighbour by weight; `heaped` holds running sums of all weights, or nothing."""
    start, stop = indptr[node], indptr[node + 1]
    if len(heaped) == 0:
        return indices[start + int(rng.random() * (stop - start))]
    low = heaped[start - 1] if start > 0 else 0.0
    mark = low + rng.random() * (heaped[stop - 1] - low)
    place = start + np.searchsorted(heaped[start:stop], mark, side="right")
    return indices[min(place, stop - 1)]


@njit(cache=True)
def _joined(indptr: Nodes, indices: Nodes, one: int, other: int) -> Any:
    start, stop = indptr[one], indptr[one + 1]
    place = start + np.searchsorted(indices[start:stop], other)
    return place < stop and indices[place] == other
