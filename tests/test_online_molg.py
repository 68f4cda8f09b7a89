"""MOLG-F, OSLG, MSG and the perceptron: slow twins, the paper's rules, the paper's numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapwing import make, play
from lapwing.embed import laplacian
from lapwing.errors import InputError
from lapwing.learner import Learner
from lapwing.online import MOLG, MSG, OSLG, MulticlassGPA
from lapwing.play import shuffled
from lapwing.types import UNKNOWN


@st.composite
def streams(draw, most: int = 25):
    """Rows of length at most 1, two to four classes, a stream in which nodes may repeat."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, d, k = draw(st.integers(2, 8)), draw(st.integers(1, 6)), draw(st.integers(2, 4))
    rows = rng.normal(size=(n, d))
    rows /= np.linalg.norm(rows, axis=1).max() + 1e-9
    nodes = rng.integers(0, n, size=draw(st.integers(1, most)))
    return rows, nodes, rng.integers(0, k, size=len(nodes)), k


def from_scratch(rows, nodes, labels, k, *, b, phi, coding="pairs", weight=None):
    """Algorithm 1 with A and B themselves, solved anew; a class without a label is no guess."""
    d = rows.shape[1]
    A, B = b * np.eye(d), np.zeros((d, k))
    guesses, weights, learned = [], [], []
    for node, y in zip(nodes, labels, strict=True):
        x = rows[node]
        q = x @ np.linalg.solve(A, x)
        a = 1 / (1 - q) if weight is None else weight
        ahead = A + a * np.outer(x, x)
        f = B.T @ np.linalg.solve(ahead, x)
        named = np.isin(np.arange(k), labels[: len(guesses)])
        guess = int(np.argmax(np.where(named, f, -np.inf))) if np.any(f[named] != 0) else UNKNOWN
        others = np.delete(np.arange(k), y)
        rival = others[np.argmax(f[others])]
        sigma = a**2 * x @ np.linalg.solve(ahead, x) / 2
        z = guess != y or (phi > 0 and f[y] - f[rival] < phi * sigma)
        if z:
            target = np.zeros(k)
            target[y] = 1
            if coding == "pairs":
                target[rival] = -1
            A, B = ahead, B + a * np.outer(x, target)
        guesses.append(guess)
        learned.append(z)
        weights.append(np.linalg.solve(A, B).T)
    return np.array(guesses), np.array(weights), np.array(learned)


def close_calls(scores: np.ndarray) -> bool:
    """Whether rounding decides between two classes; classes never touched tie at exactly 0."""
    ordered = np.sort(scores)
    untouched = (ordered[1:] == 0) & (ordered[:-1] == 0)
    return bool(((np.diff(ordered) < 1e-9) & ~untouched).any())


@given(streams(), st.sampled_from([0.0, 0.5, 10.0]), st.sampled_from(["pairs", "one-hot"]))
def test_molg_equals_the_closed_form_at_every_round(stream, phi, coding):
    rows, nodes, labels, k = stream
    for weight in (None, 1.0, 2.5):
        learner = MOLG(rows, k, b=1.5, phi=phi, coding=coding, weight=weight)
        _, weights, _ = from_scratch(
            rows, nodes, labels, k, b=1.5, phi=phi, coding=coding, weight=weight
        )
        for t, (node, label) in enumerate(zip(nodes, labels, strict=True)):
            before = weights[t - 1] if t else np.zeros_like(weights[0])
            if close_calls(learner.weights @ rows[node]) or close_calls(before @ rows[node]):
                break
            learner.learn(int(node), int(label))
            np.testing.assert_allclose(learner.weights, weights[t], atol=1e-8)


def test_molg_on_cora_does_not_drift_from_the_closed_form(dataset):
    cora = dataset("cora").largest_component()
    rows = laplacian(cora.graph, normalized=True, unit_rows=True)
    order = shuffled(len(rows), seed=0)
    learner = MOLG(rows, 7, b=10.0, phi=10.0)
    guesses, weights, learned = from_scratch(rows, order, cora.labels[order], 7, b=10.0, phi=10.0)
    for t, node in enumerate(order.tolist()):
        assert learner.predict(node) == guesses[t]
        learner.learn(node, int(cora.labels[node]))
        assert np.abs(learner.weights - weights[t]).max() < 1e-8
    assert learned.sum() > 1000


@given(streams())
def test_no_margin_is_the_error_driven_rule(stream):
    rows, nodes, labels, k = stream
    learner = MOLG(rows, k, b=2.0, phi=0.0)
    for node, label in zip(nodes.tolist(), labels.tolist(), strict=True):
        before, right = learner.weights.copy(), learner.predict(node) == label
        learner.learn(node, label)
        assert right == np.array_equal(before, learner.weights) or not rows[node].any()


@given(streams(), st.sampled_from(["molg", "one-hot", "oslg", "msg", "gpa"]), st.booleans())
def test_compiled_stream_equals_one_node_verbs_exactly(stream, name, grows):
    rows, nodes, labels, k = stream
    makers = {
        "molg": lambda: MOLG(rows, None if grows else k, b=2.0, phi=1.0),
        "one-hot": lambda: MOLG(rows, None if grows else k, b=2.0, phi=5.0, coding="one-hot"),
        "oslg": lambda: OSLG(rows, None if grows else k, b=0.5),
        "msg": lambda: MSG(rows, None if grows else k, b=0.5, phi=0.5, h=0.1, seed=3),
        "gpa": lambda: MulticlassGPA(rows, None if grows else k),
    }
    fast, slow = makers[name](), makers[name]()
    half = len(nodes) // 2
    traces = [fast.stream(nodes[:half], labels[:half]), fast.stream(nodes[half:], labels[half:])]
    expected = Learner.stream(slow, nodes, labels)
    assert np.array_equal(np.concatenate([t.guesses for t in traces]), expected.guesses)
    assert np.array_equal(np.concatenate([t.queried for t in traces]), expected.queried)
    assert np.array_equal(fast.weights, slow.weights)
    assert np.array_equal(fast.inverse, slow.inverse)


@given(streams())
def test_a_class_that_appears_late_is_as_if_known(stream):
    rows, nodes, labels, k = stream
    late, early = OSLG(rows, b=2.0), OSLG(rows, k, b=2.0)
    for node, label in zip(nodes.tolist(), labels.tolist(), strict=True):
        assert early.predict(node) == late.predict(node)
        late.learn(node, label)
        early.learn(node, label)
        assert np.array_equal(late.weights, early.weights[: late.n_classes])
        assert not early.weights[late.n_classes :].any()


def test_oslg_is_ridge_regression_on_the_mistakes():
    rng = np.random.default_rng(0)
    rows, labels = rng.normal(size=(60, 5)), rng.integers(0, 3, size=60)
    learner = OSLG(rows, 3, b=0.7)
    trace = learner.stream(np.arange(60), labels)
    wrong = np.flatnonzero(trace.guesses != labels)
    A = 0.7 * np.eye(5) + rows[wrong].T @ rows[wrong]
    expected = np.linalg.solve(A, rows[wrong].T @ np.eye(3)[labels[wrong]])
    np.testing.assert_allclose(learner.weights, expected.T, atol=1e-10)
    assert np.array_equal(trace.updates, 3 * (trace.guesses != labels))


def test_a_b_that_turns_the_matrix_indefinite_is_refused():
    rows = np.array([[0.5, 0.0], [0.0, 2.0]])
    with pytest.raises(
        InputError, match=r"b must exceed the largest \|x\|\^2, which is 4 \(node 1\)"
    ):
        MOLG(rows, 2, b=4.0)
    A = MOLG(rows, 2, b=4.0, weight=1.0).inverse
    assert np.all(np.linalg.eigvalsh(A) > 0)
    learner = MOLG(rows, 2, b=4.0001, phi=1e6)
    for _ in range(50):
        learner.learn(1, 0)
        learner.learn(1, 1)
        assert np.linalg.eigvalsh(learner.inverse).min() > 0


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"b": 0.0}, "b must be positive and finite, got 0.0"),
        ({"phi": -1.0}, "phi must be at least 0, got -1.0"),
        ({"phi": float("nan")}, "phi must be at least 0, got nan"),
        ({"weight": 0.0}, "weight must be positive and finite, got 0.0"),
        ({"coding": "bits"}, "coding must be one of pairs, one-hot, got 'bits'"),
    ],
)
def test_hyper_parameters_are_checked(parameters, message):
    with pytest.raises(InputError, match=message):
        MOLG(np.eye(2) / 2, 2, **parameters)


def test_labels_out_of_range_are_refused_and_change_nothing():
    learner = OSLG(np.eye(3), 2)
    for label in (-1, 2):
        with pytest.raises(
            InputError, match=f"a label must be an integer from 0 to 1, got {label}"
        ):
            learner.learn(0, label)
    assert not learner.weights.any()


def test_msg_queries_less_where_it_is_sure_and_learns_nothing_unasked(dataset):
    cora = dataset("cora").largest_component()
    rows = laplacian(cora.graph, normalized=True, unit_rows=True)
    order = shuffled(len(rows), seed=0)
    results = {}
    for h in (0.001, 0.1, np.inf):
        trace = MSG(rows, 7, h=h, seed=1).stream(order, cora.labels[order])
        assert np.all(trace.queried | (trace.updates == 0))
        results[h] = trace.queried.sum(), (trace.guesses != cora.labels[order]).mean()
    assert results[0.001][0] < results[0.1][0] < results[np.inf][0] == len(order)
    assert results[0.001][0] < 1300
    assert results[0.001][1] < 0.19


@pytest.mark.parametrize(
    ("name", "settings", "error", "updates"),
    [
        ("oslg", {}, 20.7, 3600),
        ("molg-f", {}, 18.35, 2560),
        ("molg-f", {"coding": "one-hot"}, 17.05, None),
    ],
)
def test_cora_as_in_table_1(dataset, name, settings, error, updates):
    cora = dataset("cora").largest_component()
    rows = laplacian(cora.graph, normalized=True, unit_rows=True)
    games = [
        play(
            make(name, rows, n_classes=7, b=10.0, **settings),
            shuffled(len(rows), seed=seed),
            cora.labels,
        ).summary()
        for seed in range(20)
    ]
    assert 100 * np.mean([game.error for game in games]) == pytest.approx(error, abs=0.4)
    if updates:
        assert np.mean([game.updates for game in games]) == pytest.approx(updates, rel=0.03)
