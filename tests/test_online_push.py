"""Diffusion by residual push: the invariant, the bound, and what a user may do in between."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from lapwing import Graph, make
from lapwing.batch import LGC
from lapwing.data import planted_partition
from lapwing.errors import InputError, ReadError
from lapwing.learner import Learner
from lapwing.linalg.push import diffusions
from lapwing.online.push import Auto, PushLGC, PushRidge
from lapwing.types import UNKNOWN

EDGES = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)]
TRIANGLES = Graph.from_edges(EDGES)
N = 9


@st.composite
def graphs(draw, n=N):
    pairs = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda p: p[0] < p[1])
    edges = draw(st.lists(pairs, min_size=1, max_size=20, unique=True))
    weights = draw(st.lists(st.floats(0.1, 5.0), min_size=len(edges), max_size=len(edges)))
    return Graph.from_edges(edges, weights=weights, names=range(n))


nodes = st.integers(0, N - 1)
changes = st.lists(
    st.one_of(
        st.tuples(st.just("learn"), nodes, st.integers(0, 3)),
        st.tuples(st.just("also"), nodes, st.integers(0, 3)),
        st.tuples(st.just("withdraw"), nodes),
        st.tuples(st.just("add_edge"), nodes, nodes, st.floats(0.1, 3.0)),
        st.tuples(st.just("remove_edge"), nodes, st.integers(0, 100)),
    ),
    max_size=30,
)


def apply(learner, steps):
    for verb, *what in steps:
        if verb == "add_edge" and what[0] == what[1]:
            continue
        if verb == "remove_edge":
            u, rows = what[0], learner.state.rows
            around = rows.neighbors[rows.start[u] : rows.stop[u]]
            if not len(around):
                continue
            what = [u, int(around[what[1] % len(around)])]
        getattr(learner, verb)(*what)


def exact(learner, member):
    """The system written down from the labels and the current edges, solved directly."""
    state = learner.state
    adjacency = state.rows.matrix()
    degrees = np.asarray(adjacency.sum(axis=1)).ravel()
    diagonal = np.where(np.diff(adjacency.indptr) > 0, degrees, 1.0)
    alpha, ridge = state.members[:2, member]
    targets = state.targets[:, : learner.n_classes]
    told = np.where(targets.any(axis=1), ridge * learner.asking.label_weight, 0.0)
    right = told[:, None] * targets if ridge else np.sqrt(diagonal)[:, None] * targets
    matrix = sparse.diags_array(diagonal + told) - alpha * adjacency
    return matrix.tocsc(), right


@pytest.mark.parametrize("kind", [PushLGC, PushRidge, Auto])
@settings(max_examples=60)
@given(graph=graphs(), steps=changes, eps=st.sampled_from([1e-1, 1e-3, 1e-6]))
def test_the_invariant_and_the_bound_hold_after_anything(kind, graph, steps, eps):
    learner = kind(graph, eps=eps)
    apply(learner, steps)
    if not learner.n_classes:
        return
    for m in range(len(learner.members)):
        matrix, right = exact(learner, m)
        found = learner.state.of(np.arange(N), m)
        first = m * learner.state.room
        left = learner.state.residual[:, first : first + learner.n_classes]
        np.testing.assert_allclose(matrix @ found + left, right, atol=1e-10)
        assert (np.abs(left) <= eps * learner.state.diagonal[:, None] * (1 + 1e-9)).all()
        truth = np.linalg.solve(matrix.toarray(), right)
        assert np.abs(found - truth).max() <= learner.state.bound(m) + 1e-12


@settings(max_examples=40)
@given(graph=graphs(), steps=changes)
def test_scores_of_push_lgc_solve_zhous_equation(graph, steps):
    learner = PushLGC(graph, alpha=0.8)
    apply(learner, steps)
    adjacency = learner.state.rows.matrix().toarray()
    root = np.sqrt(adjacency.sum(axis=1))
    scale = np.divide(1.0, root, out=np.zeros(N), where=root > 0)
    spread = scale[:, None] * adjacency * scale
    told = learner.state.targets[:, : learner.n_classes]
    truth = np.linalg.solve(np.eye(N) - 0.8 * spread, told)
    scores = learner.scores(np.arange(N))
    np.testing.assert_allclose(scores, truth, atol=1e-7)


@settings(max_examples=30)
@given(graph=graphs(), labels=st.lists(st.integers(0, 2), min_size=2, max_size=6))
def test_push_ridge_is_kernel_ridge_regression(graph, labels):
    learner = PushRidge(graph, label_weight=3.0)
    for node, label in enumerate(labels):
        learner.learn(node, label)
    matrix, _ = exact(PushRidge(graph), 0)
    kernel = np.linalg.inv(matrix.toarray())
    at, weight = np.arange(len(labels)), 3.0 * learner.asking.label_weight
    noisy = kernel[np.ix_(at, at)] + np.eye(len(at)) / weight
    truth = kernel[:, at] @ np.linalg.solve(noisy, np.eye(learner.n_classes)[labels])
    np.testing.assert_allclose(learner.scores(np.arange(N)), truth, atol=1e-7)
    variance = kernel - kernel[:, at] @ np.linalg.solve(noisy, kernel[at])
    for node in range(N):
        assert learner.variance(node) == pytest.approx(variance[node, node], abs=1e-7)
        assert learner.variance(node, labelled=False) == pytest.approx(kernel[node, node], abs=1e-7)


@settings(max_examples=30)
@given(graph=graphs(), labels=st.lists(st.integers(0, 2), min_size=1, max_size=6))
def test_fit_equals_the_batch_method(graph, labels):
    told = np.arange(len(labels)), np.array(labels)
    learner = PushLGC(graph).fit(np.array([7, 8]), np.array([1, 2])).fit(*told)
    batch = LGC(graph, learner.n_classes, tol=1e-12).fit(*told)
    every = np.arange(N)
    # where all labels of a component agree, the batch room answers with that class alone
    classes = {c: {labels[j] for j in told[0] if graph.components[j] == c} for c in range(N)}
    several = np.array([len(classes[c]) > 1 for c in graph.components])
    np.testing.assert_array_equal(learner.predict(every)[~several], batch.predict(every)[~several])
    ours, theirs = learner.scores(every)[several], batch.scores(every)[several]
    np.testing.assert_allclose(ours, theirs, atol=1e-6)
    online = PushLGC(graph, learner.n_classes)
    for node, label in enumerate(labels):
        online.learn(node, label)
    np.testing.assert_allclose(learner.scores(every), online.scores(every), atol=1e-6)


def test_fit_in_two_threads_is_the_same(monkeypatch):
    monkeypatch.setattr(diffusions, "PARALLEL_ABOVE", 0)
    rng = np.random.default_rng(0)
    edges = rng.integers(0, 500, size=(1500, 2))
    graph = Graph.from_edges(edges[edges[:, 0] != edges[:, 1]], names=range(500))
    told, labels = rng.permutation(500)[:60], rng.integers(0, 8, 60)
    every, eps = np.arange(500), 1e-6
    for kind in (PushLGC, PushRidge, Auto):
        learner = kind(graph, eps=eps).fit(told, labels)
        assert not learner.state.waiting.any()
        one_by_one = kind(graph, 8, eps=eps)
        one_by_one.stream(told, labels, always=True)
        for m, member in enumerate(learner.members):
            apart = learner.state.of(every, m) - one_by_one.state.of(every, m)
            assert np.abs(apart).max() <= 2 * eps / (1 - member.alpha)
        learner.learn(int(told[0]), 3)
        assert learner.state.bound(0) <= eps / (1 - learner.members[0].alpha)


@pytest.mark.parametrize("kind", [PushLGC, PushRidge, Auto])
def test_a_saved_learner_goes_on_bit_for_bit(kind, tmp_path):
    rng = np.random.default_rng(1)
    edges = rng.integers(0, 300, size=(900, 2))
    graph = Graph.from_edges(edges[edges[:, 0] != edges[:, 1]], names=range(300))
    labels, order = rng.integers(0, 3, 300), rng.permutation(300)
    options = {"budget": 40} | ({"rank": 10} if kind is Auto else {})
    learner = kind(graph, **options)
    learner.stream(order[:150], labels[order[:150]])
    learner.add_edge(3, 250, 2.0)
    learner.withdraw(int(order[0]))
    learner.save(tmp_path / "state.npz")
    other = kind(graph, **options).load(tmp_path / "state.npz")
    for one in (learner, other):
        one.remove_edge(3, 250)
    rest = order[150:], labels[order[150:]]
    first, second = learner.stream(*rest), other.stream(*rest)
    np.testing.assert_array_equal(first.guesses, second.guesses)
    np.testing.assert_array_equal(first.queried, second.queried)
    assert learner.state.solution.tobytes() == other.state.solution.tobytes()
    assert learner.state.residual.tobytes() == other.state.residual.tobytes()
    assert learner.predict_proba(order).tobytes() == other.predict_proba(order).tobytes()
    np.testing.assert_array_equal(first.queried.sum() + 150, 150 + second.queried.sum())


def test_a_state_is_only_loaded_where_it_belongs(tmp_path):
    PushRidge(TRIANGLES).save(tmp_path / "ridge.npz")
    with pytest.raises(InputError, match="must be a PushLGC, got a PushRidge"):
        PushLGC(TRIANGLES).load(tmp_path / "ridge.npz")
    with pytest.raises(InputError, match="same alpha, label_weight and eps"):
        PushRidge(TRIANGLES, alpha=0.5).load(tmp_path / "ridge.npz")
    with pytest.raises(InputError, match="the graph that it was saved with"):
        PushRidge(Graph.from_edges([(0, 1)])).load(tmp_path / "ridge.npz")
    (tmp_path / "no.npz").write_text("nonsense")
    with pytest.raises(ReadError, match="must be a saved push learner"):
        PushRidge(TRIANGLES).load(tmp_path / "no.npz")
    np.savez(tmp_path / "other.npz", a=np.zeros(2))
    with pytest.raises(ReadError, match="lapwing push 3"):
        PushRidge(TRIANGLES).load(tmp_path / "other.npz")


@pytest.mark.parametrize("kind", [PushLGC, PushRidge, Auto])
def test_a_correction_leaves_no_trace_of_the_slip(kind):
    learner, clean = kind(TRIANGLES, 2), kind(TRIANGLES, 2)
    learner.learn(0, 1)
    learner.learn(0, 0)
    clean.learn(0, 0)
    clean.learn(0, 0)
    np.testing.assert_allclose(learner.scores(np.arange(6)), clean.scores(np.arange(6)), atol=1e-7)
    learner.withdraw(0)
    assert learner.predict(np.arange(6)).tolist() == [UNKNOWN] * 6


@pytest.mark.parametrize("kind", [PushLGC, PushRidge])
def test_several_classes_a_node_are_independent_problems(kind):
    many, alone = kind(TRIANGLES, 2), kind(TRIANGLES, 2)
    many.learn(0, 0)
    many.also(0, 1)
    many.learn(5, 1)
    alone.learn(0, 1)
    alone.learn(5, 1)
    every = np.arange(6)
    np.testing.assert_allclose(many.scores(every)[:, 1], alone.scores(every)[:, 1], atol=1e-7)
    many.withdraw(0, 1)
    single = kind(TRIANGLES, 2)
    single.learn(0, 0)
    single.learn(5, 1)
    np.testing.assert_allclose(many.scores(every), single.scores(every), atol=1e-7)
    matrix = sparse.csr_array(np.array([[1, 1], [0, 1]]))
    fitted = kind(TRIANGLES).fit([0, 5], matrix)
    many.also(0, 1)
    np.testing.assert_allclose(many.scores(every), fitted.scores(every), atol=1e-7)


def test_components_without_labels_are_unknown_until_an_edge_joins_them():
    pairs = Graph.from_edges([(0, 1), (2, 3)], names=range(5))
    learner = PushRidge(pairs)
    learner.learn(0, 0)
    assert learner.predict(np.arange(5)).tolist() == [0, 0, UNKNOWN, UNKNOWN, UNKNOWN]
    assert learner.predict_proba(2).tolist() == [0.0]
    learner.add_edge(1, 2)
    learner.add_edge(3, 4, 0.5)
    assert learner.predict(np.arange(5)).tolist() == [0] * 5
    learner.remove_edge(1, 2)
    assert learner.predict(np.arange(5)).tolist() == [0, 0, UNKNOWN, UNKNOWN, UNKNOWN]
    learner.learn(4, 2)
    assert learner.predict(np.arange(5)).tolist() == [0, 0, 2, 2, 2]


def test_a_far_node_gets_the_labels_of_its_component():
    path = Graph.from_edges([(i, i + 1) for i in range(400)])
    learner = PushRidge(path, eps=1e-2)
    learner.learn(0, 1)
    assert learner.state.solution[400].max() == 0.0
    assert learner.predict(400) == 1
    assert learner.predict_proba(400).tolist() == [0.0, 1.0]


def test_class_prior_undoes_lopsided_labelling():
    star = Graph.from_edges([(0, i) for i in range(1, 8)])
    told = [(1, 0), (2, 0), (3, 0), (4, 1), (5, 1)]
    plain, fair = PushLGC(star), PushLGC(star, class_prior=[0.2, 0.8])
    for node, label in told:
        plain.learn(node, label)
        fair.learn(node, label)
    assert plain.predict(7) == 0
    assert fair.predict(7) == 1
    np.testing.assert_allclose(fair.scores(7) / plain.scores(7), [0.2 * 5 / 3, 0.8 * 5 / 2])
    rounds = fair.stream(np.array([6, 7]), np.array([1, 1]))
    assert rounds.guesses.tolist() == [1, 1]


def test_wrong_settings_are_said_so():
    with pytest.raises(InputError, match="alpha must lie between 0 and 1, got 1"):
        PushLGC(TRIANGLES, alpha=1.0)
    with pytest.raises(InputError, match="eps must be positive, got 0"):
        PushRidge(TRIANGLES, eps=0.0)
    with pytest.raises(InputError, match="label_weight must be positive"):
        PushRidge(TRIANGLES, label_weight=0.0)
    with pytest.raises(InputError, match="at most one of budget, target_error, kappa"):
        PushRidge(TRIANGLES, budget=3, kappa=0.1)
    with pytest.raises(InputError, match="rank must be at least 0"):
        Auto(TRIANGLES, rank=-1)
    with pytest.raises(InputError, match="class_prior must hold"):
        PushLGC(TRIANGLES, class_prior=[-1.0, 2.0])
    learner = PushRidge(TRIANGLES, 2)
    with pytest.raises(InputError, match="a label must be an integer from 0 to 1, got 2"):
        learner.learn(0, 2)
    with pytest.raises(InputError, match="a label must be an integer from 0 to 1, got -3"):
        learner.learn(0, -3)
    with pytest.raises(InputError, match="there is no edge between 0 and 5"):
        learner.remove_edge(0, 5)
    with pytest.raises(InputError, match="an edge joins two nodes, got 1 twice"):
        learner.add_edge(1, 1)
    with pytest.raises(InputError, match="edge weights must be positive"):
        learner.add_edge(0, 5, -1.0)


@pytest.mark.parametrize("name", ["push-lgc", "push-ridge", "auto"])
@pytest.mark.parametrize("knob", [{"budget": 25}, {"target_error": 0.2}, {"kappa": 0.3}])
def test_asking_by_verbs_is_asking_in_the_stream(name, knob):
    rng = np.random.default_rng(4)
    edges = rng.integers(0, 50, size=(400, 2)) + 50 * rng.integers(0, 3, size=(400, 1))
    edges = np.concatenate([edges[edges[:, 0] != edges[:, 1]], [[49, 50], [99, 100]]])
    graph = Graph.from_edges(edges, names=range(150))
    labels, order = (np.arange(150) // 50), rng.permutation(150)
    slow, fast = make(name, graph, **knob), make(name, graph, **knob)
    by_verbs = Learner.stream(slow, order, labels[order])
    by_stream = fast.stream(order, labels[order])
    np.testing.assert_array_equal(by_verbs.queried, by_stream.queried)
    np.testing.assert_array_equal(by_verbs.guesses, by_stream.guesses)
    assert 0 < by_stream.queried.sum() < 150
    if "budget" in knob:
        assert by_stream.queried.sum() <= 25


def test_large_graphs_are_kept_in_single_precision_until_more_is_asked_for(monkeypatch):
    data = planted_partition(n=300, communities=(60, 60), mean_degree=8, seed=0)
    learners = []
    for limit in (10**6, 0):
        monkeypatch.setattr("lapwing.online.push.push_learner.MANY", limit)
        learner = PushRidge(data.graph)
        for node in range(0, 300, 10):
            learner.learn(node, int(data.labels[node]))
        learner.withdraw(20)
        learners.append(learner)
    double, single = (learner.state for learner in learners)
    assert (double.solution.dtype, single.solution.dtype) == (np.float64, np.float32)
    assert np.abs(double.solution - single.solution).max() < 1e-5
    for learner in learners:
        learner.set_eps(1e-9)
    assert single.solution.dtype == np.float64
    assert np.abs(double.solution - single.solution).max() < 1e-7
    assert learners[1].residual_bound() < 1e-6
