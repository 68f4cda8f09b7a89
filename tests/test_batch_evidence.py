"""The default of `classify` trusts each kind of evidence as far as the labels support it."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lapwing import Graph, classify, data, make
from lapwing.batch.diffusion.poisson import Poisson
from lapwing.batch.evidence import experts
from lapwing.batch.evidence.best_evidence import BestEvidence
from lapwing.batch.evidence.experts import EvidenceExperts
from lapwing.batch.evidence.holdout import held_out
from lapwing.batch.evidence.opinions import (
    around_opinion,
    flow_opinion,
    neighbour_rows,
    rows_opinion,
)
from lapwing.batch.evidence.softmax_regression import class_chances, softmax_fits
from lapwing.batch.known_labels import known_labels
from lapwing.graph import NodeTable
from lapwing.metrics import calibration_error


def random_graph(chance, seed):
    """Edges drawn with a chance for each pair of nodes."""
    rng = np.random.default_rng(seed)
    tails, heads = np.nonzero(np.triu(rng.random(chance.shape) < chance, 1))
    return Graph.from_edges((tails, heads), names=range(len(chance)))


def by_class(chances_of_edges, sizes, seed):
    labels = np.repeat(np.arange(len(sizes)), sizes)
    return random_graph(np.asarray(chances_of_edges)[labels[:, None], labels], seed), labels


@pytest.fixture(scope="module")
def social():
    return by_class([[0.2, 0.02], [0.02, 0.2]], [40, 30], seed=1)


@pytest.fixture(scope="module")
def shops():
    """Accounts and the shops they pay."""
    return by_class([[0.002, 0.06], [0.06, 0.002]], [150, 100], seed=2)


def at_random(seed):
    """Labels that have nothing to do with the graph; 65% are of one class."""
    graph, labels = by_class(np.full((3, 3), 0.03), [195, 60, 45], seed=seed)
    return graph, np.random.default_rng(seed + 1).permutation(labels)


@pytest.fixture(scope="module")
def unrelated():
    return at_random(3)


def draws(labels, count, seeds):
    for seed in seeds:
        known = np.random.default_rng(seed).permutation(len(labels))[:count]
        yield known, np.setdiff1d(np.arange(len(labels)), known)


def accuracy(name, graph, labels, count, seeds=range(8), **given):
    right = []
    for known, hidden in draws(labels, count, seeds):
        model = make(name, graph, n_classes=int(labels.max()) + 1, **given)
        right.append(np.mean(model.fit(known, labels[known]).predict(hidden) == labels[hidden]))
    return float(np.mean(right))


@pytest.mark.parametrize("count", [15, 30])
def test_labels_at_random_are_answered_nearly_as_by_the_largest_class(count):
    """Over three graphs and 16 draws: one in ten has labels that seem to follow the graph."""
    lost, trusting = [], []
    for seed in (3, 13, 23):
        graph, labels = at_random(seed)
        largest = np.mean([
            np.mean(np.bincount(labels[known]).argmax() == labels[hidden])
            for known, hidden in draws(labels, count, range(16))
        ])  # fmt: skip
        lost.append(largest - accuracy("best-evidence", graph, labels, count, range(16)))
        trusting.append(largest - accuracy("poisson", graph, labels, count, range(4)))
    assert np.mean(lost) < 0.035
    assert np.mean(trusting) > 0.1


def test_neighbours_that_differ_are_learned_from(shops):
    graph, labels = shops
    assert accuracy("poisson", graph, labels, 25) < 0.5
    assert accuracy("best-evidence", graph, labels, 25) > 0.9


def test_few_labels_fall_back_to_neighbours(social):
    graph, labels = social
    ours = accuracy("best-evidence", graph, labels, 6)
    assert ours > accuracy("poisson", graph, labels, 6) - 0.02
    two = BestEvidence(graph).fit([0, 69], [0, 1])
    assert two.chosen == "neighbours are alike"
    assert np.mean(two.predict(np.arange(70)) == labels) > 0.9


def test_few_labels_do_not_make_neighbours_alike_where_there_are_no_communities(
    social, monkeypatch
):
    """Over eight graphs: of labels at random, and of small shops."""
    graphs = [at_random(10 * seed + 5) for seed in range(4)]
    graphs += [by_class([[0.002, 0.08], [0.08, 0.002]], [120, 60], seed=s) for s in range(4)]
    weights = [EvidenceExperts(graph, ()).priors[0].weight for graph, _ in graphs]
    assert np.mean(weights) < 1.5
    ours = [accuracy("best-evidence", *each, 8, range(12)) for each in graphs]
    assert EvidenceExperts(social[0], ()).priors[0].weight == 4.0
    monkeypatch.setattr(experts, "neighbour_prior", lambda *_: 1.0)
    trusting = [accuracy("best-evidence", *each, 8, range(12)) for each in graphs]
    assert np.mean(ours) > np.mean(trusting) + 0.005


def test_a_caution_where_the_largest_class_is_as_good(unrelated, social):
    graph, labels = unrelated
    known = np.random.default_rng(0).permutation(len(labels))[:60]
    with pytest.warns(RuntimeWarning, match="do not support better predictions than the largest"):
        classify(graph, {int(node): int(labels[node]) for node in known})
    graph, labels = social
    known = np.random.default_rng(0).permutation(len(labels))[:25]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        classify(graph, {int(node): int(labels[node]) for node in known})
    assert BestEvidence(graph).fit(known, labels[known]).caution == ""


def test_probabilities_from_few_labels_are_modest(social, shops, unrelated):
    for (graph, labels), count in ((social, 12), (shops, 20), (unrelated, 20)):
        sure, right, errors = [], [], []
        for known, hidden in draws(labels, count, range(8)):
            model = BestEvidence(graph, n_classes=int(labels.max()) + 1).fit(known, labels[known])
            found = model.predict_proba(hidden)
            sure.append(found.max(axis=1).mean())
            right.append(np.mean(found.argmax(axis=1) == labels[hidden]))
            errors.append(calibration_error(found, labels[hidden]))
        assert np.mean(sure) < np.mean(right) + 0.1, "not much surer than right"
        assert np.mean(errors) < 0.2


def test_one_line_says_which_evidence_counted_and_how_much(shops, social):
    graph, labels = shops
    model = BestEvidence(graph).fit(np.arange(0, 250, 10), labels[::10])
    assert model.chosen == "structure"
    assert model.why.startswith("evidence by its weight: ")
    assert "\n" not in model.why
    assert sum(model.parts.values()) == pytest.approx(1.0)
    assert list(model.parts.values()) == sorted(model.parts.values(), reverse=True)
    assert model.parts["neighbours"] < 0.05
    graph, labels = social
    friends = BestEvidence(graph).fit(np.arange(0, 70, 5), labels[::5])
    assert friends.parts["neighbours"] + friends.parts["position in the graph"] > 0.8


class TestAttributes:
    def table(self, labels, noise, seed=0):
        rng = np.random.default_rng(seed)
        rows = np.eye(int(labels.max()) + 1)[labels] + noise * rng.normal(
            size=(len(labels), int(labels.max()) + 1)
        )
        return NodeTable({"x": rows.tolist()}, len(labels))

    def test_they_are_used_where_the_graph_says_nothing(self, unrelated):
        graph, labels = unrelated
        told = graph.with_node_table(self.table(labels, 0.3))
        assert accuracy("best-evidence", told, labels, 30) > 0.9
        model = BestEvidence(told).fit(np.arange(0, 300, 10), labels[::10])
        assert model.chosen == "attributes"
        assert "attributes" in model.why

    def test_noise_costs_at_most_half_a_point(self):
        found = data.planted_partition(n=500, communities=(100, 150), mixing=0.2, seed=3)
        labels = np.asarray(found.labels)
        noisy = found.graph.with_node_table(self.table(np.zeros_like(labels), 1.0))
        constant = found.graph.with_node_table(NodeTable({"c": ["one"] * 500}, 500))
        without = accuracy("best-evidence", found.graph, labels, 40)
        for graph in (noisy, constant):
            assert accuracy("best-evidence", graph, labels, 40) > without - 0.005

    def test_neighbours_are_trusted_by_the_likeness_of_their_attributes(self, social, shops):
        weights = []
        for graph, labels in (social, shops):
            told = graph.with_node_table(self.table(labels, 0.3))
            alike = [p for p in EvidenceExperts(told).priors if "neighbours" in p.exponents]
            weights.append(sum(prior.weight for prior in alike))
        assert weights == pytest.approx([5.0, 0.5])


@pytest.fixture(scope="module")
def problem():
    found = data.planted_partition(n=300, communities=(60, 90), mixing=0.3, seed=5)
    labels = np.asarray(found.labels)
    known = np.random.default_rng(1).permutation(300)[:60]
    every = known_labels(found.graph, known, labels[known], None)
    return found.graph, every, held_out(every, found.graph.components, seed=0)


class TestOneSolve:
    """What all folds share is what each fit on its own gives."""

    def test_every_label_is_held_out_once_and_classes_are_spread(self, problem):
        _, known, held = problem
        assert held.n_folds == 10
        np.testing.assert_array_equal((held.weights[:-1] == 0).sum(axis=0), 1)
        for fold in range(10):
            counts = known.indicator[held.fold == fold].sum(axis=0)
            assert np.ptp(counts * 10 - known.indicator.sum(axis=0)) <= 20

    def test_the_flow_without_a_fold_is_poisson_learning_on_the_rest(self, problem):
        graph, known, held = problem
        found = flow_opinion(graph, held)
        for fold in range(3):
            rest = known.taken(np.flatnonzero(held.fold != fold))
            alone = Poisson(graph).fit_known(rest)
            here = np.flatnonzero(held.judged_in == fold)
            nodes = held.nodes[held.judged[here]]
            np.testing.assert_array_equal(found.before[here].argmax(axis=1), alone.predict(nodes))

    @pytest.mark.parametrize("kind", ["rows", "around"])
    def test_regressions_without_a_fold_are_those_on_the_rest(self, problem, kind):
        graph, known, held = problem
        rows = neighbour_rows(graph, held, seed=0)

        def opinion(of):
            if kind == "rows":
                return rows_opinion("r", rows, of, ridge=1.0)
            return around_opinion(graph, of)

        found = opinion(held)
        rest = known.taken(np.flatnonzero(held.fold != 4))
        alone = opinion(held_out(rest, graph.components, seed=0))
        here = np.flatnonzero(held.judged_in == 4)
        nodes = held.nodes[held.judged[here]]
        np.testing.assert_allclose(found.before[here], alone.after[nodes], atol=0.02)

    def test_softmax_regression_reaches_its_optimum(self, problem):
        _, _, held = problem
        rows = np.random.default_rng(0).normal(size=(60, 4))
        fits = softmax_fits(rows, held.targets, held.weights, held.seen, ridge=0.5)
        wide = np.hstack([rows, np.ones((60, 1))])
        for weights, fit in zip(held.weights, fits, strict=True):
            slope = wide.T @ (weights[:, None] * (class_chances(wide @ fit) - held.targets))
            penalty = np.array([0.5] * 4 + [0.005])
            np.testing.assert_allclose(slope + penalty[:, None] * fit, 0.0, atol=0.05)


def test_a_label_without_company_does_not_judge_neighbours():
    edges = [(i, j) for i in range(6) for j in range(i)]
    graph = Graph.from_edges([*edges, *[(i + 6, j + 6) for i, j in edges]], names=range(13))
    known = known_labels(graph, [0, 1, 12, 6], [0, 0, 1, 1], None)
    held = held_out(known, graph.components, seed=0)
    assert held.judged.tolist() == [0, 1]
    lonely = known_labels(graph, [0, 6], [0, 1], None)
    assert held_out(lonely, graph.components, seed=0).judged.tolist() == []


@given(seed=st.integers(0, 50))
@settings(max_examples=5, deadline=None)
def test_renaming_nodes_permutes_the_answers(seed):
    found = data.planted_partition(n=120, communities=(30, 50), mixing=0.2, seed=seed)
    order = np.random.default_rng(seed).permutation(120)
    edges = found.graph.adjacency.tocoo()
    renamed = Graph.from_edges((order[edges.row], order[edges.col]), names=range(120))
    labels = np.asarray(found.labels)
    known = np.arange(0, 120, 5)
    ours = BestEvidence(found.graph).fit(known, labels[known]).predict(np.arange(120))
    theirs = BestEvidence(renamed).fit(order[known], labels[known]).predict(order)
    assert np.mean(ours == theirs) > 0.97
