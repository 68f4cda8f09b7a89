"""Rows and solves: how long they take, against SciPy and scikit-learn on the same work.

``python -m bench.rows [--cap SECONDS] [PART ...]`` with parts rows, sets, planted, solves,
sketch; ``--graph "planted 1000000"`` restricts sets and solves to one graph.
Every timing is one run in a process of its own, compiled code loaded beforehand; a rival that has
not finished after the cap is stopped and shown as ``> cap``.
"""

import argparse
import multiprocessing
import queue
import resource
import time
import traceback

import networkx as nx
import numpy as np
from scipy.sparse.linalg import cg, eigsh
from sklearn.manifold import spectral_embedding

from lapwing.data import is_present, load, planted_partition
from lapwing.embed import ResistanceSketch, diagonal, laplacian
from lapwing.graph import Graph
from lapwing.linalg import (
    LaplacianSolver,
    combinatorial_laplacian,
    low_spectrum,
    normalized_laplacian,
)

RANK = 100
KINDS = {"combinatorial": False, "normalised": True}
_CONTEXT = multiprocessing.get_context("spawn")


def graph_named(name):
    if name.startswith("planted "):
        return planted_partition(n=int(name.split()[1]), mean_degree=10, mixing=0.2).graph
    return load(name).graph


def matrix_of(graph, normalized):
    return (normalized_laplacian if normalized else combinatorial_laplacian)(graph.adjacency)


def residual(matrix, values, vectors):
    return float(np.linalg.norm(matrix @ vectors - vectors * values, axis=0).max())


def by_lapwing(graph, normalized):
    return residual(
        matrix_of(graph, normalized),
        *low_spectrum(graph.adjacency, RANK - 1, normalized=normalized),
    )


def by_eigsh_smallest(graph, normalized):
    matrix = matrix_of(graph, normalized)
    return residual(matrix, *eigsh(matrix, RANK, which="SM"))


def by_eigsh_inverted(graph, normalized):
    matrix = matrix_of(graph, normalized)
    return residual(matrix, *eigsh(matrix.tocsc(), RANK, sigma=-1e-3, which="LM"))


def by_sklearn(graph, normalized):
    adjacency = graph.to_scipy()
    adjacency.indices, adjacency.indptr = (  # scikit-learn takes no others
        adjacency.indices.astype(np.int32),
        adjacency.indptr.astype(np.int32),
    )
    spectral_embedding(
        adjacency,
        n_components=RANK - 1,
        norm_laplacian=normalized,
        eigen_solver="arpack",
        random_state=0,
        drop_first=True,
    )
    return float("nan")


ROWS = {
    "lapwing": by_lapwing,
    'eigsh(L, 100, which="SM")': by_eigsh_smallest,
    "eigsh(L, 100, sigma=-0.001)": by_eigsh_inverted,
    "spectral_embedding (sklearn)": by_sklearn,
}


def _column_by_lapwing(graph):
    return LaplacianSolver(graph.adjacency).column(0)


def _column_by_cg(graph):
    rhs = np.full(graph.n_nodes, -1.0 / graph.n_nodes)
    rhs[0] += 1.0
    found, failed = cg(combinatorial_laplacian(graph.adjacency), rhs, rtol=1e-8)
    assert failed == 0
    return found


COLUMNS = {"lapwing": _column_by_lapwing, "scipy cg": _column_by_cg}


def _timed_rows(method, name, normalized):
    graph = graph_named(name)
    grid = Graph.from_networkx(nx.convert_node_labels_to_integers(nx.grid_2d_graph(35, 35)))
    by_lapwing(grid, normalized)
    start = time.perf_counter()
    error = ROWS[method](graph, normalized)
    return time.perf_counter() - start, error


def _timed_column(method, name):
    graph = graph_named(name).largest_component()
    LaplacianSolver(Graph.from_networkx(nx.path_graph(50)).adjacency).column(0)
    before = _peak()
    start = time.perf_counter()
    x = COLUMNS[method](graph)
    seconds = time.perf_counter() - start
    rest = combinatorial_laplacian(graph.adjacency) @ x + 1.0 / graph.n_nodes
    rest[0] -= 1.0
    return seconds, float(np.linalg.norm(rest)), _peak() - before


def _peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def measured(cap, target, *arguments):
    """What the function returned, or None if it took longer than the cap."""
    answers = _CONTEXT.Queue()
    process = _CONTEXT.Process(target=_answered, args=(answers, target, *arguments))
    process.start()
    try:
        answer = answers.get(timeout=cap)
    except queue.Empty:
        return None
    finally:
        process.terminate()
        process.join()
    if isinstance(answer, str):
        raise RuntimeError(answer)
    return answer


def _answered(answers, target, *arguments):
    try:
        answers.put(target(*arguments))
    except Exception:
        answers.put(traceback.format_exc())


def rows(cap):
    print(f"\nRank-{RANK} eigenpairs of PubMed (19,717 nodes)")
    print(f"{'Laplacian':<15}{'method':<32}{'seconds':>9}{'times ours':>12}{'residual':>10}")
    for kind, normalized in KINDS.items():
        ours = None
        for method in ROWS:
            found = measured(cap, _timed_rows, method, "pubmed", normalized)
            seconds, error = found or (cap, float("nan"))
            ours = ours or seconds
            shown = f"{seconds:.2f}" if found else f"> {cap}"
            times = f"{'' if found else '> '}{seconds / ours:.1f}"
            print(f"{kind:<15}{method:<32}{shown:>9}{times:>12}{error:>10.0e}", flush=True)


def sets(cap, names=("digits", "cora", "wikipedia", "pubmed", "cora-full", "imdb", "movies")):
    print(f"\nRank-{RANK} eigenpairs by lapwing (a process each)")
    print(
        f"{'graph':<16}{'nodes':>9}{'edges':>10}  {'Laplacian':<15}{'seconds':>8}{'residual':>10}"
    )
    for name in names:
        if not name.startswith("planted") and not is_present(name):
            print(f"{name:<16} files are not here")
            continue
        graph = graph_named(name)
        for kind, normalized in KINDS.items():
            found = measured(cap, _timed_rows, "lapwing", name, normalized)
            shown = f"{found[0]:>8.2f}{found[1]:>10.0e}" if found else f"{f'> {cap}':>8}"
            size = f"{name:<16}{graph.n_nodes:>9,}{graph.n_edges:>10,}"
            print(f"{size}  {kind:<15}{shown}", flush=True)


def planted(cap):
    sets(cap, ("planted 100000",))


def solves(cap, names=("pubmed", "movies", "planted 100000", "planted 1000000")):
    print("\nOne column of L+ (largest component), set-up included, relative residual 1e-8")
    print(f"{'graph':<18}{'method':<10}{'seconds':>9}{'residual':>10}{'GB more at the peak':>21}")
    for name in names:
        for method in COLUMNS:
            found = measured(cap, _timed_column, method, name)
            if not found:
                print(f"{name:<18}{method:<10}{f'> {cap}':>9}", flush=True)
                continue
            seconds, error, more = found
            print(f"{name:<18}{method:<10}{seconds:>9.2f}{error:>10.0e}{more:>21.2f}", flush=True)


def sketch(_cap):
    print("\nSketched diagonal of L+: median relative error against sqrt(2 / k)")
    for name in ("digits", "cora"):
        graph = graph_named(name).largest_component()
        exact = diagonal(graph)
        for k in (50, 200, 800):
            error = np.median(np.abs(ResistanceSketch(graph, projections=k).diagonal() / exact - 1))
            print(f"{name:<8} k = {k:<4} {error:.4f}  promised {np.sqrt(2 / k):.4f}", flush=True)
    graph = graph_named("pubmed")
    laplacian(graph)
    start = time.perf_counter()
    laplacian(graph)
    print(f"\nPubMed's rows from the cache: {time.perf_counter() - start:.3f} s")


PARTS = {"rows": rows, "sets": sets, "planted": planted, "solves": solves, "sketch": sketch}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cap", type=int, default=120)
    parser.add_argument("--graph", help="only this graph, for sets and solves")
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], default=[])
    options = parser.parse_args()
    for name in options.parts or PARTS:
        only = {"names": (options.graph,)} if options.graph and name in ("sets", "solves") else {}
        PARTS[name](options.cap, **only)


if __name__ == "__main__":
    main()
