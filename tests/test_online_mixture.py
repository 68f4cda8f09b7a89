"""The mixture: against a slow twin, exact search, and the best of its grid."""

import numpy as np
import pytest

from lapwing.embed import laplacian
from lapwing.errors import InputError
from lapwing.learner import Learner
from lapwing.online import Mixture, SharedRidge
from lapwing.online.mixture.mixture import GRID
from lapwing.online.mixture.neighbourhood import ENOUGH, PRIOR, SOFTENING, VOTERS
from lapwing.play import play, shuffled


def blobs(n=600, d=11, classes=3, seed=0):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, classes, n).astype(np.intp)
    rows = rng.normal(0, 1, (classes, d))[labels] + rng.normal(0, 0.8, (n, d))
    return np.hstack([rows, np.ones((n, 1))]), labels


def slow_mixture(rows, labels, order, n_classes):
    """The definition, written out with numpy: probabilities before each round."""
    units = rows[:, :-1] / np.linalg.norm(rows[:, :-1], axis=1, keepdims=True)
    losses = np.zeros(len(GRID) + 1)
    found = []
    for t, node in enumerate(order):
        seen = order[:t]
        opinions = []
        for mu in GRID:
            m, y = rows[seen], np.where(labels[seen, None] == np.arange(n_classes), 1.0, -1.0)
            w = np.linalg.solve(mu * np.eye(rows.shape[1]) + m.T @ m, m.T @ y)
            p = np.maximum((1 + rows[node] @ w) / 2, 0.01)
            opinions.append(p / p.sum())
        counts = np.bincount(labels[seen], minlength=n_classes) + 1.0
        votes = PRIOR * counts / counts.sum()
        near = units[seen] @ units[node]
        for i in np.argsort(-near)[:VOTERS]:
            votes[labels[seen[i]]] += 1 / (max(2 - 2 * near[i], 0) + SOFTENING)
        opinions = np.array([*opinions, votes / votes.sum()])
        weights = np.exp(losses.min() - losses)
        mixed = (weights / weights.sum() @ opinions) * (counts > 1)
        found.append(mixed / max(mixed.sum(), 1e-12))
        losses += ((opinions - np.eye(n_classes)[labels[node]]) ** 2).sum(axis=1)
    return np.array(found), losses


def test_it_is_what_its_definition_says():
    rows, labels = blobs(n=150)
    order = np.random.default_rng(1).permutation(150)
    expected, losses = slow_mixture(rows, labels, order, 3)
    learner, found = Mixture(rows, 3), []
    for node in order:
        found.append(learner.scores(int(node)))
        learner.learn(int(node), int(labels[node]))
    np.testing.assert_allclose(found[1:], expected[1:], atol=1e-8)
    np.testing.assert_allclose(learner.state.losses, losses, atol=1e-6)
    np.testing.assert_allclose(learner.scores(order).sum(axis=1), 1.0)


@pytest.mark.parametrize("kappa", [None, 0.5])
@pytest.mark.parametrize("n_classes", [None, 3])
def test_a_compiled_stream_is_the_verbs_to_the_last_bit(kappa, n_classes):
    rows, labels = blobs()
    order = np.argsort(labels, kind="stable")[::-1].copy()
    fast, slow = Mixture(rows, n_classes, kappa=kappa), Mixture(rows, n_classes, kappa=kappa)
    a, b = fast.stream(order, labels[order]), Learner.stream(slow, order, labels[order])
    np.testing.assert_array_equal(a.guesses, b.guesses)
    np.testing.assert_array_equal(a.queried, b.queried)
    np.testing.assert_array_equal(fast.scores(order), slow.scores(order))
    assert a.queried.all() == (kappa is None)


def test_cells_find_nearly_what_a_full_search_finds():
    rows, labels = blobs(n=3000, d=8, classes=5, seed=2)
    learner = Mixture(rows, 5)
    learner.stream(np.arange(2000), labels[:2000])
    assert learner.state.neighbours.size[0] > ENOUGH
    found = learner.predict(np.arange(2000, 3000))
    units = learner.state.neighbours.rows
    near = np.argsort(-units[2000:] @ units[:2000].T, axis=1)[:, :VOTERS]
    votes = np.apply_along_axis(np.bincount, 1, labels[near], minlength=5)
    full = np.mean(votes.argmax(axis=1) == labels[2000:])
    assert np.mean(found == labels[2000:]) > full - 0.02


def test_weights_go_to_who_is_right():
    rows, labels = blobs(seed=3)
    learner = Mixture(rows, 3)
    assert learner.trust == pytest.approx(np.full(6, 1 / 6))
    learner.stream(np.arange(600), labels)
    assert learner.trust.sum() == pytest.approx(1.0)
    assert learner.trust[-2] < 1e-3


def test_only_the_rounds_of_the_coin_charge_the_experts():
    rows, labels = blobs(seed=6)
    quiet = Mixture(rows, 3, kappa=0.3, probe=0.0)
    trace = quiet.stream(np.arange(600), labels)
    assert 0 < trace.queried.sum() < 300
    assert quiet.trust == pytest.approx(np.full(6, 1 / 6))
    probing = Mixture(rows, 3, kappa=0.0, probe=0.25, seed=1)
    trace = probing.stream(np.arange(600), labels)
    assert trace.queried.mean() == pytest.approx(0.25, abs=0.05)
    assert probing.state.losses.min() > 0


def test_a_label_given_twice_counts_twice_and_a_repeated_node_is_known():
    rows, labels = blobs(seed=4)
    learner = Mixture(rows, 3)
    learner.stream(np.tile(np.arange(100), 2), np.tile(labels[:100], 2))
    assert (learner.predict(np.arange(100)) == labels[:100]).mean() > 0.95


def test_parameters_are_checked():
    with pytest.raises(InputError, match="penalties must be positive numbers"):
        Mixture(np.eye(3), penalties=())
    with pytest.raises(InputError, match="penalties must be positive numbers"):
        Mixture(np.eye(3), penalties=(0.1, 0.0))
    with pytest.raises(InputError, match=r"kappa must lie between 0 and 1"):
        Mixture(np.eye(3), kappa=2.0)
    with pytest.raises(InputError, match=r"probe must lie between 0 and 1, got -1"):
        Mixture(np.eye(3), probe=-1)
    with pytest.raises(InputError, match="a label must be an integer from 0 to 1, got 2"):
        Mixture(np.eye(3), 2).learn(0, 2)


@pytest.mark.parametrize("name", ["digits", "cora", "citeseer", "coauthor"])
def test_untuned_it_is_as_good_as_the_best_penalty_in_hindsight(dataset, name):
    found = dataset(name).largest_component()
    rows, labels = laplacian(found.graph, rank=100, bias=2.0), np.asarray(found.labels)
    orders = [shuffled(len(labels), seed) for seed in range(3)]

    def error(make):
        return np.mean([play(make(), order, labels).summary().error for order in orders])

    best = min(error(lambda mu=mu: SharedRidge(rows, found.n_classes, mu=mu)) for mu in GRID)
    assert error(lambda: Mixture(rows, found.n_classes)) <= 1.02 * best
