"""Large graphs of planted communities, made quickly and kept in a folder between measurements."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from lapwing.cluster import PartitionedGraph, write_partitioned
from lapwing.cluster.labels import SparseLabels
from lapwing.graph import Graph

COMMUNITY, WITHIN, CLASSES, LABELS = 1000, 0.9, 10, 1000


def kept(folder: Path, nodes: int, seed: int = 7) -> PartitionedGraph:
    """A graph of communities of 1,000 nodes, nine tenths of the edges within; five per node.

    Node numbers are shuffled, so that its order has to be found.
    """
    path = folder / f"graph-{nodes}.parts"
    if not PartitionedGraph.is_in(path):
        rng = np.random.default_rng(seed)
        edges = 5 * nodes
        sources = rng.integers(0, nodes, edges)
        near = sources // COMMUNITY * COMMUNITY + rng.integers(0, COMMUNITY, edges)
        targets = np.where(rng.random(edges) < WITHIN, near, rng.integers(0, nodes, edges))
        shuffled = rng.permutation(nodes)
        graph = Graph.from_edges((shuffled[sources], shuffled[targets.clip(max=nodes - 1)]))
        write_partitioned(graph, path)
    return PartitionedGraph(path)


def labels(parts: PartitionedGraph, seed: int = 1) -> SparseLabels:
    """A thousand random labels: what they are does not change what anything costs."""
    rng = np.random.default_rng(seed)
    nodes = np.sort(rng.choice(parts.n_nodes, LABELS, replace=False))
    indicator = np.eye(CLASSES)[rng.integers(0, CLASSES, LABELS)]
    return SparseLabels(nodes, indicator, tuple(f"class {k}" for k in range(CLASSES)))
