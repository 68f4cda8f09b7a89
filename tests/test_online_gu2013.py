"""GPA, OLLGC, SSLGC and random sampling: worked by hand, against slow twins, and bit by bit."""

from functools import partial

import numpy as np
import pytest

from lapwing import Graph, make
from lapwing.embed import laplacian
from lapwing.errors import InputError
from lapwing.learner import BinaryLearner, Learner
from lapwing.online import GPA, OLLGC, SSLGC, OneVsRest, RandomSampling, SharedRidge

TRIANGLES = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
ROWS = laplacian(TRIANGLES, bias=2.0)
SIDES = np.array([0, 0, 0, 1, 1, 1])
SIGNS = np.array([1, 1, 1, -1, -1, -1])
BINARY = {
    "gpa": GPA,
    "gpa-every": partial(GPA, every_label=True),
    "ollgc": partial(OLLGC, mu=0.3),
    "ollgc-every": partial(OLLGC, mu=0.3, every_label=True),
    "sslgc": partial(SSLGC, mu=0.3, kappa=0.6),
    "sslgc-every": partial(SSLGC, mu=0.3, kappa=0.6, every_label=True),
}
each_binary = pytest.mark.parametrize("make_binary", BINARY.values(), ids=BINARY)


def gaussian(n=300, d=23, classes=4, seed=0):
    """Rows of classes that overlap; d is no multiple of any block."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, classes, n)
    centres = rng.normal(0, 1.5, (classes, d))
    return centres[labels] + rng.normal(0, 1.5, (n, d)), labels.astype(np.intp)


def test_gpa_by_hand():
    learner = GPA(np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 2.0]]))
    learner.learn(0, -1)
    assert learner.w.tolist() == [-1.0, 0.0]
    learner.learn(1, -1)
    assert learner.w.tolist() == [-1.0, 0.0]
    learner.learn(1, 1)
    assert learner.w.tolist() == [0.0, 1.0]
    learner.learn(2, None)
    assert learner.margin(np.arange(3)).tolist() == [0.0, 1.0, 2.0]


def test_gpa_on_every_label_gives_the_label_as_margin():
    learner = GPA(ROWS, every_label=True)
    learner.learn(0, 1)
    learner.learn(1, -1)
    assert learner.margin(1) == pytest.approx(-1.0)


def test_ollgc_by_hand():
    learner = OLLGC(np.array([[1.0], [2.0]]), mu=1.0)
    learner.learn(0, 1)
    assert learner.w.tolist() == [0.5]
    learner.learn(0, 1)
    assert learner.w.tolist() == [0.5]
    learner.learn(1, -1)
    assert learner.w[0] == pytest.approx(-1 / 6)
    assert learner.inverse[0, 0] == pytest.approx(1 / 6)


def test_sslgc_threshold_includes_the_node_and_counts_every_round():
    rows = np.array([[1.0], [0.1]])
    learner = SSLGC(rows, mu=1.0, kappa=0.4)
    asked = []
    for _ in range(6):
        asked.append(learner.queries(0))
        learner.learn(0, None)
    assert asked == [t**-0.4 < 0.5 for t in range(1, 7)]
    assert not learner.queries(1)


def test_a_label_that_was_not_queried_is_learned_when_given():
    learner = SSLGC(ROWS, mu=1.0)
    assert not learner.queries(0)
    learner.learn(0, 1)
    assert learner.margin(0) > 0


@each_binary
def test_a_compiled_stream_is_the_verbs_to_the_last_bit(make_binary):
    rows, labels = gaussian()
    nodes = np.random.default_rng(1).integers(0, len(rows), 500)
    signs = np.where(labels[nodes] == 0, 1, -1)
    shown = np.random.default_rng(2).random(500) < 0.8
    fast, slow = make_binary(rows), make_binary(rows)
    a, b = fast.stream(nodes, signs, shown), BinaryLearner.stream(slow, nodes, signs, shown)
    np.testing.assert_array_equal(a.margins, b.margins)
    np.testing.assert_array_equal(a.queried, b.queried)
    np.testing.assert_array_equal(fast.w, slow.w)
    assert 0 < a.updated.sum() < 500 or "every" in str(make_binary)


@each_binary
@pytest.mark.parametrize("cut", [1, 7, 24, 100])
def test_a_stream_may_be_cut_anywhere(make_binary, cut):
    rows, labels = gaussian(seed=3)
    nodes, signs = np.arange(200), np.where(labels[:200] < 2, 1, -1)
    whole, parts = make_binary(rows), make_binary(rows)
    together = whole.stream(nodes, signs)
    apart = [
        parts.stream(nodes[i : i + cut], signs[i : i + cut]) for i in range(0, len(nodes), cut)
    ]
    np.testing.assert_array_equal(together.margins, np.concatenate([p.margins for p in apart]))
    np.testing.assert_array_equal(together.queried, np.concatenate([p.queried for p in apart]))


def test_ollgc_stays_ridge_over_thousands_of_updates():
    rows, labels = gaussian(n=4000, d=40, classes=2)
    learner = OLLGC(rows, mu=0.001)
    signs = np.where(np.random.default_rng(0).random(4000) < 0.4, 1 - 2 * labels, 2 * labels - 1)
    wrong = learner.stream(np.arange(4000), signs).updated
    m = rows[wrong]
    w = np.linalg.solve(0.001 * np.eye(40) + m.T @ m, m.T @ signs[wrong])
    assert wrong.sum() > 500
    np.testing.assert_allclose(learner.w, w, atol=1e-8)


@pytest.mark.parametrize("kappa", [None, 0.6])
@pytest.mark.parametrize("n_classes", [None, 4])
def test_one_matrix_serves_all_classes(kappa, n_classes):
    """The shared ridge against one learner a class that shares every label."""
    rows, labels = gaussian(seed=5)
    nodes = np.random.default_rng(5).permutation(len(rows))
    if kappa is None:
        binary = partial(OLLGC, rows, mu=0.3, every_label=True)
    else:
        binary = partial(SSLGC, rows, mu=0.3, kappa=kappa, every_label=True)
    slow = OneVsRest(binary, n_classes, share=True)
    fast = SharedRidge(rows, n_classes, mu=0.3, kappa=kappa)
    a, b = slow.stream(nodes, labels[nodes]), fast.stream(nodes, labels[nodes])
    np.testing.assert_array_equal(a.guesses, b.guesses)
    np.testing.assert_array_equal(a.queried, b.queried)
    np.testing.assert_allclose(slow.scores(nodes), fast.scores(nodes), atol=1e-12)
    assert a.queried.all() == (kappa is None)


@pytest.mark.parametrize("name", ["gpa", "ollgc", "sslgc", "random-ollgc"])
@pytest.mark.parametrize("every_label", [False, True])
def test_a_late_class_is_as_if_known_from_the_start(name, every_label):
    rows, labels = gaussian(seed=7)
    nodes = np.argsort(labels, kind="stable")[::-1][::3]
    settings = {"every_label": every_label}
    known = make(name, rows, n_classes=4, **settings)
    grown = make(name, rows, **settings)
    by_verbs = make(name, rows, **settings)
    known.stream(nodes, labels[nodes])
    fast = grown.stream(nodes, labels[nodes])
    slow = Learner.stream(by_verbs, nodes, labels[nodes])
    np.testing.assert_array_equal(fast.guesses, slow.guesses)
    np.testing.assert_array_equal(grown.scores(nodes), by_verbs.scores(nodes))
    np.testing.assert_array_equal(grown.scores(nodes), known.scores(nodes))


def test_classes_that_nobody_queried_stay_unknown():
    learner = make("random-gpa", ROWS, p=0.0)
    trace = learner.stream(np.arange(6), SIDES)
    assert learner.n_classes == 0
    assert (trace.guesses == -1).all()
    assert not trace.queried.any()


def test_a_class_beyond_those_promised_is_an_error():
    for every_label in (True, False):
        learner = make("ollgc", ROWS, n_classes=2, every_label=every_label)
        with pytest.raises(InputError, match="a label must be an integer from 0 to 1, got 2"):
            learner.learn(0, 2)
        with pytest.raises(InputError, match="a label must be an integer from 0 to 1, got 2"):
            learner.stream(np.array([0]), np.array([2]))


def test_random_sampling_throws_one_fair_coin_a_node():
    rows, labels = gaussian(n=4000, d=5)
    learner = RandomSampling(OneVsRest(partial(GPA, rows), 4), p=0.25, seed=1)
    trace = learner.stream(np.arange(4000), labels)
    assert abs(trace.queried.mean() - 0.25) < 0.03
    np.testing.assert_array_equal(trace.class_queries, 4 * trace.queried)


def test_counts_of_one_against_the_rest():
    learner = OneVsRest(partial(OLLGC, ROWS, mu=0.3), 2)
    trace = learner.stream(np.array([0, 1, 5]), np.array([0, 0, 1]))
    assert trace.binary_mistakes.tolist() == [2, 0, 2]
    assert trace.updates.tolist() == [2, 0, 2]
    assert trace.class_queries.tolist() == [2, 2, 2]
    assert trace.guesses.tolist() == [-1, 0, 0]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: OLLGC(ROWS, mu=0.0), "mu must be positive, got 0.0"),
        (lambda: OLLGC(ROWS, mu=float("nan")), "mu must be positive, got nan"),
        (lambda: SharedRidge(ROWS, mu=-1.0), "mu must be positive, got -1.0"),
        (lambda: SSLGC(ROWS, kappa=1.5), r"kappa must lie between 0 and 1, got 1.5"),
        (lambda: SharedRidge(ROWS, kappa=-0.1), r"kappa must lie between 0 and 1, got -0.1"),
        (lambda: make("random-gpa", ROWS, p=1.1), r"p must lie between 0 and 1, got 1.1"),
    ],
)
def test_hyper_parameters_are_checked(wrong, message):
    with pytest.raises(InputError, match=message):
        wrong()
