"""The learner of sessions: its formula, honest numbers, changes of mind, what it cannot know."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax
from sklearn.linear_model import LogisticRegression

from lapwing import Graph, data, make
from lapwing.embed import with_unit_rows
from lapwing.embed.learning_rows import learning_rows, usual_rank
from lapwing.errors import ConvergenceError, InputError
from lapwing.linalg.softmax import softmax_coefficients
from lapwing.metrics import calibration_error
from lapwing.online.near_far import spectral_rows
from lapwing.online.near_far.near_far import NearFar
from lapwing.online.near_far.spectral_regression import Far
from lapwing.online.near_far.temperature import PRIOR, Temperature

PAIRS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=4, max_size=25)
LABELS = st.dictionaries(st.integers(0, 9), st.integers(0, 2), max_size=6)


def told(graph, labels):
    learner = make("near-far", graph)
    for node, label in labels.items():
        learner.learn(node, label)
    return learner


def slow_near(graph, labels, n_classes):
    degrees = np.where(graph.degrees > 0, graph.degrees, 1.0)
    walk = graph.adjacency.toarray() / degrees[:, None]
    spread = 0.05 * np.linalg.inv(np.eye(graph.n_nodes) - 0.95 * walk)
    weight = (degrees / graph.degrees.mean()) ** -0.5
    mass = np.zeros((graph.n_nodes, n_classes))
    for node, label in labels.items():
        mass[:, label] += spread[:, node] * weight[node]
    return (mass + 0.01 / n_classes) / (mass.sum(axis=1, keepdims=True) + 0.01)


def test_the_answer_is_the_product_of_near_and_far():
    found = data.load("karate")
    labels = {0: 0, 33: 1, 2: 0, 8: 1, 5: 0}
    learner = told(found.graph, labels)
    rows = with_unit_rows(learning_rows(found.graph, usual_rank(34)))
    known = list(labels)
    model = LogisticRegression(C=10.0, tol=1e-6, max_iter=500).fit(
        rows[known], list(labels.values())
    )
    far = model.predict_proba(rows)
    z = np.log(slow_near(found.graph, labels, 2) + 1e-3) + np.log(far + 1e-3)
    expected = np.exp(learner.heat.value() * z)
    expected /= expected.sum(axis=1, keepdims=True)
    found = learner.predict_proba(np.arange(34))
    np.testing.assert_allclose(found, expected, atol=1e-4)


@pytest.mark.parametrize(("count", "width", "n_classes"), [(6, 31, 3), (40, 5, 2), (200, 31, 7)])
def test_the_compiled_regression_is_that_of_scikit_learn(count, width, n_classes):
    rng = np.random.default_rng(count)
    labels = np.arange(count) % n_classes
    rows = rng.normal(size=(count, width)) + np.eye(n_classes, width)[labels]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    penalty = 0.2 if n_classes == 2 else 0.1  # scikit-learn has one vector for two classes
    weights = softmax_coefficients(rows, labels, n_classes, penalty, 1e-8)
    slow = LogisticRegression(C=10.0, max_iter=10_000, tol=1e-10).fit(rows, labels)
    found = np.exp(log_softmax(rows @ weights[:, :-1].T + weights[:, -1], axis=1))
    np.testing.assert_allclose(found, slow.predict_proba(rows), atol=1e-4)


def test_the_compiled_temperature_is_that_of_a_general_minimiser():
    rng = np.random.default_rng(0)
    for sharpness in (0.2, 1.0, 4.0):
        heat, thoughts, labels = Temperature(), [], []
        for node in range(30):
            z = sharpness * rng.normal(size=2 if node < 5 else 3)
            labels.append(int(z.argmax() if rng.random() < 0.8 else rng.integers(len(z))))
            thoughts.append(np.append(z, np.full(3 - len(z), -np.inf)))
            heat.note(node, z, labels[-1])
        weight = 0.5 ** (np.arange(30, 0, -1) / 15)

        def loss(t, thoughts=thoughts, labels=labels, weight=weight):
            sure = log_softmax(np.exp(t) * np.array(thoughts), axis=1)[np.arange(30), labels]
            return 10.0 * (t - np.log(PRIOR)) ** 2 - weight @ sure

        slow = minimize_scalar(loss, bounds=np.log([0.1, 5.0]), method="bounded")
        assert heat.value() == pytest.approx(np.exp(slow.x), rel=1e-3)


@settings(max_examples=60, deadline=None)
@given(PAIRS, LABELS)
def test_probabilities_sum_to_one_exactly_where_a_label_can_be_reached(pairs, labels):
    graph = Graph.from_edges(pairs, names=range(10))
    learner = told(graph, labels)
    reached = np.isin(graph.components, graph.components[list(labels)]) if labels else np.zeros(10)
    chances = learner.predict_proba(np.arange(10))
    alone = set(labels.values()) == {0}  # another class may exist, and has no column yet
    total = (len(labels) + 1) / (len(labels) + 2) if alone else 1.0
    np.testing.assert_allclose(chances.sum(axis=1), total * reached, atol=1e-9)
    assert ((learner.predict(np.arange(10)) == -1) == ~reached.astype(bool)).all()


@pytest.mark.parametrize("n_classes", [None, 3])
def test_one_class_alone_is_not_certain(n_classes):
    learner = make(
        "near-far", Graph.from_edges([(i, i + 1) for i in range(9)]), n_classes=n_classes
    )
    for count in range(1, 5):
        learner.learn(count, 0)
        sure = learner.predict_proba(np.arange(10))
        np.testing.assert_allclose(sure[:, 0], (count + 1) / (count + 2))
        assert (learner.predict(np.arange(10)) == 0).all()
    learner.learn(9, 1)
    np.testing.assert_allclose(learner.predict_proba(np.arange(10)).sum(axis=1), 1.0)


@settings(max_examples=30, deadline=None)
@given(PAIRS, st.permutations(range(10)), st.lists(st.integers(0, 2), min_size=6, max_size=6))
def test_a_label_taken_back_is_as_if_never_told(pairs, order, classes):
    graph = Graph.from_edges(pairs, names=range(10))
    labels = dict(zip(order[:6], classes, strict=True))
    *kept, last = labels
    learner = told(graph, labels)
    learner.withdraw(last)
    plain = told(graph, {node: labels[node] for node in kept})
    known = max(labels[node] for node in kept) + 1
    assume(learner.n_classes == known)
    everyone = np.arange(10)
    np.testing.assert_allclose(
        learner.predict_proba(everyone), plain.predict_proba(everyone), atol=1e-7
    )


def test_a_changed_mind_among_many_labels_is_followed_at_once():
    digits = data.load("digits")
    nodes = list(range(0, 1600, 10))
    labels = {n: int(digits.labels[n]) for n in nodes}
    learner = told(digits.graph, labels)
    learner.withdraw(nodes[3])
    learner.learn(nodes[5], (labels[nodes[5]] + 1) % 10)
    plain = Far(learner.far.domain)
    plain.fit(learner.labels)
    assert learner.labels[nodes[5]] != labels[nodes[5]]
    assert nodes[3] not in learner.labels
    everyone = np.arange(1797)
    assert (learner.far.chances(everyone, 10) == plain.chances(everyone, 10)).all()


def test_the_same_labels_give_the_same_bits():
    digits = data.load("digits")
    labels = {int(n): int(digits.labels[n]) for n in range(0, 1700, 40)}
    one, other = (told(digits.graph, labels).predict_proba(np.arange(1797)) for _ in range(2))
    assert (one == other).all()


def test_few_labels_are_used_well_and_what_is_said_of_them_is_true():
    digits = data.load("digits")
    rng = np.random.default_rng(3)
    nodes = rng.permutation(1797)[:60]
    learner = told(digits.graph, {int(n): int(digits.labels[n]) for n in nodes})
    rest = np.setdiff1d(np.arange(1797), nodes)
    chances, truth = learner.predict_proba(rest), np.asarray(digits.labels)[rest]
    plain = make("auto", digits.graph)
    for node in nodes:
        plain.learn(int(node), int(digits.labels[node]))
    right = (chances.argmax(axis=1) == truth).mean()
    assert right > (plain.predict(rest) == truth).mean()
    assert right > 0.9
    assert calibration_error(chances, truth) < 0.12


def test_without_rows_it_goes_by_what_is_near():
    found = data.load("karate")
    learner = make("near-far", found.graph, rank=0)
    learner.learn(0, 0)
    learner.learn(33, 1)
    near = slow_near(found.graph, {0: 0, 33: 1}, 2)
    np.testing.assert_allclose(
        learner.predict_proba(np.arange(34)).argmax(axis=1), near.argmax(axis=1)
    )
    assert not learner.far.sees


def test_a_new_class_and_a_named_one_without_labels_are_no_trouble():
    found = data.load("karate")
    learner = make("near-far", found.graph)
    learner.make_room(5)
    learner.learn(0, 0)
    learner.learn(33, 3)
    chances = learner.predict_proba(np.arange(34))
    assert chances.shape == (34, 4)
    assert set(chances.argmax(axis=1)) == {0, 3}
    assert chances[:, 1:3].max() < 0.1


def test_temperature_follows_the_answers_and_forgets_those_taken_back():
    heat = Temperature()
    for node in range(60):
        heat.note(node, np.array([2.0, 0.0]), 0)
    assert heat.value() > 1.4 * PRIOR
    for node in range(60):
        heat.forget(node)
    assert heat.value() == PRIOR


@pytest.mark.parametrize("rank", [1, -3])
def test_a_rank_of_one_or_less_is_refused(rank):
    with pytest.raises(InputError, match="rank must be 0 or at least 2"):
        make("near-far", data.load("karate").graph, rank=rank)


def test_eigenvalues_wait_until_a_second_class_is_known(monkeypatch):
    made = []
    real = spectral_rows.learning_rows

    def counted(*given, **settings):
        made.append(given)
        return real(*given, **settings)

    monkeypatch.setattr(spectral_rows, "learning_rows", counted)
    learner = NearFar(data.karate().graph)
    learner.predict_proba(np.arange(34))
    learner.learn(0, 0)
    learner.predict_proba(np.arange(34))
    assert made == []
    learner.learn(33, 1)
    assert made == []
    learner.predict_proba(np.arange(34))
    assert len(made) == 1


def test_a_spectrum_that_fails_leaves_the_neighbours_and_says_so(monkeypatch):
    def failing(*_, **__):
        raise ConvergenceError("no eigenpairs")

    monkeypatch.setattr(spectral_rows, "learning_rows", failing)
    learner = NearFar(data.karate().graph)
    learner.learn(0, 0)
    learner.learn(33, 1)
    with pytest.warns(RuntimeWarning, match="neighbours only: no eigenpairs"):
        learner.predict(0)
    assert learner.predict(np.array([1, 32])).tolist() == [0, 1]


def test_stray_pieces_do_not_drown_the_place_in_the_largest_component():
    """A node's place in its component is half of its row, whatever the rows of other nodes."""
    found = data.planted_partition(n=1_000, mean_degree=5, seed=3).largest_component()
    n = found.graph.n_nodes
    sources, targets, _ = found.graph.edges()
    pairs = np.arange(n, n + 120)
    strays = np.append(sources, pairs[::2]), np.append(targets, pairs[1::2])
    rows = spectral_rows.SpectralRows(Graph.from_edges(strays, names=range(n + 120)), None).rows
    place = rows[:n, : -spectral_rows.MOST_COMPONENTS]
    assert np.square(place).sum(axis=1) == pytest.approx(np.full(n, 0.5))
    assert np.square(rows[n : n + 40]).sum(axis=1) == pytest.approx(np.ones(40))


def test_rows_of_large_graphs_hold_their_eigenvectors_once(monkeypatch):
    """They are kept as unit rows and lengths; a component of few nodes has no column."""
    found = data.planted_partition(n=1_200, mean_degree=8, seed=3).largest_component()
    n = found.graph.n_nodes
    sources, targets, _ = found.graph.edges()
    longer = np.append(sources, [n]), np.append(targets, [n + 1])
    graph = Graph.from_edges(longer, names=range(n + 2))
    monkeypatch.setattr(spectral_rows, "EXACT_ROWS", 1_000)
    monkeypatch.setattr(spectral_rows, "LEAST_SHARE", 0.01)
    rows = spectral_rows.SpectralRows(graph, None)
    wanted = spectral_rows._computed(graph, rows._count)
    assert rows.rows.dtype == np.float32
    assert rows.rows.shape[1] == rows._count + 1
    assert rows._vectors is None
    np.testing.assert_allclose(rows._known(), wanted, atol=1e-5 * np.abs(wanted).max())
    grown = rows.grown(graph.with_edges([(0, n)]))
    np.testing.assert_allclose(grown._vectors[5:n], wanted[5:n], rtol=0.5, atol=0.05)


def test_many_classes_in_few_labels_are_no_cause_for_a_warning():
    learner = NearFar(data.planted_partition(n=300, mean_degree=6).graph, 20)
    for node in range(24):
        learner.learn(node, node % 20)
    assert learner.far_chances(np.arange(5)).shape == (5, 20)
