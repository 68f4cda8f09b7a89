"""What is measured on one graph, each part in a process of its own.

``python -m bench.scale.parts PART FOLDER SEED LABELS`` prints one JSON object.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import eigsh

import lapwing.linalg.passes
from bench.scale.graphs import made
from bench.scale.sessions import attributes, session
from bench.scale.timing import Found, peak, row, spent
from lapwing import Graph, make, read_graph
from lapwing.linalg import low_spectrum
from lapwing.linalg.eigen.smooth_rows import smooth_rows
from lapwing.linalg.eigen.wide_rows import wide_rows
from lapwing.linalg.passes import Passes
from lapwing.optional import need

RANK = 32
MOST_FOR_RIVALS = 300_000
"""eigsh and GraphLearning are not run on larger graphs: they would take minutes."""
REPEATS = 5
SMALL, MEDIUM, SINGLE_ABOVE = 3_000, 120_000, 25_000
"""Nodes of the graph on which compiled code is loaded; learners of larger graphs have other code,
for single precision."""


def csr(graph: Graph) -> Found:
    """A graph from a valid CSR matrix, checked and used as it is, beside building it anew."""
    held = graph.to_scipy()
    ours = spent(lambda: Graph.from_scipy(held))
    built = spent(lambda: Graph.from_scipy(held.tocoo()))[0]
    return [row("from_scipy, valid CSR", ours, "built anew", built)]


def reading(graph: Graph, folder: Path) -> Found:
    """Text ids in Parquet beside DuckDB's bare read; the same graph mapped from a file."""
    duckdb, pa = need("duckdb", extra="tables"), need("pyarrow", extra="tables")
    path = folder / "text.parquet"
    if not path.exists():  # written by a process of its own: see `write_text`
        write_text(graph, path)
        return []
    ours = spent(lambda: read_graph(path), 2)
    most = peak()

    def theirs() -> None:
        with duckdb.connect() as database:
            assert isinstance(database.sql(f"select * from '{path}'").to_arrow_table(), pa.Table)

    found = row("read, Parquet with text ids", ours, "DuckDB, bare read", spent(theirs, 2)[0])
    mapped = row("open, .lap file", spent(lambda: read_graph(folder / "graph.lap"), 2))
    return [{**found, "peak": most}, {**mapped, "peak": float("nan")}]


def write_text(graph: Graph, path: Path) -> None:
    """Write the edges in a random order, with texts for names."""
    pa, pq = need("pyarrow", extra="tables"), need("pyarrow.parquet", extra="tables")
    sources, targets, _ = graph.edges()
    order = np.random.default_rng(0).permutation(len(sources))
    names = pa.array([f"user_{node:07d}x" for node in range(graph.n_nodes)])
    ends = {"source": sources[order], "target": targets[order]}
    columns = {name: names.take(pa.array(column)) for name, column in ends.items()}
    pq.write_table(pa.table(columns), path)


def kernel(graph: Graph) -> Found:
    """One pass over the edges, beside SciPy, a copy of what must be moved, and one thread."""
    n, found = graph.n_nodes, []
    single = sparse.csr_array(graph.adjacency, dtype=np.float32)
    passes = Passes(graph.adjacency)
    threads = lapwing.linalg.passes.WORTH_THREADS
    for width in (1, 4, 8, 10, 16, 32):
        values = np.random.default_rng(0).standard_normal((n, width), dtype=np.float32)
        now, old = passes.room(values), passes.room(values)
        copied = np.empty(graph.adjacency.indices.size + 2 * values.size, dtype=np.float32)
        other = np.empty_like(copied)
        passes.step(now, old, a=1.0)
        turns = []
        for _ in range(REPEATS):  # in turns, so that a busy moment meets all of them
            both = spent(lambda a=now, b=old: passes.step(a, b, a=1.0))
            lapwing.linalg.passes.WORTH_THREADS = 1 << 62
            alone = spent(lambda a=now, b=old: passes.step(a, b, a=1.0))
            lapwing.linalg.passes.WORTH_THREADS = threads
            theirs = spent(lambda v=values: single @ v)
            limit = spent(lambda a=copied, b=other: np.copyto(b, a))
            turns.append((both, alone, theirs, limit))
        best = [tuple(map(min, zip(*each, strict=True))) for each in zip(*turns, strict=True)]
        what = f"pass, {width} columns"
        found.append(row(what, best[1], "SciPy, float32", best[2][0]))
        found.append(row(what, best[1], "copy of its traffic", best[3][0]))
        found.append(row(what, best[0], "one thread, wall", best[1][1]))
    return found


def rows(graph: Graph) -> Found:
    """Rows of rank 32, and eigsh to the same residual where it can be waited for."""
    ours = spent(lambda: smooth_rows(graph.adjacency, RANK - 1, tol=0.01))
    found = row(f"rows of rank {RANK}", ours)
    if graph.n_nodes > MOST_FOR_RIVALS:
        return [found]
    roots = 1.0 / np.sqrt(np.where(graph.degrees > 0, graph.degrees, 1.0))
    scaled = sparse.diags_array(roots) @ graph.adjacency @ sparse.diags_array(roots)
    matrix = sparse.csr_array(scaled)
    if graph.n_components > 1:
        kept = graph.largest_component_nodes()
        matrix = sparse.csr_array(matrix[kept][:, kept])
    theirs = spent(lambda: eigsh(matrix, RANK, which="LA", tol=1e-2))[0]
    return [{**found, "rival": "eigsh LA", "other": theirs}]


def wide(graph: Graph) -> Found:
    """Rows that learners use, whether or not the smoothest eigenvectors are localised."""
    took = spent(lambda: wide_rows(graph.adjacency, RANK - 1, tol=0.01))
    return [row(f"rows to learn from, rank {RANK}", took)]


def exact(graph: Graph) -> Found:
    """Rows of rank 32 as they were made before: exact eigenvectors, in double precision."""
    count = RANK - 1
    took = spent(lambda: low_spectrum(graph.adjacency, count, normalized=True))
    return [row("exact rows, as before", took)]


def batch(graph: Graph, labels: np.ndarray, seed: int, name: str) -> Found:
    """One method from 1% of the labels; accuracy on the others."""
    n = graph.n_nodes
    known = np.flatnonzero(np.random.default_rng(seed).random(n) < 0.01)
    hidden = np.setdiff1d(np.arange(n), known)
    said: list[np.ndarray] = []

    def diffusion() -> None:
        given = np.full(n, -1)
        given[known] = labels[known]
        method = need("sknetwork.classification", extra="bench").DiffusionClassifier(n_iter=10)
        said.append(method.fit_predict(sparse.csr_matrix(graph.adjacency), given))

    def graphlearning() -> None:
        ssl = need("graphlearning", extra="bench").ssl.poisson(sparse.csr_matrix(graph.adjacency))
        said.append(ssl.fit_predict(known, labels[known]))

    def ours() -> None:
        model = make(name, graph, n_classes=10).fit(known, labels[known])
        said.append(model.predict(np.arange(n)))

    rivals = {"scikit-network diffusion": diffusion, "GraphLearning Poisson": graphlearning}
    if name == "igraph label propagation":
        if find_spec("igraph") is None:
            return []
        rivals[name] = propagation(graph, known, labels, said)
    if name == "GraphLearning Poisson" and n > MOST_FOR_RIVALS:
        return []
    took = spent(rivals.get(name, ours))
    right = float(np.mean(said[-1][hidden] == labels[hidden]))
    return [row(name if name in rivals else f"classify, {name}", took, right=right)]


def propagation(
    graph: Graph, known: np.ndarray, labels: np.ndarray, said: list[np.ndarray]
) -> Callable[[], None]:
    """What igraph does with the same labels; its graph is made before the time is taken."""
    sources, targets, _ = graph.edges()
    other = import_module("igraph").Graph(graph.n_nodes, np.column_stack([sources, targets]))
    given, fixed = np.full(graph.n_nodes, -1), np.zeros(graph.n_nodes, dtype=bool)
    given[known], fixed[known] = labels[known], True

    def propagate() -> None:
        found = other.community_label_propagation(initial=given.tolist(), fixed=fixed.tolist())
        groups = np.array(found.membership)
        of_group = np.full(groups.max() + 1, -1)
        of_group[groups[known]] = labels[known]
        said.append(of_group[groups])

    return propagate


def online(graph: Graph, labels: np.ndarray, seed: int) -> Found:
    """A stream of labels through the default learner: seconds per label."""
    learner = make("auto", graph, n_classes=10)
    order = np.random.default_rng(seed).permutation(graph.n_nodes)[:500]

    def stream() -> None:
        for node in order.tolist():
            learner.learn(node, int(labels[node]))

    cpu, wall = spent(stream)
    return [row("one label of a stream", (cpu / len(order), wall / len(order)))]


def growth(graph: Graph, seed: int) -> Found:
    """A thousand new edges for a graph and its learner."""
    learner = make("auto", graph, n_classes=10)
    learner.learn(0, 1)
    ends = np.random.default_rng(seed).integers(0, graph.n_nodes, (1_000, 2))

    def grow() -> None:
        learner.grow(graph.with_edges(ends))

    return [row("grow by 1,000 edges", spent(grow))]


def measure(part: str, folder: Path, seed: int, labelled: int) -> Any:
    """Load compiled code on a small graph, then measure one part on the graph in the folder."""
    graph, labels = read_graph(folder / "graph.lap"), np.load(folder / "labels.npy")
    small, known = made("S", SMALL if graph.n_nodes <= SINGLE_ABOVE else MEDIUM, 0)
    if part == "session":
        session(small, known, 0, 12)
        return session(graph, labels, seed, labelled)
    if part == "reading":
        read_graph(folder / "small.parquet")
        return reading(graph, folder)
    if part in ("csr", "kernel", "rows", "wide", "exact"):
        act = {"csr": csr, "kernel": kernel, "rows": rows, "wide": wide, "exact": exact}[part]
        act(small)
        return act(graph)
    if part in ("online", "attributes"):
        tried = online if part == "online" else attributes
        tried(small, known, 0)
        return tried(graph, labels, seed)
    if part == "growth":
        growth(small, 0)
        return growth(graph, seed)
    batch(small, known, 0, part)
    return batch(graph, labels, seed, part)


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], Path(sys.argv[2]), *map(int, sys.argv[3:5]))))
