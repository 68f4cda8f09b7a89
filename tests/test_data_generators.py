"""Generators: sizes as planted, the same seed the same graph, connected where promised."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.sparse import csgraph

from lapwing.data import (
    barbell,
    flower,
    hierarchical,
    knn_graph,
    noisy_barbell,
    octopus,
    planted_partition,
    stochastic_block_model,
    thick_barbell,
)
from lapwing.data.generators.planted import community_sizes
from lapwing.data.generators.power_law import low_of_mean, power_law
from lapwing.data.generators.random_pairing import paired_across, paired_inside
from lapwing.errors import GraphError, InputError

SEEDS = st.integers(0, 2**32 - 1)
RANDOM = [hierarchical, stochastic_block_model, planted_partition]


def kernel(graph):
    return np.linalg.pinv(np.diag(graph.degrees) - graph.adjacency.toarray())


def resistance_diameter(graph):
    K = kernel(graph)
    return (np.diag(K)[:, None] + np.diag(K) - 2 * K).max()


def diameter(graph):
    return csgraph.shortest_path(graph.adjacency, unweighted=True).max()


def cut(data):
    tails, heads, _ = data.graph.edges()
    return int(np.sum(data.labels[tails] != data.labels[heads]))


@pytest.mark.parametrize("make", RANDOM)
def test_the_same_seed_gives_the_same_data_and_another_seed_another(make):
    first, again, other = make(seed=7), make(seed=7), make(seed=8)
    assert first.graph == again.graph
    np.testing.assert_array_equal(first.labels, again.labels)
    assert first.graph != other.graph


@pytest.mark.parametrize("make", RANDOM)
def test_edges_are_single_and_no_loop_was_made(make):
    graph = make(seed=3).graph
    assert set(graph.adjacency.data) == {1.0}
    assert str(graph.notes) == "taken as given"


@given(m=st.integers(2, 12))
def test_a_barbell_is_two_cliques_and_one_edge(m):
    data = barbell(m)
    assert data.graph.n_nodes == 2 * m
    assert data.graph.n_edges == m * (m - 1) + 1
    assert cut(data) == 1
    assert diameter(data.graph) == (3 if m > 1 else 1)
    assert data.graph.neighbors(0)[-1] == m


def test_the_barbells_kernel_is_the_known_one():
    K = kernel(barbell(5).graph)
    np.testing.assert_allclose([K[0, 0], K[1, 1], K[0, 1]], [0.33, 0.53, 0.23], atol=1e-12)


@given(m=st.integers(2, 10), data=st.data())
def test_k_noisy_nodes_cut_k_times_the_rest_of_their_clique(m, data):
    k = data.draw(st.integers(0, m - 1))
    noisy = noisy_barbell(m, k)
    assert noisy.graph == barbell(m).graph
    assert cut(noisy) == k * (m - k) + 1
    assert noisy.class_sizes().tolist() == [m - k, m + k]


@given(m=st.integers(2, 10), data=st.data())
def test_a_thick_barbell_has_the_resistance_the_paper_says(m, data):
    links = data.draw(st.integers(1, m - 1))
    thick = thick_barbell(m, links)
    assert cut(thick) == links
    assert thick.graph.n_edges == m * (m - 1) + links
    assert resistance_diameter(thick.graph) <= 5 / links + 1e-9


@given(p=st.integers(2, 8), m=st.integers(1, 200))
def test_a_flower_keeps_the_bounds_of_section_3(p, m):
    graph = flower(p, m).graph
    assert (graph.n_nodes, graph.n_edges) == (p + m, p + m - 1)
    assert diameter(graph) == p
    norm = kernel(graph)[0, 0]
    assert norm <= p
    assert 1 / norm <= 1 / (p - 1) + p**2 / (4 * m) + 1e-9


@given(head=st.integers(1, 12), tentacles=st.integers(1, 6), length=st.integers(1, 5))
def test_an_octopus_has_its_nodes_its_diameter_and_one_cut_edge(head, tentacles, length):
    data = octopus(head, tentacles, length)
    assert data.graph.n_nodes == head + tentacles * length + 1
    assert data.graph.n_edges == head * (head - 1) // 2 + tentacles * length + 1
    assert cut(data) == 1
    arms = 2 * length if tentacles > 1 else 0
    assert diameter(data.graph) == max(length + (2 if head > 1 else 1), arms)
    tips = data.graph.n_nodes - 1 - length * np.arange(tentacles)
    far = csgraph.shortest_path(data.graph.adjacency, unweighted=True)[np.ix_(tips, tips)]
    assert (far[~np.eye(tentacles, dtype=bool)] == 2 * length).all()


@settings(max_examples=25)
@given(q=st.integers(4, 12), k=st.integers(2, 3), noise=st.floats(0, 1), seed=SEEDS)
def test_a_hierarchy_is_connected_and_every_node_draws_k(q, k, noise, seed):
    data = hierarchical(q=q, k=k, noise=noise, seed=seed)
    assert data.graph.n_nodes == q * q
    assert data.graph.n_components == 1
    assert (data.labels >= 0).all()
    assert data.graph.n_edges <= k * q * (q + 1)
    tails, heads, _ = data.graph.edges()
    inside = tails // q == heads // q
    within = np.bincount(np.concatenate([tails[inside], heads[inside]]), minlength=q * q)
    assert within.min() >= k
    joined = np.unique(tails[~inside] // q * q + heads[~inside] // q)
    assert len(joined) == np.sum(~inside)


def test_without_noise_only_the_first_labels_can_differ_from_all_their_neighbours():
    data = hierarchical(q=10, noise=0.0, seed=4)
    lonely = [
        node
        for node in range(100)
        if not (data.labels[data.graph.neighbors(node)] == data.labels[node]).any()
    ]
    assert len({node // 10 for node in lonely}) == len(lonely)
    assert cut(data) < cut(hierarchical(q=10, noise=0.3, seed=4))


def test_blocks_are_joined_as_often_as_said():
    sizes, within = (300, 200, 100), (0.05, 0.1, 0.2)
    between = np.array([[0, 0.01, 0.02], [0.01, 0, 0.005], [0.02, 0.005, 0]])
    data = stochastic_block_model(sizes=sizes, within=within, between=between, seed=1)
    assert data.class_sizes().tolist() == list(sizes)
    tails, heads, _ = data.graph.edges()
    a, b = data.labels[tails], data.labels[heads]
    for i, j in [(0, 0), (1, 1), (2, 2), *combinations(range(3), 2)]:
        pairs = sizes[i] * (sizes[i] - 1) // 2 if i == j else sizes[i] * sizes[j]
        chance = within[i] if i == j else between[i, j]
        made = np.sum((a == i) & (b == j))
        assert abs(made - pairs * chance) < 4.5 * np.sqrt(pairs * chance * (1 - chance))


@settings(max_examples=30)
@given(sizes=st.lists(st.integers(1, 9), min_size=1, max_size=4), seed=SEEDS)
def test_certain_blocks_are_exactly_their_pairs(sizes, seed):
    n = sum(sizes)
    assert stochastic_block_model(sizes=sizes, within=1, between=1, seed=seed).graph.n_edges == (
        n * (n - 1) // 2
    )
    cliques = stochastic_block_model(sizes=sizes, within=1, between=0, seed=seed)
    assert cliques.graph.n_edges == sum(s * (s - 1) // 2 for s in sizes)
    assert cut(cliques) == 0
    assert stochastic_block_model(sizes=sizes, within=0, between=0, seed=seed).graph.n_edges == 0


def test_every_pair_of_a_block_is_as_likely():
    counts = np.zeros((6, 6))
    for seed in range(2000):
        data = stochastic_block_model(sizes=(6,), within=0.3, seed=seed)
        counts += data.graph.adjacency.toarray()
    shares = counts[np.triu_indices(6, 1)] / 2000
    assert np.abs(shares - 0.3).max() < 4.5 * np.sqrt(0.3 * 0.7 / 2000)


@settings(max_examples=25)
@given(mixing=st.floats(0, 1), seed=SEEDS)
def test_planted_communities_have_their_sizes_degrees_and_mixing(mixing, seed):
    data = planted_partition(n=2000, mixing=mixing, mean_degree=10, seed=seed)
    sizes = data.class_sizes()
    assert sizes.sum() == 2000
    assert sizes.min() >= 20
    assert sizes.max() <= 100
    degrees = np.diff(data.graph.adjacency.indptr)
    assert abs(degrees.mean() - 10) < 1.2
    assert degrees.max() <= 50
    assert abs(cut(data) / data.graph.n_edges - mixing) < 0.03


def test_communities_without_mixing_are_not_joined():
    data = planted_partition(mixing=0.0, seed=5)
    assert cut(data) == 0
    assert data.graph.n_components >= data.n_classes


def test_planted_degrees_follow_their_power_law():
    degrees = np.diff(planted_partition(n=50_000, seed=2).graph.adjacency.indptr)
    lowest = low_of_mean(10, exponent=2.5, high=50)
    x = np.linspace(lowest, 50, 200_001)
    density = x**-2.5
    for threshold in (8, 15, 30):
        expected = density[x > threshold].sum() / density.sum()
        assert np.mean(degrees > threshold) == pytest.approx(expected, rel=0.1)


def test_a_large_planted_partition_is_made_quickly_and_keeps_its_degrees():
    data = planted_partition(n=200_000, mean_degree=10, seed=1)
    assert data.graph.n_edges == pytest.approx(1_000_000, rel=0.01)
    assert cut(data) / data.graph.n_edges == pytest.approx(0.2, abs=0.005)


@given(n=st.integers(40, 3000), low=st.integers(2, 20), width=st.integers(0, 100), seed=SEEDS)
def test_community_sizes_sum_to_n(n, low, width, seed):
    sizes = community_sizes(n, (low, low + width), 1.5, np.random.default_rng(seed))
    assert sizes.sum() == n
    assert sizes.min() >= low
    if width > low:
        assert sizes.max() <= low + width


@given(exponent=st.floats(0.5, 4), share=st.floats(0.01, 0.99))
def test_a_power_law_has_the_mean_asked_for(exponent, share):
    x = np.linspace(1, 100, 100_001)
    least = np.trapezoid(x ** (1 - exponent), x) / np.trapezoid(x**-exponent, x)
    mean = least + share * (100 - least) + 1e-3
    low = low_of_mean(mean, exponent=exponent, high=100)
    x = np.linspace(low, 100, 100_001)
    found = np.trapezoid(x ** (1 - exponent), x) / np.trapezoid(x**-exponent, x)
    assert found == pytest.approx(mean, rel=1e-4)
    draws = power_law(1000, exponent=exponent, low=low, high=100, random=np.random.default_rng(0))
    assert draws.min() >= low * (1 - 1e-9)
    assert draws.max() <= 100 * (1 + 1e-9)


@given(st.lists(st.integers(0, 6), min_size=2, max_size=60), st.integers(1, 5), SEEDS)
def test_pairing_makes_simple_edges_within_the_degrees(degrees, n_groups, seed):
    degrees = np.array(degrees)
    groups = np.arange(len(degrees)) % n_groups
    for pair, across in ((paired_inside, False), (paired_across, True)):
        tails, heads = pair(degrees, groups, np.random.default_rng(seed))
        assert ((groups[tails] != groups[heads]) == across).all()
        assert (tails != heads).all()
        pairs = np.sort(np.column_stack([tails, heads]), axis=1)
        assert len(np.unique(pairs, axis=0)) == len(pairs)
        made = np.bincount(np.concatenate([tails, heads]), minlength=len(degrees))
        assert (made <= degrees).all()


def test_pairing_keeps_all_degrees_where_there_is_room():
    degrees = np.random.default_rng(0).integers(1, 12, size=400) * 2
    tails, heads = paired_inside(degrees, np.zeros(400, dtype=int), np.random.default_rng(1))
    made = np.bincount(np.concatenate([tails, heads]), minlength=400)
    np.testing.assert_array_equal(made, degrees)


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 30), st.integers(1, 5))
def test_a_knn_graph_is_the_slow_one(seed, n, k):
    k = min(k, n - 1)
    points = np.random.default_rng(seed).integers(0, 4, size=(n, 2)).astype(float)
    squares = ((points[:, None] - points) ** 2).sum(axis=2)
    assume(np.sum(squares == np.sort(squares, axis=1)[:, [k]], axis=1).max() <= 16)
    np.fill_diagonal(squares, np.inf)
    near = np.argsort(squares, axis=1, kind="stable")[:, :k]
    chosen = np.zeros((n, n), dtype=bool)
    np.put_along_axis(chosen, near, True, axis=1)
    np.testing.assert_array_equal(knn_graph(points, k).adjacency.toarray(), chosen | chosen.T)
    mutual = knn_graph(points, k, join="mutual")
    np.testing.assert_array_equal(mutual.adjacency.toarray(), chosen & chosen.T)
    assert mutual.n_nodes == n


def test_knn_weights():
    points = np.random.default_rng(0).normal(size=(50, 3))
    tails, heads, weights = knn_graph(points, 4, weights="distance").edges()
    lengths = np.linalg.norm(points[tails] - points[heads], axis=1)
    np.testing.assert_allclose(weights, 1 / lengths)
    scale = np.median(np.sort(np.linalg.norm(points[:, None] - points, axis=2), axis=1)[:, 4])
    soft = knn_graph(points, 4, weights="gaussian").edges()[2]
    np.testing.assert_allclose(soft, np.exp(-0.5 * (lengths / scale) ** 2))
    cosine = knn_graph(points, 4, metric="cosine")
    assert cosine.degrees.min() >= 4


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: barbell(1), "m must be at least 2, got 1"),
        (lambda: noisy_barbell(5, 5), "k must lie between 0 and 4, got 5"),
        (lambda: thick_barbell(5, 5), "links must lie between 1 and 4, got 5"),
        (lambda: flower(0, 3), "p must be at least 1, got 0"),
        (lambda: octopus(3, 0, 2), "tentacles must be at least 1, got 0"),
        (lambda: hierarchical(q=2, k=2), "q must be at least 3, got 2"),
        (lambda: hierarchical(noise=-0.1), "noise must lie between 0 and 1, got -0.1"),
        (lambda: stochastic_block_model(within=1.2), "probabilities must be .* got 1.2"),
        (lambda: stochastic_block_model(within=float("nan")), "probabilities must be .* got nan"),
        (lambda: stochastic_block_model(within=(0.1, 0.2)), "3 numbers, got shape"),
        (lambda: stochastic_block_model(between=np.eye(2)), "symmetric 3 x 3"),
        (lambda: stochastic_block_model(sizes=()), "number of blocks must be at least 1, got 0"),
        (lambda: stochastic_block_model(sizes=(3, 0, 2)), "every size must be at least 1, got 0"),
        (lambda: planted_partition(mixing=1.5), "mixing must lie between 0 and 1, got 1.5"),
        (lambda: planted_partition(max_degree=5), "max_degree must lie between 10 and 999, got 5"),
        (lambda: planted_partition(communities=(30, 20)), "largest community must be at least 30"),
        (lambda: planted_partition(mean_degree=1.01), "cannot have 1.01"),
        (lambda: planted_partition(n=10), "n must be at least 20, got 10"),
        (lambda: knn_graph(np.zeros((4, 2)), 4), "k must lie between 1 and 3, got 4"),
        (lambda: knn_graph(np.zeros(4), 1), r"one row per point, got shape \(4,\)"),
        (lambda: knn_graph(np.eye(4), 1, join="both"), "join must be one of union, mutual"),
        (lambda: knn_graph(np.zeros((3, 1)), 1, weights="distance"), "need distinct points"),
    ],
)
def test_what_cannot_be_made_is_said(call, said):
    with pytest.raises(InputError, match=said):
        call()


def test_one_edge_a_node_rarely_connects_many(monkeypatch):
    monkeypatch.setattr("lapwing.data.generators.hierarchy._TRIES", 2)
    with pytest.raises(GraphError, match="no connected 1-out graph on 400 nodes in 2 draws"):
        hierarchical(q=400, k=1)
