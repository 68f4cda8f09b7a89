"""Eigenpairs: right, complete, and the same every time, whichever method finds them."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_graphs import weighted_graphs
from scipy import sparse

from lapwing.errors import ConvergenceError
from lapwing.graph import Graph
from lapwing.linalg import combinatorial_laplacian, low_spectrum, normalized_laplacian
from lapwing.linalg.eigen import smallest as eigen
from lapwing.linalg.eigen.lanczos import largest_eigenpairs
from lapwing.linalg.solve.direct import eigenvalues_below


def laplacian_of(graph, normalized):
    build = normalized_laplacian if normalized else combinatorial_laplacian
    return build(graph.adjacency)


def residual(matrix, values, vectors):
    return float(np.linalg.norm(matrix @ vectors - vectors * values, axis=0).max())


SHAPES = {
    "star": nx.star_graph(1500),
    "hypercube": nx.hypercube_graph(11),
    "path": nx.path_graph(2000),
    "grid": nx.grid_2d_graph(35, 35),
    "tree": nx.balanced_tree(3, 6),
    "two cycles, a star and loners": nx.disjoint_union_all(
        [nx.cycle_graph(1200), nx.star_graph(1100), nx.cycle_graph(7), nx.empty_graph(3)]
    ),
}


@pytest.mark.parametrize("method", ["factorised", "iterated"])
@pytest.mark.parametrize("normalized", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_no_eigenvalue_is_missed_even_of_high_multiplicity(shape, normalized, method, monkeypatch):
    if method == "iterated":
        monkeypatch.setattr(eigen, "MAX_CORE", -1)
    graph = Graph.from_networkx(nx.convert_node_labels_to_integers(SHAPES[shape]))
    values, vectors = low_spectrum(graph.adjacency, 40, normalized=normalized)
    matrix = laplacian_of(graph, normalized)
    dense = np.linalg.eigvalsh(matrix.toarray())[graph.n_components :][:40]
    assert np.allclose(values, dense, rtol=1e-8, atol=1e-10)
    assert residual(matrix, values, vectors) <= 1e-6
    assert np.allclose(vectors.T @ vectors, np.eye(40), atol=1e-8)


@pytest.mark.parametrize("normalized", [False, True])
def test_pubmed_rank_100_within_residual_1e_6_and_repeatable(dataset, normalized):
    graph = dataset("pubmed").graph
    values, vectors = low_spectrum(graph.adjacency, 99, normalized=normalized)
    assert residual(laplacian_of(graph, normalized), values, vectors) <= 1e-6
    mass = graph.degrees if normalized else np.ones(graph.n_nodes)
    below = eigenvalues_below(graph.adjacency, values[-1] * (1 + 1e-7), mass, max_core=6000)
    assert below == 100
    if normalized:
        again = low_spectrum(graph.adjacency, 99, normalized=normalized)
        assert np.array_equal(values, again[0])
        assert np.array_equal(vectors, again[1])


@pytest.mark.parametrize("normalized", [False, True])
def test_a_graph_too_dense_to_factorise_gives_the_same_eigenpairs(dataset, normalized, monkeypatch):
    graph = dataset("cora").graph.largest_component()
    factorised, _ = low_spectrum(graph.adjacency, 99, normalized=normalized)
    monkeypatch.setattr(eigen, "MAX_CORE", -1)
    iterated, vectors = low_spectrum(graph.adjacency, 99, normalized=normalized)
    assert np.allclose(factorised, iterated, rtol=1e-9)
    assert residual(laplacian_of(graph, normalized), iterated, vectors) <= 1e-6


def test_a_long_path_keeps_relative_precision():
    n = 20_000
    path = Graph.from_edges(np.column_stack([np.arange(n - 1), np.arange(1, n)]))
    values, _ = low_spectrum(path.adjacency, 3)
    exact = 4 * np.sin(np.pi * np.arange(1, 4) / (2 * n)) ** 2
    assert np.allclose(values, exact, rtol=1e-9)


@pytest.mark.parametrize("normalized", [False, True])
def test_many_small_components_are_solved_together(normalized):
    shapes = [nx.path_graph(2 + k % 6) for k in range(60)] + [nx.cycle_graph(40), nx.empty_graph(4)]
    graph = Graph.from_networkx(nx.disjoint_union_all(shapes))
    matrix = laplacian_of(graph, normalized)
    values, vectors = low_spectrum(graph.adjacency, 50, normalized=normalized)
    dense = np.linalg.eigvalsh(matrix.toarray())[graph.n_components :][:50]
    assert np.allclose(values, dense, atol=1e-12)
    assert residual(matrix, values, vectors) <= 1e-12


def test_a_hundred_thousand_pairs_take_no_loop():
    ends = np.arange(200_000).reshape(-1, 2)
    values, vectors = low_spectrum(Graph.from_edges(ends).adjacency, 5)
    assert np.allclose(values, 2.0)
    assert np.allclose(vectors.T @ vectors, np.eye(5))


def test_weights_that_floats_cannot_hold_together_are_refused():
    for length in (3, 60):
        chain = [(k, k + 1, 1e-9 if k == length else 1e9) for k in range(2 * length)]
        with pytest.raises(ConvergenceError, match="orders of magnitude"):
            low_spectrum(Graph.from_edges(chain).adjacency, 2)


def test_counts_below_a_shift_match_the_dense_spectrum():
    graph = Graph.from_networkx(nx.gnm_random_graph(300, 900, seed=3))
    values = np.linalg.eigvalsh(laplacian_of(graph, False).toarray())
    for shift in (0.3, 1.7, 5.1, 11.1):
        counted = eigenvalues_below(graph.adjacency, shift, np.ones(300), max_core=300)
        assert counted == int(np.sum(values < shift))
    assert eigenvalues_below(graph.adjacency, 5.0, np.ones(300), max_core=300) is None


def test_progress_is_told_and_ends_at_all():
    seen = []
    grid = Graph.from_networkx(nx.convert_node_labels_to_integers(nx.grid_2d_graph(50, 50)))
    low_spectrum(grid.adjacency, 20, progress=seen.append)
    assert seen
    assert seen[-1] == 1.0
    assert all(0.0 <= part <= 1.0 for part in seen)


def test_too_few_products_are_an_error_not_an_answer():
    diagonal = 1.0 + 1e-9 * np.arange(2000.0)[:, None]
    with pytest.raises(ConvergenceError, match="must converge within 100"):
        largest_eigenpairs(lambda x: diagonal * x, 2000, 40, max_columns=100)


@given(weighted_graphs(), st.booleans())
def test_all_eigenpairs_make_up_the_laplacian(graph, normalized):
    values, vectors = low_spectrum(graph.adjacency, None, normalized=normalized)
    assert len(values) == graph.n_nodes - graph.n_components
    assert (values > 0).all()
    matrix = laplacian_of(graph, normalized).toarray()
    assert np.allclose((vectors * values) @ vectors.T, matrix, atol=1e-10)


@given(weighted_graphs(), st.floats(1e-3, 1e3))
def test_scaling_weights_scales_eigenvalues_of_the_combinatorial_laplacian_only(graph, factor):
    scaled = sparse.csr_array(graph.adjacency * factor)
    for normalized, expected in ((False, factor), (True, 1.0)):
        before, _ = low_spectrum(graph.adjacency, None, normalized=normalized)
        after, _ = low_spectrum(scaled, None, normalized=normalized)
        assert np.allclose(after, expected * before, rtol=1e-9, atol=1e-12 * factor)
