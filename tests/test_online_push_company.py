"""What `auto` learns of which classes are neighbours: the counts, the odds, and what they gain."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lapwing import Graph
from lapwing.online.push import Auto
from lapwing.online.push.company import PRIOR
from lapwing.online.push.forgetting import Forgetting
from lapwing.online.push.rounds import shares_of
from tests.test_online_push import N, apply, changes, graphs


def counted(learner):
    """The counts written down from the labels and the current edges."""
    adjacency, told = learner.state.rows.matrix().toarray(), learner.state.targets
    return adjacency @ told, told.T @ adjacency @ told, told.sum(axis=0)


def assert_counts(learner):
    company = learner.company
    for found, wanted in zip(company, counted(learner), strict=False):
        np.testing.assert_allclose(found, wanted, atol=1e-9)


def odds(learner):
    _, pairs, told = counted(learner)
    prior = PRIOR * learner.asking.label_weight
    usual = (pairs.sum(axis=0) + prior * told / told.sum()) / (pairs.sum() + prior)
    chance = (pairs + prior * usual) / (pairs.sum(axis=1, keepdims=True) + prior)
    return np.log(np.where(told > 0, chance, 1.0) / np.where(told > 0, usual, 1.0))


def log_odds(learner, node):
    """The member's log odds of a node, written down anew."""
    k, scale = learner.n_classes, learner.asking.label_weight
    adjacency = learner.state.rows.matrix().toarray() / scale
    component, sums = learner.state.components()
    told = sums[component[node], :k] + 1.0
    share, table = told / told.sum(), odds(learner)[:k, :k]
    held = learner.state.targets[:, :k]

    def told_by(met, total):
        return np.log(k * share) + table @ met / np.sqrt(max(total, 1.0))

    met = adjacency[node] @ held
    total = met.sum()
    for near in np.flatnonzero(adjacency[node]):
        around = adjacency[near] @ held
        if not held[near].any() and around.sum() > 0:
            belief = np.exp(told_by(around, around.sum()))
            lean = adjacency[node, near] * (belief / belief.sum() - share)
            met, total = met + lean, total + np.maximum(lean, 0.0).sum()
    return told_by(met, total)


@settings(max_examples=60)
@given(graph=graphs(), steps=changes)
def test_the_counts_are_those_of_the_current_labels_and_edges(graph, steps):
    learner = Auto(graph)
    apply(learner, steps)
    assert_counts(learner)
    if learner.n_classes and learner.company.told.any():
        np.testing.assert_allclose(learner.company.odds, odds(learner), atol=1e-7)


@settings(max_examples=60)
@given(graph=graphs(), steps=changes)
def test_the_log_odds_are_those_of_naive_bayes(graph, steps):
    learner = Auto(graph, 4)
    apply(learner, steps)
    if learner.company.told.any():
        for node in range(N):
            found = shares_of(learner.model, node, 4)[-2]
            np.testing.assert_allclose(found, log_odds(learner, node), atol=1e-5)


@settings(max_examples=30)
@given(graph=graphs(), labels=st.lists(st.integers(0, 3), min_size=N, max_size=N))
def test_fit_and_new_nodes_count_too(graph, labels):
    learner = Auto(graph).fit(np.arange(5), np.array(labels[:5]))
    assert_counts(learner)
    grown = learner.graph.with_edges([(0, "new"), ("new", 7)])
    learner.grow(grown)
    learner.learn(N, 5)
    assert_counts(learner)


def test_without_labelled_pairs_it_is_the_class_shares():
    learner = Auto(Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]), 2)
    for node, label in [(0, 0), (3, 1), (5, 1)]:
        learner.learn(node, label)
    for node in range(6):
        *_, company, shares = shares_of(learner.model, node, 2)
        assert company.tolist() == shares.tolist()


def test_counts_stay_right_while_edges_and_labels_fade():
    graph = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 0)])
    learner = Forgetting(Auto(graph), labels=30.0, edges=1.0)
    for time in range(24):
        learner.learn(time % 3, time % 2)
        graph = graph.with_edges([(time % 4, (time + 1) % 4, 2.0 + time)])
        learner.grow(graph)
    np.testing.assert_allclose(learner.inner.company.mass, counted(learner.inner)[0], rtol=1e-9)


def payments(seed, people=500, shops=300):
    """People and the shops they pay: no two neighbours are alike."""
    rng = np.random.default_rng(seed)
    edges = {(int(rng.integers(people)), people + int(rng.integers(shops))) for _ in range(3000)}
    labels = np.repeat([0, 1], [people, shops])
    return Graph.from_edges(sorted(edges), names=range(people + shops)), labels


@pytest.mark.parametrize("seed", range(3))
def test_where_no_neighbours_are_alike_it_learns_what_goes_with_what(seed):
    graph, labels = payments(seed)
    order = np.random.default_rng(seed).permutation(graph.n_nodes)
    told, rest = order[:80], order[80:]
    learner = Auto(graph)
    learner.stream(told, labels[told])
    assert (learner.predict(rest) == labels[rest]).mean() > 0.9  # the largest class has 0.62
    assert learner.trust[3] + learner.trust[5] > 0.5  # the company, and the stack that has it too
    assert learner.regret <= learner.regret_bound
    one_by_one = Auto(graph)
    for node in told:
        one_by_one.learn(int(node), int(labels[node]))
    np.testing.assert_allclose(one_by_one.predict_proba(rest), learner.predict_proba(rest))
