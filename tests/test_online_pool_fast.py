"""What the pool computes in a fast way, held to the straightforward one."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import softmax

from lapwing import Graph, make
from lapwing.online.pool import roster
from lapwing.online.pool.expert import FLOOR
from lapwing.online.pool.leave_one_out import fit_by_products, judged_ridge_fit, ridge_fit
from lapwing.online.pool.reading.inner_products import InnerProducts
from lapwing.online.pool.worth import STRENGTH, worth_of


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(st.integers(0, 59), max_size=50, unique=True), max_size=6))
def test_inner_products_do_not_depend_on_what_was_asked_before(asked):
    rows = np.random.default_rng(0).normal(size=(60, 9)).astype(np.float32)
    inner = InnerProducts()
    for nodes in asked:
        wanted = np.array(nodes, dtype=np.intp)
        found = inner.of(rows, wanted).copy()
        held = rows[wanted].astype(float)
        np.testing.assert_allclose(found, held @ held.T, atol=1e-12)
        np.testing.assert_array_equal(found, InnerProducts().of(rows, wanted))
    other = rows[::-1]
    np.testing.assert_array_equal(
        inner.of(other, np.arange(5)), InnerProducts().of(other, np.arange(5))
    )


def test_a_fit_by_inner_products_is_the_fit_on_rows():
    rng = np.random.default_rng(1)
    labels = rng.integers(3, size=40)
    rows = rng.normal(size=(40, 60)) + np.eye(3, 60)[labels]
    targets = labels[:, None] == np.arange(3)
    found = fit_by_products(rows @ rows.T, targets, usual=0.3, floor=FLOOR)
    weights, means = ridge_fit(rows, targets, found.penalty)
    np.testing.assert_allclose(found.weights(rows), weights, atol=1e-9)
    np.testing.assert_allclose(found.means, means)
    wide = judged_ridge_fit(rows, targets, usual=0.3, floor=FLOOR)
    few = judged_ridge_fit(rows[:, :30], targets, usual=0.3, floor=FLOOR)  # by columns
    by_label = fit_by_products(rows[:, :30] @ rows[:, :30].T, targets, usual=0.3, floor=FLOOR)
    for one, other in ((found, wide), (few, by_label)):
        assert one.penalty == other.penalty
        np.testing.assert_allclose(one.left_out, other.left_out, atol=1e-9)


def test_products_that_are_not_definite_still_have_a_root():
    products = -1e-3 * np.ones((4, 4))  # as far off as rounding never is
    targets = np.array([0, 1, 0, 1])[:, None] == np.arange(2)
    fit = fit_by_products(products, targets, usual=0.003, floor=FLOOR, penalty=0.003)
    assert np.isfinite(fit.left_out).all()


def slowly(learner, nodes):
    """The mixture by the formula: every expert, every view, all nodes alike."""
    return learner._mixed(learner.view_chances(nodes, learner.thoughts(nodes)))


def sums(graph_seed: int = 0, n: int = 120, width: int = 6):
    """A graph with an isolated pair, attributes of which some are missing, and labels."""
    rng = np.random.default_rng(graph_seed)
    labels = rng.integers(3, size=n)
    edges = {(0, 1)} | {tuple(sorted(pair)) for pair in rng.integers(4, n, size=(3 * n, 2))}
    edges = [(u, v) for u, v in edges if u != v and (labels[u] == labels[v] or (u + v) % 4 == 0)]
    vectors = rng.normal(size=(n, width)) + np.eye(3, width)[labels]
    vectors[[1, 2, 50]] = np.nan
    return Graph.from_edges([(0, 1), *edges], names=range(n)), vectors, labels


@pytest.mark.parametrize("with_attributes", [True, False])
def test_the_mixture_is_that_of_every_expert_and_view(with_attributes):
    graph, vectors, labels = sums()
    learner = make("pool", graph.with_node_table({"x": vectors}) if with_attributes else graph)
    every, some = np.arange(graph.n_nodes), np.array([7, 90, 50, 11])
    for count, node in enumerate(range(10, 70), start=1):
        if count % 3:
            learner.mark_chosen(node)
        learner.learn(node, int(labels[node]))
        if learner.known_classes().sum() > 1 and count % 4 == 0:
            for nodes in (every, some, np.array([2]), np.array([node])):
                found = learner.mixture(nodes)
                np.testing.assert_allclose(found, slowly(learner, nodes), atol=2e-6)
                np.testing.assert_array_equal(found, learner.mixture(nodes))
                np.testing.assert_array_equal(found, copy.deepcopy(learner).mixture(nodes))
    learner.learn(12, (int(labels[12]) + 1) % 3)
    learner.withdraw(30)
    np.testing.assert_allclose(learner.mixture(every), slowly(learner, every), atol=2e-6)
    learner.mark_chosen(31)
    np.testing.assert_allclose(learner.mixture(every), slowly(learner, every), atol=2e-6)
    n = graph.n_nodes
    learner.grow(learner.graph.with_edges([(n, 20), (n, 21)]))
    more = np.arange(n + 1)
    np.testing.assert_allclose(learner.mixture(more), slowly(learner, more), atol=2e-6)
    again = pickle.loads(pickle.dumps(learner))
    np.testing.assert_array_equal(again.mixture(more), learner.mixture(more))


def test_reading_changes_nothing():
    graph, vectors, labels = sums(1)
    named = graph.with_node_table({"x": vectors})
    read, unread = make("pool", named), make("pool", named)
    rng = np.random.default_rng(0)
    for node in rng.permutation(graph.n_nodes)[:60].tolist():
        for _ in range(int(rng.integers(3))):
            nodes = rng.integers(graph.n_nodes, size=int(rng.integers(1, 30)))
            read.predict_proba(nodes)
            read.likeness_rows(nodes)
            read.predict(int(nodes[0]))
        for learner in (read, unread):
            learner.learn(node, int(labels[node]))
            if node % 9 == 0:
                learner.withdraw(node)
    every = np.arange(graph.n_nodes)
    np.testing.assert_array_equal(read.predict_proba(every), unread.predict_proba(every))
    np.testing.assert_array_equal(read.likeness_rows(every), unread.likeness_rows(every))
    np.testing.assert_array_equal(read.losses, unread.losses)


def test_rows_that_say_how_alike_nodes_are_have_length_one_on_average():
    graph, vectors, labels = sums(2)
    learner = make("pool", graph.with_node_table({"x": vectors}))
    for node in range(10, 30):
        learner.learn(node, int(labels[node]))
    trust, nodes = learner.neighbour_trust, np.arange(graph.n_nodes)
    held = {expert.name: expert for expert in learner.experts}
    by_hand = []
    for name, share in ((roster.PLACED, trust), (roster.STRUCTURED, 1.0 - trust)):
        parts = [np.sqrt(part) * source.rows[nodes] for source, part in held[name].parts.items()]
        rows = np.hstack(parts)
        by_hand.append(rows * np.sqrt(share / np.square(rows).sum(axis=1).mean()))
    rows = learner.likeness_rows(nodes)
    np.testing.assert_allclose(rows, np.hstack(by_hand), atol=1e-6)
    assert np.square(rows).sum(axis=1).mean() == pytest.approx(1.0)
    assert learner.likeness_rows(np.empty(0, dtype=np.intp)).shape == (0, rows.shape[1])


@pytest.mark.parametrize("noisy", [False, True])
def test_sharpness_and_losses_by_the_formula(noisy):
    rng = np.random.default_rng(3)
    thoughts = np.log(rng.dirichlet(np.ones(4), size=(5, 30)) + 1e-3)
    thoughts[..., 2] = -np.inf
    told = thoughts.mean(axis=0) + 0.5 * rng.normal(size=(30, 4))  # they all tell something
    labels, counts = told.argmax(axis=1), rng.choice([0.0, 0.5, 1.0], size=30)
    first = rng.uniform(0.5, 2.0, size=5)
    slips = np.where(noisy, rng.uniform(0.0, 0.3, size=30), 0.0)
    found = worth_of(thoughts, labels, counts, first, slips)

    def loss(e, s):
        chances = softmax(s * thoughts[e], axis=1)[np.arange(30), labels]
        said = (1.0 - slips) * chances + slips * (1.0 - chances) / 3.0
        return STRENGTH * (s / first[e] - 1.0) ** 2 - counts @ np.log(said)

    for e, s in enumerate(found.sharpness):
        assert found.losses[e] == pytest.approx(loss(e, s))
        assert found.losses[e] <= min(loss(e, s * 1.05), loss(e, s / 1.05))
