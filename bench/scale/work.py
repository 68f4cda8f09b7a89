"""What is measured on one graph, in one process: CPU seconds of ours and of others."""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import eigsh

import lapwing
from bench.scale.graphs import made
from lapwing import Graph, make
from lapwing.linalg.eigen.filtered import smooth_eigenpairs
from lapwing.linalg.eigen.smooth_rows import smooth_rows
from lapwing.linalg.passes import Passes
from lapwing.optional import need

RANK = 32
MOST_FOR_RIVALS = 300_000
"""eigsh is not run on larger graphs: it would take minutes."""
REPEATS = 5


def cpu(act: Callable[[], Any], repeats: int = 1) -> float:
    """CPU seconds of all threads, the least of several runs."""
    spent = []
    for _ in range(repeats):
        start = time.process_time()
        act()
        spent.append(time.process_time() - start)
    return min(spent)


def peak() -> float:
    """Peak memory of this process in GB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9


def row(what: str, seconds: float, rival: str = "", other: float = float("nan")) -> dict[str, Any]:
    return {"what": what, "cpu": seconds, "rival": rival, "other": other, "peak": peak()}


def kernel(graph: Graph) -> list[dict[str, Any]]:
    """One pass over the edges, beside SciPy and beside a copy of what must be read and written."""
    n, found = graph.n_nodes, []
    single = sparse.csr_array(graph.adjacency, dtype=np.float32)
    passes = Passes(graph.adjacency)
    for width in (1, 10, 32):
        values = np.random.default_rng(0).standard_normal((n, width), dtype=np.float32)
        now, old = passes.room(values), passes.room(values)
        ours = cpu(lambda a=now, b=old: passes.step(a, b, a=1.0), REPEATS)
        theirs = cpu(lambda v=values: single @ v, REPEATS)
        found.append(row(f"pass, {width} columns", ours, "SciPy, float32", theirs))
        copied = np.empty(graph.adjacency.indices.size + 2 * values.size, dtype=np.float32)
        other = np.empty_like(copied)
        limit = cpu(lambda a=copied, b=other: np.copyto(b, a), REPEATS)
        found.append(row(f"pass, {width} columns", ours, "copy of its traffic", limit))
    return found


def rows(graph: Graph) -> list[dict[str, Any]]:
    """Rows of rank 32, and eigsh to the same residual where it can be waited for."""
    ours = cpu(lambda: smooth_rows(graph.adjacency, RANK - 1, tol=0.01))
    if graph.n_nodes > MOST_FOR_RIVALS:
        return [row(f"rows of rank {RANK}", ours)]
    roots = 1.0 / np.sqrt(np.where(graph.degrees > 0, graph.degrees, 1.0))
    scaled = sparse.diags_array(roots) @ graph.adjacency @ sparse.diags_array(roots)
    matrix, zeros = sparse.csr_array(scaled), graph.n_components
    if zeros > 1:
        _, part = sparse.csgraph.connected_components(matrix, directed=False)
        matrix = matrix[part == np.bincount(part).argmax()]
        matrix = sparse.csr_array(matrix[:, part == np.bincount(part).argmax()])
    theirs = cpu(lambda: eigsh(matrix, RANK, which="LA", tol=1e-2))
    return [row(f"rows of rank {RANK}", ours, "eigsh LA", theirs)]


def batch(graph: Graph, labels: np.ndarray, seed: int) -> list[dict[str, Any]]:
    """Two diffusions from 1% of the labels, beside scikit-network's; accuracy on the others."""
    n = graph.n_nodes
    known = np.flatnonzero(np.random.default_rng(seed).random(n) < 0.01)
    hidden = np.setdiff1d(np.arange(n), known)
    given = np.full(n, -1)
    given[known] = labels[known]
    diffusion = need("sknetwork.classification", extra="bench").DiffusionClassifier(n_iter=10)
    adjacency = sparse.csr_matrix(graph.adjacency)
    guesses: dict[str, np.ndarray] = {}

    def theirs() -> None:
        guesses["theirs"] = diffusion.fit_predict(adjacency, given)

    def ours(name: str) -> None:
        model = make(name, graph, n_classes=10).fit(known, labels[known])
        guesses[name] = model.predict(np.arange(n))

    other, found = cpu(theirs), []
    for name in ("pagerank", "poisson", "best-evidence"):
        spent = cpu(lambda name=name: ours(name))
        found.append(row(f"classify, {name}", spent, "scikit-network diffusion", other))
    right = {each: np.mean(said[hidden] == labels[hidden]) for each, said in guesses.items()}
    for each, name in zip(found, ("pagerank", "poisson", "best-evidence"), strict=True):
        each["right"], each["right_other"] = float(right[name]), float(right["theirs"])
    return found


def session(graph: Graph, labels: np.ndarray, seed: int, labelled: int) -> dict[str, Any]:
    """A session whose teacher knows the truth: accuracy, first question, next questions."""
    hidden = np.random.default_rng(seed).permutation(graph.n_nodes)[:20_000]
    start = time.process_time()
    held = lapwing.Session(graph, classes=range(10), seed=seed)
    question = held.ask()
    first, spent, right = time.process_time() - start, [], {}
    for count in range(1, labelled + 1):
        held.tell(question.node, labels[question.node])
        if count in (50, 200):
            said = held.dialogue.learner.predict(hidden)
            right[count] = float(np.mean(said == labels[hidden]))
        start = time.process_time()
        question = held.ask()
        spent.append(time.process_time() - start)
    return {
        "first": first, "right": right, "peak": peak(),
        "median": float(np.median(spent)), "p99": float(np.quantile(spent, 0.99)),
    }  # fmt: skip


def warmed() -> None:
    """Load compiled code on a small graph."""
    graph, labels = made("S", 3_000, 0)
    kernel(graph)
    smooth_eigenpairs(graph.adjacency, 4)
    session(graph, labels, 0, 12)
    make("best-evidence", graph, n_classes=10).fit(np.arange(60), labels[:60])


def measure(kind: str, n: int, seed: int, labelled: int) -> dict[str, Any]:
    """Everything on one graph."""
    warmed()
    graph, labels = made(kind, n, seed)
    held = graph.to_scipy()
    built = cpu(lambda: Graph.from_scipy(held.tocoo()))
    parts = [row("from_scipy, valid CSR", cpu(lambda: Graph.from_scipy(held)), "built anew", built)]
    parts += kernel(graph)
    parts += rows(graph)
    asked = session(graph, labels, seed, labelled)
    parts += batch(graph, labels, seed)
    return {"kind": kind, "n": n, "edges": graph.n_edges, "parts": parts, "session": asked}


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], *map(int, sys.argv[2:5]))))
