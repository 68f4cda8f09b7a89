"""A million nodes: edges one at a time, many at once, and reads after an edge was removed."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

from bench.arrivals.clock import cpu, peak
from lapwing import Graph, data, make, read_graph

SEED = 0


def million(n: int = 1_000_000, single: int = 10_000, many: int = 100_000) -> list[str]:
    """The rows of the large graph."""
    found = data.planted_partition(n=n, mean_degree=10, mixing=0.2)
    graph, labels = found.graph, np.asarray(found.labels) % 10
    rng = np.random.default_rng(SEED)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "edges.csv"
        sources, targets, _ = graph.edges()
        np.savetxt(file, np.stack([sources, targets], axis=1), fmt="%d", delimiter=",")
        _, reading = cpu(lambda: read_graph(file))
    pairs = np.stack([sources, targets], axis=1)
    _, building = cpu(lambda: Graph.from_edges(pairs, names=range(n)))
    learner = make("push-lgc", graph, n_classes=10)
    for node in rng.choice(n, 1000, replace=False).tolist():
        learner.learn(node, int(labels[node]))
    graph = graph.with_edges([(0, n - 1)])
    learner.grow(graph)
    memory, ms = peak(), []
    for u, v in rng.integers(0, n, size=(single, 2)).tolist():
        if u == v:
            continue
        start = time.process_time()
        graph = graph.with_edges([(u, v)])
        learner.grow(graph)
        ms.append(1000 * (time.process_time() - start))
    more = peak() - memory
    ends = rng.integers(0, n, size=(many, 2))
    ends = ends[ends[:, 0] != ends[:, 1]]

    def at_once(graph: Graph = graph) -> Graph:
        grown = graph.with_edges(ends)
        learner.grow(grown)
        return grown

    graph, bulk = cpu(at_once)
    wanted = rng.choice(n, 100, replace=False)
    before, after, cut = [], [], []
    learner.predict_proba(wanted)
    for u, v in ends[rng.choice(len(ends), 100, replace=False)].tolist():
        _, spent = cpu(lambda: learner.predict_proba(wanted))
        before.append(1000 * spent)
        if not graph.has_edge(u, v):
            continue

        def remove(graph: Graph = graph, u: int = u, v: int = v) -> Graph:
            shorter = graph.without_edges([(u, v)])
            learner.grow(shorter)
            return shorter

        graph, spent = cpu(remove)
        cut.append(1000 * spent)
        _, spent = cpu(lambda: learner.predict_proba(wanted))
        after.append(1000 * spent)
    return [
        f"| nodes | {n:,} |",
        f"| edges | {len(pairs):,} |",
        f"| one edge of {len(ms):,}, median ms | {np.median(ms):.3f} |",
        f"| one edge, 99% ms | {np.percentile(ms, 99):.3f} |",
        f"| one edge, most ms | {max(ms):.1f} |",
        f"| memory that {len(ms):,} edges added, MB | {more / 1024:.0f} |",
        f"| {len(ends):,} edges at once, CPU s | {bulk:.2f} |",
        f"| reading the graph from a text again, CPU s | {reading:.2f} |",
        f"| building it from arrays again, CPU s | {building:.2f} |",
        f"| removing an edge, median ms | {np.median(cut):.3f} |",
        f"| reading 100 nodes before it, median ms | {np.median(before):.3f} |",
        f"| reading 100 nodes after it, median ms | {np.median(after):.3f} |",
        f"| reading 100 nodes after it, most ms | {max(after):.3f} |",
    ]
