"""Push learners at work: errors on published graphs, regret, mistakes, one bit, calibration."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lapwing import Graph, make, play
from lapwing.bounds.theorems import push as certificates
from lapwing.linalg.push.diffusions import Diffusions
from lapwing.online.push import Auto, PushPerceptron, PushRidge

N = 9
LABELS = st.lists(st.integers(0, 2), min_size=N, max_size=N)


@st.composite
def graphs(draw):
    pairs = st.tuples(st.integers(0, N - 1), st.integers(0, N - 1)).filter(lambda p: p[0] < p[1])
    edges = draw(st.lists(pairs, min_size=1, max_size=20, unique=True))
    weights = draw(st.lists(st.floats(0.1, 5.0), min_size=len(edges), max_size=len(edges)))
    return Graph.from_edges(edges, weights=weights, names=range(N))


def errors(name, data, shuffles, **parameters):
    found = []
    for seed in range(shuffles):
        order = np.random.default_rng(seed).permutation(data.graph.n_nodes)
        run = play(make(name, data.graph, **parameters), order, data.labels).summary()
        found.append((run.error, run.distinct_queries))
    return np.mean(found, axis=0)


def test_cora_with_every_label(dataset):
    cora = dataset("cora").largest_component()
    assert errors("auto", cora, 6)[0] <= 0.163
    assert errors("push-ridge", cora, 6)[0] <= 0.163
    assert errors("push-lgc", cora, 6)[0] <= 0.168


def test_cora_with_few_labels(dataset):
    cora = dataset("cora").largest_component()
    for name in ("auto", "push-ridge"):
        error, queries = errors(name, cora, 6, budget=260)
        assert queries <= 260
        assert error <= 0.203


def test_pubmed_with_all_and_with_few_labels(dataset):
    pubmed = dataset("pubmed")
    assert errors("auto", pubmed, 1)[0] <= 0.179
    assert errors("push-ridge", pubmed, 1)[0] <= 0.179
    for budget, worst in ((750, 0.217), (1330, 0.20)):
        error, queries = errors("auto", pubmed, 1, budget=budget)
        assert queries <= budget
        assert error <= worst


def test_one_bit_on_cora_and_pubmed(dataset):
    cora, pubmed = dataset("cora").largest_component(), dataset("pubmed")
    for data, shuffles, worst in ((cora, 5, 0.205), (pubmed, 1, 0.20)):
        found = []
        for seed in range(shuffles):
            order = np.random.default_rng(seed).permutation(data.graph.n_nodes)
            bandit = make("push-bandit", data.graph, n_classes=data.n_classes)
            found.append(
                np.mean(bandit.stream(order, data.labels[order]).guesses != data.labels[order])
            )
        assert np.mean(found) <= worst


def test_edges_added_while_streaming_are_the_whole_graph(dataset):
    pubmed = dataset("pubmed")
    sources, targets, weights = pubmed.graph.edges()
    rng = np.random.default_rng(0)
    late = rng.permutation(len(sources))[: len(sources) // 2]
    early = np.setdiff1d(np.arange(len(sources)), late)
    half = Graph.from_edges(
        np.stack([sources[early], targets[early]], axis=1),
        weights=weights[early],
        names=range(pubmed.graph.n_nodes),
    )
    order = rng.permutation(pubmed.graph.n_nodes)[:3000]
    grown, whole = PushRidge(half, 3), PushRidge(pubmed.graph, 3)
    told = np.array_split(order, 20)
    for nodes, edges in zip(told, np.array_split(late, 20), strict=True):
        grown.stream(nodes, pubmed.labels[nodes], always=True)
        for e in edges:
            grown.add_edge(int(sources[e]), int(targets[e]), float(weights[e]))
    whole.stream(order, pubmed.labels[order], always=True)
    every = np.arange(pubmed.graph.n_nodes)
    apart = np.abs(grown.state.of(every, 0) - whole.state.of(every, 0)).max()
    assert apart <= grown.residual_bound() + whole.residual_bound()
    answers = grown.predict(every), whole.predict(every)
    assert np.mean(answers[0] == answers[1]) > 0.98
    assert (abs(grown.state.rows.matrix() - pubmed.graph.adjacency)).max() == 0.0


def test_probabilities_are_calibrated_online(dataset):
    """Bins of what was predicted against what came, over one stream from zero labels."""
    cora = dataset("cora").largest_component()
    order = np.random.default_rng(3).permutation(cora.graph.n_nodes)
    for kind in (PushRidge, Auto):
        learner = kind(cora.graph, cora.n_classes)
        sure, right = [], []
        for node in order.tolist():
            chance = learner.predict_proba(node)
            if chance.any():
                assert chance.sum() == pytest.approx(1.0)
                sure.append(chance.max())
                right.append(chance.argmax() == cora.labels[node])
            learner.learn(node, int(cora.labels[node]))
        bins = np.digitize(sure, np.linspace(0, 1, 11)[1:-1])
        gaps = [
            np.sum(bins == b)
            * abs(np.mean(np.array(sure)[bins == b]) - np.mean(np.array(right)[bins == b]))
            for b in np.unique(bins)
        ]
        assert sum(gaps) / len(sure) < 0.05


def test_a_target_error_is_kept(dataset):
    cora = dataset("cora").largest_component()
    order = np.random.default_rng(5).permutation(cora.graph.n_nodes)
    for target in (0.1, 0.2):
        learner = make("auto", cora.graph, target_error=target)
        trace = learner.stream(order, cora.labels[order])
        unasked = ~trace.queried
        assert np.mean(trace.guesses[unasked] != cora.labels[order][unasked]) <= target + 0.03
        assert unasked.sum() > 1000


@settings(max_examples=60)
@given(
    graph=graphs(), labels=LABELS, order=st.lists(st.integers(0, N - 1), min_size=1, max_size=40)
)
def test_the_mixture_never_regrets_more_than_it_says(graph, labels, order):
    learner = Auto(graph)
    for node in order:
        learner.learn(node, labels[node])
    assert learner.regret <= learner.regret_bound + 1e-9
    assert certificates.mixture_regret(learner).holds
    assert learner.trust.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(3))
def test_where_neighbours_tell_nothing_the_class_shares_answer(seed):
    rng = np.random.default_rng(seed)
    n = 800
    ring = np.stack([np.arange(n), np.roll(np.arange(n), 1)], axis=1)
    graph = Graph.from_edges(np.concatenate([ring, rng.integers(n, size=(n, 2))]).tolist())
    labels = rng.choice(3, n, p=[0.6, 0.25, 0.15])
    learner = Auto(graph, 3)
    learner.stream(np.arange(80), labels[:80])
    rest = np.arange(80, n)
    largest = (labels[rest] == 0).mean()
    assert (learner.predict(rest) == labels[rest]).mean() > largest - 0.02
    assert learner.trust[3:].sum() > 0.5  # experts that have the class shares
    assert learner.regret <= learner.regret_bound


def test_first_weights_are_what_the_bound_says():
    learner = Auto(Graph.from_edges([(0, 1), (1, 2), (2, 3)]), 2)
    assert learner.trust.tolist() == [0.125, 0.125, 0.125, 0.25, 0.25, 0.125]
    for node, label in [(0, 0), (3, 1), (1, 0), (2, 1)]:
        learner.learn(node, label)
    best = int(np.argmin(learner.blend.losses[:-2]))
    assert learner.regret_bound == pytest.approx(np.log(4.0 if best in (3, 4) else 8.0))


def test_diffusions_begin_with_less_where_the_graph_has_no_communities():
    rng = np.random.default_rng(0)  # every account pays two of five shops
    edges = [(i, int(s)) for i in range(5, 305) for s in rng.choice(5, 2, replace=False)]
    learner = Auto(Graph.from_edges(edges, names=range(305)), 2)
    assert learner.trust.tolist() == pytest.approx(np.array([1, 1, 1, 8, 8, 4]) / 23)
    for node in range(40):
        learner.learn(node, int(node < 5))
    assert learner.regret <= learner.regret_bound


@settings(max_examples=100)
@given(
    graph=graphs(),
    signs=st.lists(st.sampled_from([-1, 1]), min_size=N, max_size=N),
    order=st.lists(st.integers(0, N - 1), min_size=1, max_size=40),
    alpha=st.floats(0.1, 0.97),
    eps=st.sampled_from([1e-10, 1e-2]),
)
def test_the_perceptron_errs_no_more_than_theorem_2_1_allows(graph, signs, order, alpha, eps):
    learner = PushPerceptron(graph, alpha=alpha, eps=eps)
    erred = []
    for node in order:
        if signs[node] * learner.margin(node) <= 0:
            erred.append(node)
        learner.learn(node, signs[node])
    found = certificates.push_perceptron_mistakes(
        graph, np.array(signs), np.array(erred), alpha=alpha, eps=eps
    )
    assert found.holds


@settings(max_examples=30)
@given(graph=graphs(), alpha=st.floats(0.1, 0.97))
def test_the_certificates_ingredients_are_the_kernels(graph, alpha):
    signs = np.array([1, -1, 1, 1, -1, -1, 1, -1, 1])
    found = certificates.push_perceptron_mistakes(graph, signs, alpha=alpha, eps=1e-12)
    state = Diffusions(graph.adjacency, alpha=[alpha], ridge=[0.0], tolerance=[1e-3])
    matrix = np.diag(state.diagonal) - alpha * graph.adjacency.toarray()
    kernel = np.linalg.inv(matrix)
    assert found.ingredients["|u|^2"] == pytest.approx(signs @ matrix @ signs)
    assert found.ingredients["X^2"] == pytest.approx(kernel.diagonal().max(), rel=1e-6)


def test_the_residual_certificate_speaks():
    graph = Graph.from_edges([(0, 1), (1, 2)])
    learner = PushRidge(graph, eps=1e-2)
    learner.learn(0, 0)
    found = certificates.score_error(learner)
    assert found.applies
    assert found.value <= 1e-2 / (1 - 0.95)
    assert "No score differs by more than" in found.says
