"""A perceptron on a million nodes, its kernel's columns solved on demand; a column against SciPy.

The graph is planted: about 5 million edges, a fifth of them between communities; half of the
communities are labelled +1. 1,000 rounds, one Laplacian solve a mistake.
"""

from __future__ import annotations

import argparse
import resource
import time

import numpy as np
from scipy.sparse.linalg import cg

from lapwing import Graph, data
from lapwing.linalg import LaplacianSolver, combinatorial_laplacian
from lapwing.online import Perceptron
from lapwing.online.kernel.solved_columns import SolvedColumns


def peak() -> float:
    """Peak memory of this process in GiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def grid(side: int) -> Graph:
    """A square grid: the graph on which conjugate gradients alone are slow."""
    at = np.arange(side * side).reshape(side, side)
    across = np.stack([at[:, :-1].ravel(), at[:, 1:].ravel()], axis=1)
    down = np.stack([at[:-1].ravel(), at[1:].ravel()], axis=1)
    return Graph.from_edges(np.concatenate([across, down]), names=range(side * side))


def compare(name: str, graph: Graph, tol: float, columns: int) -> None:
    """Seconds a column: lapwing's solver, first and later, and SciPy's plain CG."""
    begin = time.perf_counter()
    solver = LaplacianSolver(graph.adjacency, tol=tol)
    first = solver.column(0)
    setup = time.perf_counter() - begin
    rng = np.random.default_rng(0)
    nodes = rng.choice(graph.n_nodes, columns, replace=False).tolist()
    begin = time.perf_counter()
    ours = [solver.column(node) for node in nodes]
    own = (time.perf_counter() - begin) / columns
    laplacian = combinatorial_laplacian(graph.adjacency)
    spent, off = 0.0, 0.0
    for node, column in zip(nodes, ours, strict=True):
        right = np.full(graph.n_nodes, -1 / graph.n_nodes)
        right[node] += 1
        begin = time.perf_counter()
        theirs, failed = cg(laplacian, right, rtol=tol, maxiter=20_000)
        spent += time.perf_counter() - begin
        off = max(off, np.inf if failed else float(np.abs(theirs - theirs.mean() - column).max()))
    print(
        f"{name:22s} {graph.n_nodes:>9,} nodes {graph.n_edges:>9,} edges   first {setup:6.2f} s"
        f"   then {own:6.3f} s   SciPy CG {spent / columns:6.3f} s   differ {off:.1e}"
    )
    del first


def perceptron(graph: Graph, signs: np.ndarray, rounds: int, tol: float) -> None:
    nodes = np.random.default_rng(1).choice(graph.n_nodes, rounds, replace=False)
    columns = SolvedColumns(graph, bias=1.0, tol=tol)
    learner = Perceptron(columns)
    begin = time.perf_counter()
    wrong = signs[nodes] * learner.stream(nodes, signs[nodes]).margins <= 0
    seconds = time.perf_counter() - begin
    print(
        f"perceptron: {rounds:,} rounds, {int(wrong.sum()):,} mistakes, {columns.solves:,} solves, "
        f"{seconds:.0f} s ({seconds / max(columns.solves, 1):.2f} s a solve), peak {peak():.2f} GiB"
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--nodes", type=int, default=1_000_000)
    options.add_argument("--rounds", type=int, default=1000)
    options.add_argument("--side", type=int, default=300)
    options.add_argument("--columns", type=int, default=3)
    options.add_argument("--tol", type=float, default=1e-6)
    asked = options.parse_args()
    begin = time.perf_counter()
    found = data.planted_partition(n=asked.nodes, mean_degree=10).largest_component()
    signs = np.where(found.labels < found.n_classes // 2, 1, -1)
    graph = found.graph
    made = time.perf_counter() - begin
    print(f"planted: {graph.n_nodes:,} nodes, {graph.n_edges:,} edges, {made:.1f} s")
    perceptron(graph, signs, asked.rounds, asked.tol)
    compare("planted", graph, asked.tol, asked.columns)
    compare("grid", grid(asked.side), asked.tol, asked.columns)


if __name__ == "__main__":
    main()
