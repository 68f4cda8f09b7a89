"""Rows: the papers' numbers, the pseudoinverse, and what renaming or scaling does to them."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_graphs import weighted_graphs

from lapwing.data import load
from lapwing.embed import Kernel, kernel, laplacian
from lapwing.errors import InputError
from lapwing.graph import Graph

NAMES = ["karate", "barbell", "digits"]


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("LAPWING_CACHE", str(tmp_path))


def graph_named(name):
    if name == "barbell":
        return Graph.from_networkx(nx.barbell_graph(5, 0))
    return load(name).graph


def pinv_of(graph):
    return np.linalg.pinv(np.diag(graph.degrees) - graph.adjacency.toarray(), hermitian=True)


@pytest.mark.parametrize("name", NAMES)
def test_inner_products_of_all_rows_are_the_pseudoinverse(name):
    graph = graph_named(name)
    rows = laplacian(graph, rank=None)
    assert rows.shape == (graph.n_nodes, graph.n_nodes - graph.n_components)
    assert np.abs(rows @ rows.T - pinv_of(graph)).max() < 1e-8
    assert np.abs(kernel(graph) - pinv_of(graph)).max() < 1e-8


def test_barbell_of_two_five_cliques_has_the_papers_kernel():
    graph = graph_named("barbell")
    ends = [int(v) for v in np.flatnonzero(graph.degrees == 5)]
    inner = [v for v in range(5) if v not in ends]
    rows = laplacian(graph, rank=None)
    found = rows @ rows.T
    joint = next(v for v in ends if v < 5)
    assert found[joint, joint] == pytest.approx(0.33)
    assert found[inner[0], inner[0]] == pytest.approx(0.53)
    assert found[joint, inner[0]] == pytest.approx(0.23)


def test_karate_has_its_smallest_norm_at_the_instructor():
    norms = np.diag(kernel(load("karate").graph))
    assert np.argmin(norms) == 33
    assert norms[33] == pytest.approx(0.0901575, abs=1e-7)


@pytest.mark.parametrize(
    ("rank", "bias", "columns"), [(100, 0.0, 99), (100, 2.0, 100), (2, 0.0, 1), (2, 1.0, 2)]
)
def test_rank_d_has_d_minus_1_columns_and_the_bias_one_more(rank, bias, columns):
    rows = laplacian(load("digits").graph, rank=rank, bias=bias)
    assert rows.shape == (1797, columns)
    if bias:
        assert np.allclose(rows[:, -1], np.sqrt(bias))


@pytest.mark.parametrize("normalized", [False, True])
def test_low_rank_rows_are_the_first_columns_of_all_rows(normalized):
    graph = load("digits").graph.subgraph(np.arange(1100))
    full = laplacian(graph, rank=None, normalized=normalized)
    low = laplacian(graph, rank=31, normalized=normalized)
    signs = np.sign(np.einsum("ij,ij->j", full[:, :30], low))
    assert np.allclose(full[:, :30] * signs, low, atol=1e-5)


def test_unit_rows_have_length_one_and_an_isolated_node_stays_at_zero():
    graph = Graph.from_edges([(0, 1), (1, 2)], names=range(4))
    plain = laplacian(graph, rank=None, normalized=True, unit_rows=True)
    assert np.allclose(np.linalg.norm(plain, axis=1), [1, 1, 1, 0])
    biased = laplacian(graph, rank=None, bias=1.0, unit_rows=True)
    assert np.allclose(np.linalg.norm(biased, axis=1), 1)


def test_graphs_without_edges_or_nodes_have_rows_without_columns():
    assert laplacian(Graph.from_edges([], names=range(3))).shape == (3, 0)
    assert laplacian(Graph.from_edges([], names=range(3)), bias=1.0).shape == (3, 1)
    assert laplacian(Graph.from_edges([], names=[])).shape == (0, 0)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"rank": 1}, "rank must be at least 2, got 1"),
        ({"rank": -3}, "rank must be at least 2, got -3"),
        ({"bias": -1.0}, "bias must be finite and at least 0, got -1.0"),
        ({"bias": float("nan")}, "bias must be finite and at least 0, got nan"),
    ],
)
def test_what_cannot_be_embedded_is_said(options, words):
    with pytest.raises(InputError, match=words):
        laplacian(load("karate").graph, **options)


def test_all_rows_of_a_large_graph_are_refused():
    n = 20_001
    path = Graph.from_edges(np.column_stack([np.arange(n - 1), np.arange(1, n)]))
    with pytest.raises(InputError, match="at most 20000 nodes, got 20001: give a rank"):
        laplacian(path, rank=None)


@pytest.mark.parametrize("name", ["karate", "pieces"])
def test_kernel_columns_are_those_of_the_whole_kernel(name):
    pieces = nx.disjoint_union(nx.path_graph(4), nx.complete_graph(5))
    graph = Graph.from_networkx(pieces) if name == "pieces" else load(name).graph
    whole = pinv_of(graph) + 2.0 + 0.5 * np.eye(graph.n_nodes)
    assert np.allclose(kernel(graph, bias=2.0, ridge=0.5), whole, atol=1e-10)
    columns = Kernel(graph, bias=2.0, ridge=0.5)
    assert np.allclose(columns.columns(np.array([3, 0])), whole[:, [3, 0]], atol=1e-8)
    assert np.allclose(columns.column(1), whole[:, 1], atol=1e-8)


def test_a_kernel_needs_sane_constants():
    with pytest.raises(InputError, match="ridge must be finite and at least 0, got -1"):
        Kernel(load("karate").graph, ridge=-1)


@given(weighted_graphs(), st.randoms(use_true_random=False))
def test_renaming_nodes_permutes_the_kernel_of_the_rows(graph, random):
    order = list(range(graph.n_nodes))
    random.shuffle(order)
    renamed = graph.subgraph(order)
    for normalized in (False, True):
        rows, others = (laplacian(g, rank=None, normalized=normalized) for g in (graph, renamed))
        assert np.allclose((rows @ rows.T)[np.ix_(order, order)], others @ others.T, atol=1e-8)


@given(weighted_graphs(), st.floats(0.01, 100.0))
def test_scaling_all_weights_shrinks_the_kernel_by_as_much(graph, factor):
    scaled = Graph.from_scipy(graph.adjacency * factor)
    rows, others = laplacian(graph, rank=None), laplacian(scaled, rank=None)
    assert np.allclose(rows @ rows.T, factor * (others @ others.T), rtol=1e-8, atol=1e-8)


@given(weighted_graphs(), weighted_graphs())
def test_a_disjoint_union_has_a_block_kernel(left, right):
    tails, heads, weights = left.edges()
    tails_2, heads_2, weights_2 = right.edges()
    shift, n = left.n_nodes, left.n_nodes + right.n_nodes
    both = Graph.from_edges(
        (np.append(tails, tails_2 + shift), np.append(heads, heads_2 + shift)),
        weights=np.append(weights, weights_2),
        names=range(n),
    )
    rows = laplacian(both, rank=None)
    found = rows @ rows.T
    assert np.allclose(found[:shift, :shift], pinv_of(left), atol=1e-8)
    assert np.allclose(found[shift:, shift:], pinv_of(right), atol=1e-8)
    assert np.allclose(found[:shift, shift:], 0, atol=1e-10)
