"""A million nodes: edges one at a time, many at once, and reads after an edge was removed."""

from __future__ import annotations

import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bench.arrivals.clock import cpu, memory
from lapwing import Graph, data, make, read_graph

SEED, SINGLE, MANY, TOLD, TIMES = 0, 10_000, 100_000, 1_000, 5
OTHER_MEMORY = 4_000_000
"""Numbers, more than a processor's cache holds."""


def million(n: int = 1_000_000) -> list[str]:
    """The rows of the large graph."""
    load_compiled()
    found = data.planted_partition(n=n, mean_degree=10, mixing=0.2)
    labels = np.asarray(found.labels) % 10
    rng = np.random.default_rng(SEED)
    told = rng.choice(n, TOLD, replace=False)
    rows = [f"| nodes | {n:,} |", f"| edges | {found.graph.n_edges:,} |"]
    rows += with_texts(found.graph, rng)
    graph, learner, fresh = read_and_taught(found.graph, labels, told)
    graph, said = one_by_one(graph, learner, rng)
    rows += said
    graph, ends, said = at_once(graph, learner, fresh, rng)
    return rows + said + removed(graph, learner, ends, rng)


def load_compiled() -> None:
    """Do everything once on a small graph, so that compiled code is loaded."""
    found = data.planted_partition(n=4_000, mean_degree=4)
    rng, labels = np.random.default_rng(SEED), np.asarray(found.labels) % 10
    graph, learner, _ = read_and_taught(found.graph, labels, np.arange(50))
    for count in (1, MANY // 20):
        graph = graph.with_edges(pairs_of(4_000, count, rng))
        learner.grow(graph)
    removed(graph, learner, np.stack(graph.edges()[:2], axis=1), rng)


def pairs_of(n: int, count: int, rng: np.random.Generator) -> np.ndarray:
    """Random pairs of different nodes."""
    ends = rng.integers(0, n, size=(count, 2))
    return ends[ends[:, 0] != ends[:, 1]]


def read_and_taught(graph: Graph, labels: np.ndarray, told: np.ndarray) -> tuple[Graph, Any, Any]:
    """The graph, a learner with labels, and the CPU seconds of reading and of both."""
    read = read_times(graph, "{}")
    learner, making = cpu(partial(make, "push-lgc", graph, n_classes=10))
    _, learning = cpu(partial(learner.fit, told, labels[told]))
    return graph, learner, (np.median(read), making + learning)


def read_times(graph: Graph, name: str) -> list[float]:
    """CPU seconds of reading a graph from a CSV file, several times."""
    sources, targets, _ = graph.edges()
    line = f"{name},{name}\n"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "edges.csv"
        with file.open("w") as text:
            text.write("source,target\n")
            pairs = zip(sources.tolist(), targets.tolist(), strict=True)
            text.writelines(line.format(u, v) for u, v in pairs)
        return [cpu(partial(read_graph, file))[1] for _ in range(TIMES)]


def with_texts(graph: Graph, rng: np.random.Generator) -> list[str]:
    """Many edges at once where names are texts."""
    n = graph.n_nodes
    reading = float(np.median(read_times(graph, "page{}")))
    named = Graph.from_scipy(graph.adjacency, names=[f"page{i}" for i in range(n)])
    named = named.with_edges([("page0", "page1")])  # names are looked up for the first time
    spent = []
    for _ in range(TIMES):
        ends = [(f"page{u}", f"page{v}") for u, v in pairs_of(n, MANY, rng).tolist()]
        named, took = cpu(partial(named.with_edges, ends))
        spent.append(took)
    adding = float(np.median(spent))
    return [
        f"| texts as names: reading the file, CPU s | {reading:.2f} |",
        f"| texts as names: {MANY:,} edges at once, graph, CPU s | {adding:.3f} |",
        f"| texts as names: of reading | {adding / reading:.2f} |",
    ]


def one_by_one(graph: Graph, learner: Any, rng: np.random.Generator) -> tuple[Graph, list[str]]:
    """Edges that arrive one at a time."""
    n, ms = graph.n_nodes, []
    graph = graph.with_edges([(0, n - 1)])
    learner.grow(graph)
    before = memory()
    for pair in pairs_of(n, SINGLE, rng).tolist():
        start = time.process_time()
        graph = graph.with_edges([pair])
        learner.grow(graph)
        ms.append(1000 * (time.process_time() - start))
    return graph, [
        f"| one edge of {len(ms):,}, median ms | {np.median(ms):.3f} |",
        f"| one edge, 99% ms | {np.percentile(ms, 99):.3f} |",
        f"| one edge, most ms | {max(ms):.1f} |",
        f"| memory that {len(ms):,} edges added, MB | {memory() - before:.0f} |",
    ]


def at_once(
    graph: Graph, learner: Any, fresh: tuple[float, float], rng: np.random.Generator
) -> tuple[Graph, np.ndarray, list[str]]:
    """Many edges at once, against reading the graph and making the learner again."""
    adding, following, ends = [], [], np.empty((0, 2))
    for _ in range(TIMES):
        ends = pairs_of(graph.n_nodes, MANY, rng)
        graph, spent = cpu(partial(graph.with_edges, ends))
        adding.append(spent)
        following.append(cpu(partial(learner.grow, graph))[1])
    reading, making = fresh
    mine, follow = float(np.median(adding)), float(np.median(following))
    return (
        graph,
        ends,
        [
            f"| reading the file, CPU s | {reading:.2f} |",
            f"| making push-lgc with {TOLD:,} labels at once, CPU s | {making:.2f} |",
            f"| {MANY:,} edges at once: graph, CPU s | {mine:.3f} |",
            f"| {MANY:,} edges at once: push-lgc follows, CPU s | {follow:.3f} |",
            f"| graph, of reading | {mine / reading:.2f} |",
            f"| graph and push-lgc, of reading and making | {(mine + follow) / sum(fresh):.2f} |",
            f"| graph and push-lgc, of reading alone | {(mine + follow) / reading:.2f} |",
        ],
    )


def removed(graph: Graph, learner: Any, ends: np.ndarray, rng: np.random.Generator) -> list[str]:
    """What reading costs before and after an edge is removed, with the processor's cache as empty.

    Removing touches much memory, which alone makes the next read slower, so the read before it
    comes after other memory was touched.
    """
    others = np.ones(OTHER_MEMORY)
    wanted = rng.choice(graph.n_nodes, 100, replace=False)
    before, after, cut = [], [], []
    learner.predict_proba(wanted)
    for u, v in ends[rng.choice(len(ends), 100, replace=False)].tolist():
        others += 1
        before.append(1000 * cpu(partial(learner.predict_proba, wanted))[1])
        if not graph.has_edge(u, v):
            continue
        start = time.process_time()
        graph = graph.without_edges([(u, v)])
        learner.grow(graph)
        cut.append(1000 * (time.process_time() - start))
        after.append(1000 * cpu(partial(learner.predict_proba, wanted))[1])
    return [
        f"| removing an edge, median ms | {np.median(cut):.3f} |",
        f"| removing the first edge after many came at once, ms | {cut[0]:.1f} |",
        f"| reading 100 nodes before it, median ms | {np.median(before):.3f} |",
        f"| reading 100 nodes after it, median ms | {np.median(after):.3f} |",
        f"| reading 100 nodes after it, most ms | {max(after):.3f} |",
    ]
