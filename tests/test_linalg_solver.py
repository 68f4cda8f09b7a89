"""Solves with the Laplacian: against the pseudoinverse, on hard graphs, and their failures."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lapwing.data import planted_partition
from lapwing.errors import ConvergenceError, InputError
from lapwing.graph import Graph
from lapwing.linalg import LaplacianSolver, combinatorial_laplacian, pseudoinverse
from lapwing.linalg.solve import laplacian_solver as solver
from lapwing.linalg.solve.approximate_elimination import ApproximateElimination
from lapwing.linalg.solve.conjugate_gradients import conjugate_gradients
from lapwing.linalg.solve.elimination import eliminated


def relabelled(shape):
    return Graph.from_networkx(nx.convert_node_labels_to_integers(shape))


GRAPHS = {
    "karate": relabelled(nx.karate_club_graph()),
    "barbell": relabelled(nx.barbell_graph(20, 30)),
    "grid": relabelled(nx.grid_2d_graph(20, 30)),
    "star": relabelled(nx.star_graph(300)),
    "random": relabelled(nx.gnm_random_graph(500, 3000, seed=1)),
    "pieces": relabelled(
        nx.disjoint_union_all(
            [nx.cycle_graph(90), nx.empty_graph(2), nx.complete_graph(80), nx.path_graph(2)]
        )
    ),
    "two dense pieces": relabelled(
        nx.disjoint_union(nx.complete_graph(90), nx.complete_graph(100))
    ),
}


@pytest.fixture(params=["direct", "easy", "hard"])
def method(request, monkeypatch):
    """Force each way of solving in turn."""
    if request.param != "direct":
        monkeypatch.setattr(solver, "MAX_DIRECT", -1)
        monkeypatch.setattr(solver, "SMALL", -1)
    monkeypatch.setattr(solver, "EASY_STEPS", 0 if request.param == "hard" else 1000)
    return request.param


@pytest.mark.parametrize("name", GRAPHS)
def test_columns_are_those_of_the_pseudoinverse(name, method):
    graph = GRAPHS[name]
    whole = np.linalg.pinv(combinatorial_laplacian(graph.adjacency).toarray(), hermitian=True)
    nodes = np.arange(0, graph.n_nodes, 7)
    found = LaplacianSolver(graph.adjacency).columns(nodes)
    assert np.allclose(found, whole[:, nodes], atol=1e-6 * np.abs(whole).max())
    if method == "direct":
        assert np.allclose(found, whole[:, nodes], atol=1e-10)
    assert np.allclose(pseudoinverse(graph.adjacency), whole, atol=1e-10)


@pytest.mark.parametrize("normalized", [False, True])
@pytest.mark.parametrize("name", GRAPHS)
def test_the_whole_pseudoinverse_solves_penrose_equations(name, normalized):
    graph = GRAPHS[name]
    inverse = pseudoinverse(graph.adjacency, normalized=normalized)
    matrix = combinatorial_laplacian(graph.adjacency).toarray()
    if normalized:
        scale = 1.0 / np.sqrt(np.where(graph.degrees > 0, graph.degrees, 1.0))
        matrix = scale[:, None] * matrix * scale
    assert np.allclose(matrix @ inverse @ matrix, matrix, atol=1e-9)
    assert np.allclose(inverse @ matrix @ inverse, inverse, atol=1e-9)
    assert np.allclose(inverse, inverse.T, atol=1e-12)


def relative_residual(graph, node, column):
    """How far L times a column is from the node's indicator less its component's mean."""
    same = graph.components == graph.components[node]
    target = np.where(same, -1.0 / np.sum(same), 0.0)
    target[node] += 1.0
    rest = combinatorial_laplacian(graph.adjacency) @ column - target
    return float(np.linalg.norm(rest) / np.linalg.norm(target))


@pytest.mark.parametrize("name", ["pubmed", "movies", "cora-full"])
def test_relative_residual_of_a_column_is_at_most_1e_8(dataset, name):
    graph = dataset(name).graph
    solve = LaplacianSolver(graph.adjacency)
    for node in (0, graph.n_nodes // 2):
        assert relative_residual(graph, node, solve.column(node)) <= 1e-8


def test_a_hundred_thousand_nodes_are_solved_without_a_factorisation():
    graph = planted_partition(n=100_000, mean_degree=10, seed=0).graph
    solve = LaplacianSolver(graph.adjacency)
    assert solve.direct is None
    assert relative_residual(graph, 5, solve.column(5)) <= 1e-8


def test_failing_to_converge_is_an_error(monkeypatch):
    monkeypatch.setattr(solver, "MAX_DIRECT", -1)
    monkeypatch.setattr(solver, "HARD_STEPS", 2)
    grid = relabelled(nx.grid_2d_graph(60, 60))
    with pytest.raises(ConvergenceError, match="relative residual 1e-08, got"):
        LaplacianSolver(grid.adjacency).column(0)


@pytest.mark.usefixtures("method")
@pytest.mark.parametrize("span", [0, 3, 9])
def test_extreme_weights_are_solved_or_refused_never_wrong(span):
    random, shape = np.random.default_rng(0), nx.gnm_random_graph(400, 1200, seed=1)
    weights = 10.0 ** random.uniform(-span, span, 1200)
    graph = Graph.from_edges(np.array(shape.edges), weights=weights, names=range(400))
    solve = LaplacianSolver(graph.adjacency)
    if span == 9:
        with pytest.raises(ConvergenceError, match="relative residual"):
            solve.column(0)
        with pytest.raises(ConvergenceError, match="orders of magnitude"):
            pseudoinverse(graph.adjacency)
    else:
        assert relative_residual(graph, 0, solve.column(0)) <= 1e-8
        assert relative_residual(graph, 0, pseudoinverse(graph.adjacency)[:, 0]) <= 1e-8


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda s: s.column(34), "nodes must lie in 0..33"),
        (lambda s: s.column(-1), "nodes must lie in 0..33"),
        (lambda s: s.solve(np.ones(3)), "34 rows, got shape"),
        (lambda s: s.solve(np.full(34, np.nan)), "must be finite"),
    ],
)
def test_wrong_right_sides_are_refused(call, words):
    with pytest.raises(InputError, match=words):
        call(LaplacianSolver(GRAPHS["karate"].adjacency))


def test_tolerance_must_make_sense():
    with pytest.raises(InputError, match="tol must lie strictly between 0 and 1, got 0"):
        LaplacianSolver(GRAPHS["karate"].adjacency, tol=0)


def test_approximate_elimination_beats_the_diagonal_on_a_grid():
    graph = relabelled(nx.grid_2d_graph(100, 100))
    laplacian = combinatorial_laplacian(graph.adjacency)
    rhs = np.random.default_rng(0).standard_normal((graph.n_nodes, 1))
    rhs -= rhs.mean()
    approximate, diagonal = ApproximateElimination(graph.adjacency), graph.degrees[:, None]
    steps = {}
    for name, apply in {"approximate": approximate, "diagonal": lambda r: r / diagonal}.items():
        used = []

        def counted(r, apply=apply, used=used):
            used.append(1)
            z = apply(r)
            return z - z.mean()

        _, error = conjugate_gradients(laplacian.__matmul__, rhs, counted, tol=1e-8, max_steps=2000)
        assert error.max() <= 1e-8
        steps[name] = len(used)
    assert 5 * steps["approximate"] < steps["diagonal"]


def test_approximate_elimination_is_the_same_every_time_and_symmetric():
    graph = GRAPHS["random"]
    identity = np.eye(graph.n_nodes)
    first, second = (ApproximateElimination(graph.adjacency)(identity) for _ in range(2))
    assert np.array_equal(first, second)
    centre = identity - 1.0 / graph.n_nodes
    assert np.allclose(centre @ first @ centre, centre @ first.T @ centre, atol=1e-10)


@settings(max_examples=40)
@given(st.integers(2, 40), st.integers(0, 10_000), st.floats(0.0, 3.0))
def test_elimination_leaves_the_schur_complement(n, seed, excess):
    shape = nx.gnm_random_graph(n, min(n * 2, n * (n - 1) // 2), seed=seed)
    graph = relabelled(shape)
    matrix = combinatorial_laplacian(graph.adjacency).toarray() + excess * np.eye(n)
    found = eliminated(graph.adjacency, np.full(n, excess), max_degree=3, max_core=n)
    gone, core = found.columns.order, found.core
    inner = matrix[np.ix_(gone, gone)]
    schur = matrix[np.ix_(core, core)]
    if len(gone):
        cross = matrix[np.ix_(gone, core)]
        schur = schur - cross.T @ np.linalg.pinv(inner) @ cross
    assert np.allclose(found.schur, schur, atol=1e-9)
