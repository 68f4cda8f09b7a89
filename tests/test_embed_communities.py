"""Whether a graph has communities, known before any label."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_graphs import sparse_graph

from lapwing import Graph, data
from lapwing.embed import communities
from lapwing.embed.communities import community_gap, community_prior


def walks_ahead(graph):
    """Real eigenvalues, the largest first, of walks over directed edges that do not turn back."""
    edges = graph.to_networkx().to_directed()
    ends = np.array([(u, v) for u, v in edges.edges if u != v])
    ahead = ends[:, 1, None] == ends[:, 0]
    back = ends[:, 0, None] == ends[:, 1]
    values = np.linalg.eigvals((ahead & ~back).astype(float))
    return np.sort(values[np.abs(values.imag) < 1e-9].real)[::-1]


def planted(mixing, *, n=300, seed=0):
    sizes = (n // 4, n // 2)
    found = data.planted_partition(
        n=n, communities=sizes, mixing=mixing, mean_degree=8, max_degree=n // 4, seed=seed
    )
    return found.graph


def two_sides(n=200, seed=0):
    """Every edge joins one side to the other."""
    found = nx.bipartite.gnmk_random_graph(n // 2, n // 2, 3 * n, seed=seed)
    return Graph.from_networkx(found).largest_component()


@pytest.mark.parametrize("name", ["karate", "barbell", "hierarchical"])
def test_a_gap_below_zero_is_a_second_eigenvalue_above_the_root_of_the_first(name):
    graph = data.load(name).graph
    first, second = walks_ahead(graph)[:2]
    assert (community_gap(graph) < 0) == (second > np.sqrt(first))


@given(seed=st.integers(0, 1_000), mixing=st.floats(0.05, 0.9))
@settings(max_examples=15, deadline=None)
def test_so_it_is_on_random_graphs(seed, mixing):
    graph = planted(mixing, n=80, seed=seed).largest_component()
    first, second = walks_ahead(graph)[:2]
    assume(abs(second - np.sqrt(first)) > 1e-3)
    assert (community_gap(graph) < 0) == (second > np.sqrt(first))


def test_communities_are_told_from_edges_drawn_by_degree_alone():
    mixed, sided = [], []
    for seed in range(8):
        assert community_prior(planted(0.2, seed=seed)) == 1.0
        degrees = list(np.linspace(2, 12, 300))
        by_degree = nx.expected_degree_graph(degrees, seed=seed, selfloops=False)
        mixed.append(community_prior(Graph.from_networkx(by_degree)))
        sided.append(community_prior(two_sides(seed=seed)))
    assert np.mean(mixed) < 0.5
    assert np.mean(sided) < 0.5


def test_graphs_that_cannot_show_communities_are_trusted_in_full():
    tree = Graph.from_networkx(nx.balanced_tree(3, 4))
    ring = Graph.from_networkx(nx.cycle_graph(100))
    small = Graph.from_networkx(nx.complete_bipartite_graph(6, 8))
    tails, heads, _ = two_sides().edges()
    ends, weights = (tails, heads), np.arange(1.0, len(tails) + 1)
    told = Graph.from_edges(ends, weights=weights, names=range(200))
    empty = Graph.from_edges([], names=range(3))
    assert [community_prior(each) for each in (tree, ring, small, told, empty)] == [1.0] * 5


def test_a_grid_has_communities():
    assert community_gap(Graph.from_networkx(nx.grid_2d_graph(12, 12))) < 0


def test_small_components_and_loops_do_not_count():
    graph = two_sides()
    tails, heads, _ = graph.edges()
    more = [(500, 501), (501, 502), (502, 500), (7, 7)]
    both = Graph.from_edges([*zip(tails.tolist(), heads.tolist(), strict=True), *more])
    assert community_gap(both) == pytest.approx(community_gap(graph), rel=1e-6)


def test_the_spectrum_in_full_and_in_part_agree(monkeypatch):
    graphs = [planted(0.3), two_sides(), sparse_graph(350, 900, 1)]
    full = [community_gap(graph) for graph in graphs]
    monkeypatch.setattr(communities, "DENSE", 0)
    assert [community_gap(graph) for graph in graphs] == pytest.approx(full, abs=0.05)


@given(seed=st.integers(0, 1_000))
@settings(max_examples=5, deadline=None)
def test_renaming_nodes_changes_nothing(seed):
    graph = planted(0.4, n=120, seed=seed)
    tails, heads, _ = graph.edges()
    order = np.random.default_rng(seed).permutation(120)
    renamed = Graph.from_edges((order[tails], order[heads]), names=range(120))
    assert community_gap(renamed) == pytest.approx(community_gap(graph), abs=1e-3)
