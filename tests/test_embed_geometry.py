"""Resistances, diameters, connectivity, cuts and balance: exact numbers and honest bounds."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapwing.data import load
from lapwing.embed import (
    ResistanceSketch,
    algebraic_connectivity,
    balance,
    cut_size,
    diagonal,
    geodesic_diameter,
    imbalance,
    kernel,
    resistance_diameter,
    resistances,
)
from lapwing.embed.geometry import diameter, resistance
from lapwing.errors import InputError
from lapwing.graph import Graph

PIECES = Graph.from_networkx(nx.disjoint_union(nx.path_graph(4), nx.cycle_graph(3)))


def all_pairs(n):
    return np.array([(i, j) for i in range(n) for j in range(i)])


def test_karates_resistance_diameter_is_the_papers():
    found = resistance_diameter(load("karate").graph)
    assert found.exact
    assert found.low == pytest.approx(1.833333, abs=1e-6)


def test_resistances_agree_with_the_kernel():
    graph = load("karate").graph
    whole, pairs = kernel(graph), all_pairs(graph.n_nodes)
    norms, (p, q) = np.diag(whole), pairs.T
    expected = norms[p] + norms[q] - 2 * whole[p, q]
    assert np.allclose(resistances(graph, pairs), expected, atol=1e-10)
    assert np.allclose(diagonal(graph), norms, atol=1e-12)


def test_resistance_is_infinite_between_components_and_adds_up_along_a_path():
    found = resistances(PIECES, np.array([[0, 3], [0, 5], [4, 5], [2, 2]]))
    assert np.allclose(found, [3.0, np.inf, 2 / 3, 0.0])
    assert resistance_diameter(PIECES).low == pytest.approx(3.0)
    sketch = ResistanceSketch(PIECES, projections=10)
    assert sketch.resistances(np.array([[0, 5]]))[0] == np.inf


@pytest.mark.parametrize("projections", [50, 200, 800])
@pytest.mark.parametrize("name", ["karate", "digits", "cora"])
def test_half_of_all_sketched_resistances_err_by_less_than_promised(dataset, name, projections):
    graph = dataset(name).graph.largest_component()
    sketch = ResistanceSketch(graph, projections=projections, seed=1)
    norms = diagonal(graph)
    assert np.median(np.abs(sketch.diagonal() / norms - 1)) <= np.sqrt(2 / projections)
    pairs = np.random.default_rng(0).integers(0, graph.n_nodes, (300, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    error = np.abs(sketch.resistances(pairs) / resistances(graph, pairs) - 1)
    assert np.median(error) <= np.sqrt(2 / projections)
    assert sketch.standard_error == pytest.approx(np.sqrt(2 / projections))


def test_the_same_seed_gives_the_same_sketch_and_another_another():
    graph = load("karate").graph
    one, two, three = (ResistanceSketch(graph, projections=5, seed=s).rows for s in (0, 0, 1))
    assert np.array_equal(one, two)
    assert not np.allclose(one, three)


@given(st.integers(0, 10_000))
def test_resistance_is_a_metric_below_the_geodesic_distance(seed):
    shape = nx.connected_watts_strogatz_graph(12, 4, 0.5, seed=seed)
    graph = Graph.from_networkx(shape)
    n = graph.n_nodes
    table = np.zeros((n, n))
    pairs = all_pairs(n)
    table[pairs[:, 0], pairs[:, 1]] = resistances(graph, pairs)
    table += table.T
    assert (table[:, :, None] <= table[:, None, :] + table.T[None, :, :] + 1e-9).all()
    steps = dict(nx.all_pairs_shortest_path_length(shape))
    assert all(table[i, j] <= steps[i][j] + 1e-9 for i, j in pairs)
    assert table.max() <= 2 / algebraic_connectivity(graph) + 1e-9


def test_bounds_on_a_large_graph_hold_the_exact_number(dataset, monkeypatch):
    graph = dataset("cora").graph
    exact = resistance_diameter(graph)
    path = geodesic_diameter(graph)
    assert exact.exact
    assert path.exact
    for module, name in ((resistance, "WHOLE_BELOW"), (diameter, "WHOLE_BELOW")):
        monkeypatch.setattr(module, name, 100)
    monkeypatch.setattr(diameter, "EXACT_SWEEPS", 100)
    bounds, path_bounds = resistance_diameter(graph), geodesic_diameter(graph)
    assert not bounds.exact
    assert bounds.low <= exact.low * (1 + 1e-9)
    assert bounds.high >= exact.low
    assert bounds.low >= 0.8 * exact.low
    assert path_bounds.low <= path.low <= path_bounds.high
    assert str(bounds).startswith("between ")


def test_solves_give_the_same_exact_numbers_as_the_whole_matrix(monkeypatch):
    graph = load("karate").graph
    norms, largest = diagonal(graph), resistance_diameter(graph).low
    monkeypatch.setattr(resistance, "WHOLE_BELOW", 5)
    monkeypatch.setattr(diameter, "WHOLE_BELOW", 5)
    seen = []
    assert np.allclose(diagonal(graph, progress=seen.append), norms, atol=1e-10)
    assert seen[-1] == 1.0
    assert resistance_diameter(graph, exact=True).low == pytest.approx(largest)


@pytest.mark.parametrize("build", [nx.path_graph, nx.cycle_graph, nx.star_graph])
def test_geodesic_diameter_is_networkx_s(build):
    shape = build(17)
    assert geodesic_diameter(Graph.from_networkx(shape)).low == nx.diameter(shape)


def test_edges_are_as_long_as_their_resistance():
    graph = Graph.from_edges([(0, 1, 0.5), (1, 2, 4.0)])
    assert geodesic_diameter(graph).low == pytest.approx(2.25)


def test_algebraic_connectivity_of_known_graphs():
    assert algebraic_connectivity(Graph.from_networkx(nx.complete_graph(7))) == pytest.approx(7)
    cube = nx.convert_node_labels_to_integers(nx.hypercube_graph(4))
    assert algebraic_connectivity(Graph.from_networkx(cube)) == pytest.approx(2)
    assert algebraic_connectivity(PIECES) == 0.0
    assert algebraic_connectivity(Graph.from_edges([], names=[0])) == 0.0


@given(st.integers(0, 10_000))
def test_cut_size_is_a_quarter_of_the_energy(seed):
    random = np.random.default_rng(seed)
    graph = Graph.from_networkx(nx.gnm_random_graph(15, 40, seed=seed))
    signs = random.choice([-1, 1], 15)
    energy = signs @ (np.diag(graph.degrees) - graph.adjacency.toarray()) @ signs
    assert cut_size(graph, signs) == pytest.approx(energy / 4)


def test_balance_is_vacuous_for_one_label_and_the_papers_example():
    n = 10
    assert balance(np.array([1] * (n - 1) + [-1])) == pytest.approx((n / 2) ** 2)
    assert balance(np.ones(4, dtype=int)) == np.inf
    assert imbalance(np.ones(4, dtype=int)) == 1.0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda g: resistances(g, np.array([1, 2])), r"shape \(m, 2\), got \(2,\)"),
        (
            lambda g: resistances(g, np.array([[0, -1]])),
            "an integer from 0 to 33, got -1",
        ),
        (lambda g: cut_size(g, np.ones(3)), r"labels must have shape \(34,\), got \(3,\)"),
        (lambda g: balance(np.zeros(g.n_nodes)), "labels must be -1 or"),
        (lambda g: ResistanceSketch(g, projections=0), "at least 1, got 0"),
    ],
)
def test_what_has_no_answer_is_refused(call, words):
    with pytest.raises(InputError, match=words):
        call(load("karate").graph)
