"""Strategies by name, and the one that looks an answer ahead."""

import numpy as np
import pytest

from lapwing import Graph, active, data, make
from lapwing.active import ExpectedErrorReduction, Uniform, VarianceMinimisation
from lapwing.embed import laplacian
from lapwing.errors import InputError

CLUB = data.karate()


@pytest.mark.parametrize("name", [n for n in active.NAMES if n not in ("act-st", "act-mu")])
def test_every_name_asks_different_nodes_from_zero_labels_on(name):
    known, learner = {}, make("auto", CLUB.graph)
    strategy = active.strategy(name, CLUB.graph, known, seed=3)
    allowed = np.arange(2, 30)
    for _ in range(8):
        free = np.setdiff1d(allowed, list(known))
        node = strategy(learner, free)
        assert node in free
        known[node] = int(CLUB.labels[node])
        learner.learn(node, known[node])
    assert len(known) == 8


@pytest.mark.parametrize("name", ["act-st", "act-mu"])
def test_papers_choices_work_by_name_with_the_papers_learner(name):
    learner = make("1-proj", CLUB.graph)
    strategy = active.strategy(name, CLUB.graph, {})
    assert strategy(learner, np.arange(34)) in range(34)


def test_an_unknown_name_is_refused():
    with pytest.raises(InputError, match="strategy must be one of uncertain-reach, representative"):
        active.strategy("best", CLUB.graph, {})


def test_a_random_choice_depends_on_what_is_known_not_on_earlier_draws():
    labels = {}
    first = [Uniform(seed=5, labels=labels)(None, np.arange(50)) for _ in range(3)]
    assert len(set(first)) == 1
    draws = set()
    for node in range(20):
        draws.add(Uniform(seed=5, labels=labels)(None, np.arange(50)))
        labels[node] = 0
    assert len(draws) > 10


WEIGHING = (
    "representative", "uncertain-reach", "vopt", "sigma-opt", "error-bound", "model-change",
    "expected-error",
)  # fmt: skip


@pytest.mark.parametrize("name", WEIGHING)
def test_a_dear_node_is_asked_only_if_it_is_worth_it(name):
    learner, known = make("auto", CLUB.graph), {0: 0, 33: 1}
    for node, label in known.items():
        learner.learn(node, label)
    free = np.setdiff1d(np.arange(34), list(known))
    first = active.strategy(name, CLUB.graph, known)(learner, free)
    cost = np.ones(34)
    assert active.strategy(name, CLUB.graph, known, cost=cost)(learner, free) == first
    cost[first] = 1e4
    assert active.strategy(name, CLUB.graph, known, cost=cost)(learner, free) != first
    with pytest.raises(InputError, match="cost must be one positive number per node"):
        active.strategy(name, CLUB.graph, known, cost=-cost)


def test_a_strategy_that_cannot_weigh_costs_says_so():
    with pytest.raises(InputError, match="margin does not support costs"):
        active.strategy("margin", CLUB.graph, {}, cost=np.ones(34))


@pytest.mark.parametrize("name", [n for n in active.NAMES if not n.startswith("act-")])
def test_a_batch_is_of_different_nodes_and_changes_nothing(name):
    learner, known = make("auto", CLUB.graph), {0: 0, 33: 1}
    for node, label in known.items():
        learner.learn(node, label)
    before = learner.scores(np.arange(34))
    nodes = active.batch(name, CLUB.graph, known, learner, np.arange(1, 33), 6)
    assert len(set(nodes.tolist())) == 6
    assert len(known) == 2
    np.testing.assert_array_equal(learner.scores(np.arange(34)), before)
    first = active.strategy(name, CLUB.graph, known)(learner, np.arange(1, 33))
    assert nodes[0] == first


@pytest.mark.parametrize("name", ["uncertain-reach", "vopt", "sigma-opt", "margin"])
def test_a_batch_is_spread_over_the_graph(name):
    blocks = [(i, j) for c in range(0, 40, 10) for i in range(c, c + 10) for j in range(c, i)]
    graph = Graph.from_edges([*blocks, (9, 10), (19, 20), (29, 30)])
    learner = make("auto", graph)
    learner.learn(0, 0)
    learner.learn(39, 1)
    nodes = active.batch(name, graph, {0: 0, 39: 1}, learner, np.arange(1, 39), 4)
    assert len({node // 10 for node in nodes.tolist()}) >= 2


def slow_risk(rows, labels, candidate, noise):
    """Refit by ridge regression from scratch with each label the candidate may have."""

    def shares(known):
        nodes, classes = list(known), list(known.values())
        gram = np.eye(rows.shape[1]) + rows[nodes].T @ rows[nodes] / noise
        scores = rows @ np.linalg.solve(gram, rows[nodes].T @ np.eye(3)[classes]) / noise
        positive = np.maximum(scores, 0.0) + 1e-3
        return positive / positive.sum(axis=1, keepdims=True)

    chances = shares(labels)[candidate]
    risks = [(1 - shares({**labels, candidate: k}).max(axis=1)).mean() for k in range(3)]
    return chances @ risks


def test_expected_error_is_that_of_refitting_from_scratch():
    rows = laplacian(CLUB.graph, rank=None, bias=1.0)
    labels = {0: 0, 33: 1, 5: 2}
    candidates = np.setdiff1d(np.arange(34), list(labels))
    ask = ExpectedErrorReduction(rows, labels, noise=0.1)
    slow = [slow_risk(rows, labels, c, 0.1) for c in candidates]
    fast = ask.risks(candidates, np.random.default_rng(0))
    np.testing.assert_allclose(fast, slow, rtol=1e-8)
    assert ask(None, candidates) == candidates[np.argmin(slow)]
    labels[8] = 1
    again = ask.risks(np.array([10, 20]), np.random.default_rng(0))
    np.testing.assert_allclose(again, [slow_risk(rows, labels, c, 0.1) for c in (10, 20)])


def test_expected_error_is_affordable_by_draws_and_starts_cold():
    graph = Graph.from_edges([(i, i + 1) for i in range(999)])
    rows = laplacian(graph, rank=10, bias=1.0)
    labels = {}
    ask = ExpectedErrorReduction(rows, labels, n_candidates=20, n_nodes=50, seed=1)
    everyone = np.arange(1000)
    assert ask(None, everyone) == VarianceMinimisation(rows, labels, noise=0.1)(None, everyone)
    labels |= {100: 0, 900: 1}
    assert ask(None, everyone) == ask(None, everyone)
    with pytest.raises(InputError, match="must be at least 1, got 0"):
        ExpectedErrorReduction(rows, labels, n_candidates=0)


def test_recorded_sessions_may_still_say_auto():
    former = active.strategy("auto", CLUB.graph, {})
    assert isinstance(former, active.UncertainReach)
    assert "auto" not in active.NAMES
