"""Bandits: slow twins, pure reading, second guesses, and the paper's numbers."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapwing import make, play
from lapwing.bandit import (
    SOBA,
    Banditron,
    Confidit,
    LinUCB,
    MOLGBandit,
    OSLGBandit,
    RowBandit,
    Thompson,
)
from lapwing.embed import laplacian
from lapwing.errors import InputError
from lapwing.learner import decided
from lapwing.play import shuffled

EVERY = {
    "molg-b": lambda rows, k, seed=0: MOLGBandit(rows, k, b=1.5, phi=2.0, seed=seed),
    "oslg-bandit": lambda rows, k, seed=0: OSLGBandit(rows, k, b=0.5, exploration=0.4, seed=seed),
    "confidit": lambda rows, k, seed=0: Confidit(rows, k, exploration=0.3, seed=seed),
    "linucb": lambda rows, k, seed=0: LinUCB(rows, k, seed=seed),
    "thompson": lambda rows, k, seed=0: Thompson(rows, k, exploration=0.5, seed=seed),
    "banditron": lambda rows, k, seed=0: Banditron(rows, k, exploration=0.3, seed=seed),
    "soba": lambda rows, k, seed=0: SOBA(rows, k, exploration=0.3, seed=seed),
}
names = pytest.mark.parametrize("name", sorted(EVERY))


@st.composite
def streams(draw):
    """Rows of length at most 1, two to four classes of fixed labels, nodes that may repeat."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, d, k = draw(st.integers(2, 8)), draw(st.integers(1, 6)), draw(st.integers(2, 4))
    rows = rng.normal(size=(n, d))
    rows /= np.linalg.norm(rows, axis=1).max() + 1e-9
    nodes = rng.integers(0, n, size=draw(st.integers(1, 25)))
    return rows, nodes, rng.integers(0, k, size=n)[nodes], k


def by_hand(learner: RowBandit, nodes, labels, tries: int):
    """The stream by one-node verbs: first guesses, and guesses per round."""
    firsts, counts = [], []
    for node, label in zip(nodes.tolist(), labels.tolist(), strict=True):
        for turn in range(tries):
            guess = learner.guess(node)
            learner.learn(node, guess, guess == label)
            if turn == 0:
                firsts.append(guess)
                counts.append(0)
            counts[-1] += 1
            if guess == label:
                break
    return np.array(firsts), np.array(counts)


@names
@given(streams(), st.integers(1, 4), st.integers(0, 5))
def test_compiled_stream_equals_one_node_verbs_exactly(name, stream, tries, seed):
    rows, nodes, labels, k = stream
    fast, slow = EVERY[name](rows, k, seed), EVERY[name](rows, k, seed)
    half = len(nodes) // 2
    fast.stream(nodes[:half], labels[:half], tries=tries)
    trace = fast.stream(nodes[half:], labels[half:], tries=tries)
    firsts, counts = by_hand(slow, nodes, labels, tries)
    assert np.array_equal(trace.guesses, firsts[half:])
    assert np.array_equal(trace.tries, counts[half:])
    assert np.array_equal(fast.weights, slow.weights)
    heard = zip(fast.feedback, slow.feedback, strict=True)
    assert all(np.array_equal(*pair) for pair in heard)
    assert np.array_equal(fast.dice, slow.dice)
    for count in ("n_guesses", "n_second_guesses", "n_updates"):
        assert getattr(fast, count) == getattr(slow, count)


@names
@given(streams())
def test_reading_changes_nothing_and_a_seed_is_a_run(name, stream):
    rows, nodes, labels, k = stream
    learner, twin = EVERY[name](rows, k, 7), EVERY[name](rows, k, 7)
    for node, label in zip(nodes.tolist(), labels.tolist(), strict=True):
        before = copy.deepcopy(vars(learner))
        guess = learner.guess(node)
        learner.scores(np.arange(len(rows)))
        assert learner.guess(node) == guess == twin.guess(node)
        after = vars(learner)
        parts = [key for key in before if key not in ("rng", "_feedback")]
        assert all(np.array_equal(before[key], after[key]) for key in parts)
        heard = zip(before["_feedback"], after["_feedback"], strict=True)
        assert all(np.array_equal(*pair) for pair in heard)
        assert before["rng"].bit_generator.state == after["rng"].bit_generator.state
        learner.learn(node, guess, guess == label)
        twin.learn(node, guess, guess == label)


@names
def test_one_node_reads_like_many(name):
    rows = np.random.default_rng(0).normal(size=(9, 4)) / 10
    learner = EVERY[name](rows, 3)
    learner.stream(np.arange(9), np.arange(9) % 3)
    many = learner.scores(np.arange(9))
    assert many.shape == (9, 3)
    assert all(np.array_equal(learner.scores(node), many[node]) for node in range(9))


@names
def test_a_rejected_guess_is_not_repeated_and_is_counted(name):
    rows = np.random.default_rng(1).normal(size=(3, 4)) / 10
    learner = EVERY[name](rows, 4)
    guesses = []
    for _ in range(4):
        guesses.append(learner.guess(1))
        learner.learn(1, guesses[-1], False)
    assert sorted(guesses) == [0, 1, 2, 3]
    assert (learner.n_guesses, learner.n_second_guesses) == (4, 3)
    assert learner.guess(1) in range(4)  # all rejected: the teacher contradicts itself
    assert not learner.rejected[0].any()


@names
def test_with_enough_tries_every_round_ends_right(name):
    rng = np.random.default_rng(2)
    rows, labels = rng.normal(size=(40, 5)) / 10, rng.integers(0, 3, size=40)
    learner = EVERY[name](rows, 3)
    trace = learner.stream(np.arange(40), labels, tries=3)
    assert np.array_equal(trace.tries == 1, trace.guesses == labels)
    assert learner.n_second_guesses == (trace.tries - 1).sum() > 0
    assert (learner.rejected.sum(axis=1) == trace.tries - 1).all()


def molg_b_from_scratch(rows, nodes, labels, k, tie_order, *, b, phi, exploration, weight=None):
    """Algorithm 2 with A^i and b^i themselves, solved anew in every round."""
    d = rows.shape[1]
    A, B = np.stack([b * np.eye(d)] * k), np.zeros((k, d))
    guesses, updates = [], []
    for node, y in zip(nodes, labels, strict=True):
        x = rows[node]
        value, spread, ahead = np.empty(k), np.empty(k), A.copy()
        a = np.array([weight or 1 / (1 - x @ np.linalg.solve(A[i], x)) for i in range(k)])
        for i in range(k):
            ahead[i] += a[i] * np.outer(x, x)
            value[i] = x @ np.linalg.solve(ahead[i], B[i])
            spread[i] = a[i] ** 2 * x @ np.linalg.solve(ahead[i], x) / 2
        optimism = value + exploration * np.sqrt(spread)
        ordered = np.sort(optimism)
        if ordered[-1] - ordered[-2] < 1e-10 and ordered[-1] != ordered[-2]:
            break  # rounding decides: nothing to compare
        guess = max(tie_order, key=lambda i, values=optimism: values[i])
        z = guess != y or value[guess] < phi * spread[guess]
        if z:
            A[guess] = ahead[guess]
            B[guess] += a[guess] * x * (1 if guess == y else -1)
        guesses.append(guess)
        updates.append(z)
    return (
        np.array(guesses),
        np.array(updates),
        np.stack([np.linalg.solve(A[i], B[i]) for i in range(k)]),
    )


@pytest.mark.parametrize(("b", "weight"), [(1.01, None), (10.0, None), (0.3, 1.0), (5.0, 2.5)])
def test_molg_b_equals_algorithm_2_from_scratch(b, weight):
    rng = np.random.default_rng(3)
    for case in range(10):
        rows = rng.normal(size=(80, 6))
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        labels = rng.integers(0, 3, size=80)
        nodes = rng.permutation(80)
        same = {"b": b, "phi": 1.0, "exploration": 0.3, "weight": weight}
        learner = MOLGBandit(rows, 3, seed=case, **same)
        guesses, updates, weights = molg_b_from_scratch(
            rows, nodes, labels[nodes], 3, learner.tie_order, **same
        )
        trace = learner.stream(nodes, labels[nodes])
        assert np.array_equal(trace.guesses, guesses)
        assert np.array_equal(trace.updates, updates)
        np.testing.assert_allclose(learner.weights, weights, atol=1e-8)


def test_molg_b_without_margin_learns_from_rejected_guesses_only():
    rng = np.random.default_rng(4)
    rows = rng.normal(size=(200, 5)) / 4
    labels = (rows[:, 0] > 0).astype(np.intp)
    learner = MOLGBandit(rows, 2, phi=0.0, exploration=0.0, b=5.0)
    trace = learner.stream(np.arange(200), labels)
    right = trace.guesses == labels
    positive = np.flatnonzero(right & (trace.updates == 1))
    assert (trace.updates[~right] == 1).all()
    assert right.sum() > 0
    # an accepted guess teaches only where its estimate was below zero
    replay = MOLGBandit(rows, 2, phi=0.0, exploration=0.0, b=5.0)
    for node in range(200):
        guess = replay.guess(node)
        assert (replay.scores(node)[guess] < 0) == (node in positive) or guess != labels[node]
        replay.learn(node, guess, guess == labels[node])


def test_confidit_projects_on_scores_within_one():
    rng = np.random.default_rng(5)
    rows = rng.normal(size=(30, 3))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    learner = Confidit(rows, 2, exploration=0.0)
    learner.weights[:] = [[3.0, 0.0, 0.0], [0.0, 0.1, 0.0]]
    x = rows[0]
    A = np.linalg.inv(learner.inverses[0])
    w = learner.weights[0].copy()
    held = np.clip(w @ x, -1, 1)
    nearest = w + np.linalg.solve(A, x) * (held - w @ x) / (x @ np.linalg.solve(A, x))
    expected = np.linalg.solve(A + np.outer(x, x), A @ nearest - x)
    learner.learn(0, 0, False)
    np.testing.assert_allclose(learner.weights[0], expected, atol=1e-12)


def test_banditron_is_the_perceptron_on_average():
    """Over many draws its update has the mean of x (e_y - e_best)."""
    rows, k, gamma = np.array([[1.0]]), 3, 0.4
    total = np.zeros(k)
    draws = 20_000
    for seed in range(200):
        learner = Banditron(rows, k, exploration=gamma, seed=seed)
        learner.tie_order = np.arange(k)
        for _ in range(draws // 200):
            learner.weights[:] = 0.0
            learner.rejected[:] = False
            guess = learner.guess(0)
            learner.learn(0, guess, guess == 2)
            total += learner.weights[:, 0]
    np.testing.assert_allclose(total / draws, [-1.0, 0.0, 1.0], atol=0.1)


def test_soba_equals_its_definition_solved_from_scratch():
    rng = np.random.default_rng(6)
    rows, labels, k, d = rng.normal(size=(60, 3)) / 2, rng.integers(0, 3, size=60), 3, 3
    learner = SOBA(rows, k, b=1.0, exploration=0.5, seed=1)
    A, theta, total = np.eye(k * d), np.zeros(k * d), 0.0
    updates = 0
    for node in range(60):
        x, w = rows[node], np.linalg.solve(A, theta)
        scores = w.reshape(k, d) @ x
        np.testing.assert_allclose(learner.scores(node), scores, atol=1e-8)
        believed = learner.scores(node)
        best = max(learner.tie_order, key=believed.__getitem__)
        guess = learner.guess(node)
        if guess == labels[node]:
            p = 0.5 / k + 0.5 * (guess == best)
            others = [i for i in learner.tie_order if i != guess]
            rival = max(others, key=believed.__getitem__)
            g = np.kron(np.eye(k)[rival] - np.eye(k)[guess], x) / p
            z = np.sqrt(p) * g
            m = ((w @ z) ** 2 + 2 * w @ g) / (1 + z @ np.linalg.solve(A, z))
            if total + m >= 0:
                A, theta, total = A + np.outer(z, z), theta - g, total + m
                updates += 1
        learner.learn(node, guess, guess == labels[node])
    assert learner.n_updates == updates > 5


def test_thompson_draws_from_the_belief():
    rows = np.array([[1.0, 0.0], [0.6, 0.8]])
    wins = 0
    for seed in range(2000):
        learner = Thompson(rows, 2, b=1.0, exploration=1.0, seed=seed)
        learner.weights[:] = [[0.5, 0.0], [0.0, 0.0]]
        wins += learner.guess(0) == 0
    # P(0.5 + e > e') for two standard normals
    assert wins / 2000 == pytest.approx(0.638, abs=0.03)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: MOLGBandit(np.eye(2), 2, b=1.0), r"b must exceed the largest \|x\|\^2"),
        (lambda: MOLGBandit(np.eye(2)), "n_classes of a bandit must be at least 2, got None"),
        (lambda: LinUCB(np.eye(2), 2, exploration=-1.0), "exploration must be finite and at least"),
        (lambda: LinUCB(np.eye(2), 2, b=0.0), "b must be positive and finite, got 0.0"),
        (lambda: Banditron(np.eye(2), 2, exploration=0.0), "exploration must be more than 0"),
        (lambda: MOLGBandit(np.eye(2), 2, phi=-1.0), "phi must be at least 0, got -1.0"),
        (
            lambda: LinUCB(np.eye(2), 2).learn(0, 2, True),
            "a label must be an integer from 0 to 1, got 2",
        ),
        (
            lambda: LinUCB(np.eye(2), 2).stream(np.array([0]), np.array([-1])),
            "a label must be an integer from 0 to 1, got -1",
        ),
        (
            lambda: LinUCB(np.eye(2), 2).stream(np.array([0]), np.array([1]), tries=0),
            "tries must be at least 1, got 0",
        ),
    ],
)
def test_what_cannot_be_used_is_refused(build, message):
    with pytest.raises(InputError, match=message):
        build()


def test_molg_b_on_cora_as_in_table_1(dataset):
    cora = dataset("cora").largest_component()
    rows = laplacian(cora.graph, normalized=True, unit_rows=True)
    games = [
        play(
            make("molg-b", rows, n_classes=7, b=10.0, phi=10.0, seed=seed),
            shuffled(len(rows), seed),
            cora.labels,
        )
        for seed in range(20)
    ]
    played = [game.summary() for game in games]
    assert 100 * np.mean([game.error for game in played]) == pytest.approx(20.5, abs=0.6)
    assert np.mean([game.updates for game in played]) == pytest.approx(1292, rel=0.02)
    believed = decided(games[0].learner.scores(np.arange(len(rows))))
    assert (believed != cora.labels).mean() < 0.17


def test_molg_b_on_pubmed_beats_what_users_would_pick(dataset):
    pubmed = dataset("pubmed")
    rows = laplacian(pubmed.graph, normalized=True, unit_rows=True)
    played = [
        play(
            make("molg-b", rows, n_classes=3, b=100.0, phi=10.0, seed=seed),
            shuffled(len(rows), seed),
            pubmed.labels,
        ).summary()
        for seed in range(10)
    ]
    own = [
        play(
            make("molg-b", rows, n_classes=3, phi=100.0, seed=seed),
            shuffled(len(rows), seed),
            pubmed.labels,
        ).summary()
        for seed in range(3)
    ]
    assert (
        100 * np.mean([game.error for game in own]) < 20.4
    )  # a wider margin than any of the paper's grid
    assert 100 * np.mean([game.error for game in played]) == pytest.approx(20.9, abs=0.2)
    assert np.mean([game.updates for game in played]) == pytest.approx(8510, rel=0.02)
