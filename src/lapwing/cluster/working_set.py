"""A part of a partitioned graph in memory: some nodes and their neighbourhoods."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lapwing.cluster.graph import PartitionedGraph
from lapwing.graph import Graph


def working_set(
    graph: PartitionedGraph, begin: NDArray[np.int64], most: int
) -> tuple[NDArray[np.int64], Graph]:
    """Return the nodes around some nodes, at most so many, and the graph on them.

    Neighbours are added ring by ring, the blocks that hold them mapped one after the other; of a
    ring that would be too many, those with the smallest numbers are taken.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from lapwing.cluster import write_partitioned
    >>> path = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 4)])
    >>> with TemporaryDirectory() as folder:
    ...     _ = write_partitioned(path, folder + "/path", blocks=2)
    ...     parts = PartitionedGraph(folder + "/path")
    ...     nodes, near = working_set(parts, parts.codes([2]), 3)
    >>> sorted(near.names), near.n_edges
    ([1, 2, 3], 2)
    """
    inside = np.unique(begin)[:most]
    ring = inside
    while len(ring) and len(inside) < most:
        near = np.unique(np.concatenate([ends for _, ends, _ in _rows(graph, ring)]))
        ring = np.setdiff1d(near, inside, assume_unique=True)[: most - len(inside)]
        inside = np.union1d(inside, ring)
    rows, columns, values = [], [], []
    for number, ends, weights in _rows(graph, inside):
        at = np.searchsorted(inside, ends).clip(max=len(inside) - 1)
        kept = inside[at] == ends
        rows.append(np.full(int(kept.sum()), number))
        columns.append(at[kept])
        values.append(weights[kept])
    shape = (len(inside), len(inside))
    where = (np.concatenate(rows), np.concatenate(columns)) if rows else ([], [])
    matrix = sparse.coo_array((np.concatenate(values) if rows else [], where), shape=shape)
    names = graph.names(inside).tolist()
    return inside, Graph.from_scipy(sparse.csr_array(matrix, dtype=np.float64), names=names)


def neighbors_of(graph: PartitionedGraph, node: int) -> NDArray[np.int64]:
    """Return the neighbours of a node."""
    ((_, ends, _),) = _rows(graph, np.array([node]))
    return ends


def _rows(
    graph: PartitionedGraph, nodes: NDArray[np.int64]
) -> list[tuple[int, NDArray[np.int64], NDArray[np.float64]]]:
    """The position, neighbours and weights of each of some sorted nodes."""
    found = []
    where = graph.block_of(nodes)
    for number in np.unique(where).tolist():
        block = graph.block(number)
        mine = np.flatnonzero(where == number)
        whole = np.concatenate([np.arange(block.first, block.first + block.rows), block.halo])
        for position, row in zip(mine.tolist(), (nodes[mine] - block.first).tolist(), strict=True):
            span = slice(int(block.starts[row]), int(block.starts[row + 1]))
            ends = whole[block.ends[span]]
            weights = np.ones(len(ends)) if block.weights is None else block.weights[span]
            found.append((position, ends, np.asarray(weights, dtype=np.float64)))
    return found
