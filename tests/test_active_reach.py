"""The default choice: exact sums, local work, safe from a cold start."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lapwing import Graph
from lapwing.active import (
    ErrorBoundMinimisation,
    ModelChange,
    SigmaOptimality,
    UncertainReach,
    VarianceMinimisation,
    entropy,
    error_estimate,
    margin,
)
from lapwing.active.posterior import Posterior
from lapwing.active.reach import doubt_sum
from lapwing.errors import InputError

PAIRS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=5, max_size=30)
LABELS = st.dictionaries(st.integers(0, 9), st.integers(0, 3), max_size=6)


def slow_masses(graph, labels, n_classes=4):
    n = graph.n_nodes
    degrees = np.where(graph.degrees > 0, graph.degrees, 1.0)
    walk = graph.adjacency.toarray() / degrees[:, None]
    reach = 0.05 * np.linalg.inv(np.eye(n) - 0.95 * walk) * (degrees / degrees.mean()) ** -0.25
    mass = np.zeros((n, n_classes))
    for node, label in labels.items():
        mass[:, label] += reach[:, node]
    return reach, mass


def slow_scores(graph, labels, smoothing=0.01, fading=2500 / 60):
    reach, mass = slow_masses(graph, labels)
    best = np.sort(mass, axis=1)
    doubt = 1 - (best[:, -1] - best[:, -2]) / (mass.sum(axis=1) + smoothing)
    return (reach.T @ (doubt * np.exp(-fading * mass.sum(axis=1)))) * doubt


def slow_gain(graph, labels, node, n_classes, smoothing=0.01):
    """The expected number of errors before an answer, less that after it.

    Classes count alike to half: by the square root of what their labels have in all.
    """
    reach, mass = slow_masses(graph, labels, n_classes)
    spread, known = mass.sum(axis=0), np.isin(np.arange(n_classes), list(labels.values()))
    factors = np.where(known, np.sqrt(spread[known].mean() / np.where(known, spread, 1.0)), 1.0)
    mass = mass * factors

    def chances(found):
        return (found + smoothing / n_classes) / (found.sum(axis=1, keepdims=True) + smoothing)

    after = [
        (
            1 - chances(mass + np.outer(reach[:, node], factors * np.eye(n_classes)[k])).max(axis=1)
        ).sum()
        for k in range(n_classes)
    ]
    return (1 - chances(mass).max(axis=1)).sum() - chances(mass)[node] @ after


@settings(max_examples=60, deadline=None)
@given(PAIRS, LABELS, LABELS)
def test_pushed_scores_equal_the_dense_formula_through_any_change_of_labels(pairs, first, then):
    graph = Graph.from_edges(pairs, names=range(10))
    labels = dict(first)
    ask = UncertainReach(graph, labels, eps=1e-12)
    ask(None, np.arange(10))
    labels.clear()
    labels.update(then)
    ask(None, np.arange(10))
    np.testing.assert_allclose(
        ask.scores(np.arange(10)), slow_scores(graph, then), rtol=1e-6, atol=1e-8
    )


@settings(max_examples=40, deadline=None)
@given(PAIRS, st.dictionaries(st.integers(0, 9), st.integers(0, 2), min_size=1, max_size=6))
def test_looking_ahead_counts_the_errors_that_an_answer_is_expected_to_save(pairs, labels):
    graph = Graph.from_edges(pairs, names=range(10))
    labels = {**labels, 0: 2}
    ask = UncertainReach(graph, labels, eps=1e-12)
    left = np.array([n for n in range(10) if n not in labels])
    chosen = ask(None, left)
    slow = np.array([slow_gain(graph, labels, n, 3) for n in left])
    np.testing.assert_allclose(ask.gains(left), slow, rtol=1e-5, atol=1e-9)
    if len(set(labels.values())) > 1:
        assert slow[left == chosen] >= slow.max() - 1e-8


def test_looking_ahead_does_not_confirm_one_class_again_and_again():
    """In a small world of two camps with hubs, both camps are asked about."""
    rng = np.random.default_rng(4)
    side = np.arange(400) % 2
    weight = np.minimum(rng.pareto(1.3, 400) + 0.15, 12.0)
    weight /= weight.sum()
    a, b = rng.choice(400, size=(2, 12_000), p=weight)
    kept = (a != b) & (rng.random(len(a)) < np.where(side[a] == side[b], 1.0, 0.15))
    graph = Graph.from_edges(list(zip(a[kept].tolist(), b[kept].tolist(), strict=True)))
    truth = [side[name] for name in graph.names]
    labels: dict[int, int] = {}
    ask = UncertainReach(graph, labels)
    for _ in range(20):
        node = ask(None, np.setdiff1d(np.arange(graph.n_nodes), list(labels)))
        labels[node] = int(truth[node])
    assert 5 <= sum(labels.values()) <= 15


def test_every_component_is_asked_before_any_is_asked_much():
    blocks = [(i, j) for c in (0, 5, 10) for i in range(c, c + 5) for j in range(i) if j >= c]
    graph = Graph.from_edges(blocks)
    labels = {}
    ask = UncertainReach(graph, labels)
    left = np.arange(15)
    for _ in range(3):
        node = ask(None, left)
        labels[node] = node // 5
        left = left[left != node]
    assert {node // 5 for node in labels} == {0, 1, 2}


def test_several_at_once_are_different_and_spread():
    blocks = [(i, j) for c in (0, 5, 10) for i in range(c, c + 5) for j in range(i) if j >= c]
    graph = Graph.from_edges(blocks)
    ask = UncertainReach(graph, {})
    before = ask.scores(np.arange(15)).copy()
    chosen = ask.several(np.arange(15), 3)
    assert {node // 5 for node in chosen.tolist()} == {0, 1, 2}
    np.testing.assert_array_equal(ask.scores(np.arange(15)), before)
    assert len(ask.several(np.arange(4), 10)) == 4


def test_a_costly_node_is_passed_over():
    graph = Graph.from_edges([(0, 1), (0, 2), (0, 3), (0, 4)])
    assert UncertainReach(graph, {})(None, np.arange(5)) == 0
    cost = np.array([100.0, 1, 1, 1, 1])
    assert UncertainReach(graph, {}, cost=cost)(None, np.arange(5)) != 0
    with pytest.raises(InputError, match="cost must be one positive number per node"):
        UncertainReach(graph, {}, cost=np.zeros(5))
    with pytest.raises(InputError, match="alpha must lie"):
        UncertainReach(graph, {}, alpha=1.0)


def test_posterior_equals_the_gaussian_formula_and_forgets_withdrawn_labels():
    rows = np.random.default_rng(0).normal(size=(12, 4))
    labels = {3: 0, 7: 1}
    posterior = Posterior(rows, labels, noise=0.5)
    given = rows[[3, 7]]
    expected = np.linalg.inv(np.eye(4) + given.T @ given / 0.5)
    np.testing.assert_allclose(posterior.caught_up().covariance, expected)
    del labels[3]
    expected = np.linalg.inv(np.eye(4) + np.outer(rows[7], rows[7]) / 0.5)
    np.testing.assert_allclose(posterior.caught_up().covariance, expected)


def exact_variance(prior, nodes, noise):
    """The posterior covariance after labels at these nodes, by the textbook's formula."""
    k = prior[:, nodes]
    inner = prior[np.ix_(nodes, nodes)] + noise * np.eye(len(nodes))
    return prior - k @ np.linalg.solve(inner, k.T)


def test_criteria_pick_what_lowers_the_exact_variance_most():
    labels, told_apart = {4: 0}, 0
    candidates = np.array([n for n in range(10) if n != 4])
    for seed in range(12):
        rows = np.random.default_rng(seed).normal(size=(10, 3)) * [0.2, 1.0, 3.0]
        after = [exact_variance(rows @ rows.T, [4, c], 1.0) for c in candidates]
        least = candidates[np.argmin([np.trace(each) for each in after])]
        assert VarianceMinimisation(rows, labels)(None, candidates) == least
        summed = candidates[np.argmin([each.sum() for each in after])]
        assert SigmaOptimality(rows, labels)(None, candidates) == summed
        values = 1.0 / np.einsum("ij,ij->j", rows, rows)
        smooth = rows * np.sqrt(values / (1.0 + 0.1 * values))
        bounds = [np.trace(exact_variance(smooth @ smooth.T, [4, c], 0.1)) for c in candidates]
        bounded = candidates[np.argmin(bounds)]
        assert ErrorBoundMinimisation(rows, labels)(None, candidates) == bounded
        told_apart += bounded != least
    assert told_apart >= 3


class Told:
    def __init__(self, chances):
        self.chances = np.asarray(chances, dtype=float)

    def predict_proba(self, nodes):
        return self.chances[nodes]


def test_uncertainty_strategies_work_from_zero_classes():
    nothing = Told(np.zeros((5, 0)))
    nodes = np.array([2, 4])
    assert margin(nothing, nodes) == 2
    assert entropy(nothing, nodes) == 2
    assert ModelChange(np.eye(5), {})(nothing, nodes) == 2
    sure = Told([[0.9, 0.1, 0.0], [0.4, 0.35, 0.25], [0.5, 0.49, 0.01]])
    assert margin(sure, np.arange(3)) == 2
    assert entropy(sure, np.arange(3)) == 1


def test_the_error_bound_holds_whenever_one_looks():
    rng = np.random.default_rng(7)
    broken = 0
    for _ in range(200):
        wrong = rng.random(120) < 0.15
        broken += any(error_estimate(wrong[:t]).upper < 0.15 for t in range(10, 121, 10))
    assert broken <= 10


def test_the_error_bound_forgets_a_bad_youth_but_never_invents():
    assert error_estimate([]).upper == 1.0
    assert error_estimate([True] * 30).upper == 1.0
    late = error_estimate([True] * 20 + [False] * 80)
    assert late.upper < 0.1
    assert late.below(0.1)
    assert not error_estimate([False] * 20).below(0.1)
    assert error_estimate([True] * 50).lower > 0.8
    with pytest.raises(InputError, match="confidence"):
        error_estimate([True], confidence=1.0)


@pytest.mark.parametrize(("known", "looked"), [(2, 20), (30, 30), (140, 100)])
def test_as_many_candidates_are_looked_at_as_labels_are_known(known, looked, monkeypatch):
    """At least 20 and at most `ahead`: few labels make poor probabilities."""
    rng = np.random.default_rng(0)
    graph = Graph.from_edges([(i, int(rng.integers(i))) for i in range(1, 400)])
    ask = UncertainReach(graph, {node: node % 2 for node in range(known)})
    seen = []
    gains = UncertainReach.gains
    monkeypatch.setattr(
        UncertainReach, "gains", lambda self, nodes: seen.append(len(nodes)) or gains(self, nodes)
    )
    ask(None, np.arange(known, 400))
    assert seen == [looked]


def planted_with_a_hub():
    """500 nodes, one of them joined to all others."""
    random = np.random.default_rng(4)
    pairs = random.integers(0, 500, size=(2_000, 2))
    hub = np.stack([np.zeros(499, dtype=int), np.arange(1, 500)], axis=1)
    return Graph.from_edges(np.concatenate([pairs, hub]), names=range(500))


def exact_sums(graph, source):
    degrees = np.where(graph.degrees > 0, graph.degrees, 1.0)
    matrix = np.diag(degrees) - 0.95 * graph.adjacency.toarray()
    return degrees * np.linalg.solve(matrix, 0.05 * source)


def test_sums_on_a_large_graph_read_little_and_catch_up(monkeypatch):
    monkeypatch.setattr(doubt_sum, "LARGE", 100)
    monkeypatch.setattr(doubt_sum, "MOST_READ", 300)
    graph = planted_with_a_hub()
    sums, source = doubt_sum.DoubtSum(graph, alpha=0.95, eps=1e-7), np.ones(500)
    everyone = np.arange(500)
    for node in range(20):
        source[node] = 0.25
        sums.change(np.array([node]), np.array([0.25]))
    behind = np.abs(sums.of(everyone) - exact_sums(graph, source)).max()
    for _ in range(2_000):
        sums.change(np.array([0]), source[:1])
    caught_up = np.abs(sums.of(everyone) / exact_sums(graph, source) - 1).max()
    assert behind > 1e-3
    assert caught_up < 1e-3


def test_a_twin_of_the_sums_leaves_what_waits_alone(monkeypatch):
    monkeypatch.setattr(doubt_sum, "LARGE", 100)
    monkeypatch.setattr(doubt_sum, "MOST_READ", 50)
    graph = planted_with_a_hub()
    one, other = (doubt_sum.DoubtSum(graph, alpha=0.95, eps=1e-6) for _ in range(2))
    for sums in (one, other):
        sums.change(np.array([3, 4]), np.array([0.0, 0.5]))
    one.twin().change(np.array([7, 8, 9]), np.zeros(3))
    for sums in (one, other):
        sums.change(np.array([5]), np.array([0.0]))
    np.testing.assert_array_equal(one.of(np.arange(500)), other.of(np.arange(500)))


def test_a_change_to_much_of_a_large_graph_is_corrected_as_a_whole(monkeypatch):
    monkeypatch.setattr(doubt_sum, "LARGE", 100)
    graph = planted_with_a_hub()
    sums = doubt_sum.DoubtSum(graph, alpha=0.95, eps=1e-7)
    source = np.where(np.arange(500) < 250, 0.1, 1.0)
    sums.change(np.arange(250), source[:250])
    assert np.abs(sums.of(np.arange(500)) / exact_sums(graph, source) - 1).max() < 1e-3


def test_hubs_can_be_left_out_unless_there_is_nothing_else():
    star = Graph.from_edges([(0, k) for k in range(1, 8)])
    ask = UncertainReach(star, {})
    assert ask(None, np.arange(8)) == 0
    assert ask.without_hubs(np.arange(8)).tolist() == list(range(1, 8))
    assert ask.without_hubs(np.array([0])).tolist() == [0]
