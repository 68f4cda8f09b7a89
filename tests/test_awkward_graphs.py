"""Graphs on which a learner must not answer with the opposite, nor where nothing is known."""

import warnings

import numpy as np
import pytest
from awkward_graphs import CASES, JOINED, path_edges, path_of_extremes

from lapwing import Graph, make
from lapwing.bounds.promise import promise
from lapwing.catalog import ENTRIES
from lapwing.types import UNKNOWN

LEARNERS = [name for name, entry in ENTRIES.items() if entry.kind in ("online", "selective")]
BANDITS = [name for name, entry in ENTRIES.items() if entry.kind == "bandit"]
FEATHER = Graph.from_edges([(u, v, 1e-9 if (u, v) == (5, 6) else 1e9) for u, v in JOINED])
"""Two cliques joined by an edge that 64-bit floats cannot see beside the others."""


def built(name, graph, **parameters):
    """The algorithm; a spectrum that fails is another test's matter."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return make(name, graph, n_classes=2, **parameters)


@pytest.mark.parametrize("title", CASES)
@pytest.mark.parametrize("name", LEARNERS)
def test_a_learner_is_right_or_says_nothing(name, title):
    case = CASES[title]
    learner = built(name, case.graph)
    for node, label in case.labels.items():
        learner.learn(node, label)
    assert case.wrong(learner.predict(np.arange(case.graph.n_nodes))) == {}


@pytest.mark.parametrize("title", CASES)
@pytest.mark.parametrize("name", LEARNERS)
def test_a_recorded_stream_ends_in_the_same_answers(name, title):
    case = CASES[title]
    everywhere = np.arange(case.graph.n_nodes)
    told, streamed = built(name, case.graph), built(name, case.graph)
    for node, label in case.labels.items():
        told.learn(node, label)
    streamed.stream(np.array([*case.labels]), np.array([*case.labels.values()]), always=True)
    assert streamed.predict(everywhere).tolist() == told.predict(everywhere).tolist()


def answered(name, case, *, rounds, tries, seed):
    """A bandit that has played the labelled nodes of a case."""
    learner = built(name, case.graph, **({} if name == "push-bandit" else {"seed": seed}))
    nodes, labels = np.array([*case.labels] * rounds), np.array([*case.labels.values()] * rounds)
    learner.stream(nodes, labels, tries=tries)
    return learner


@pytest.mark.parametrize("title", CASES)
@pytest.mark.parametrize("name", BANDITS)
def test_a_bandit_predicts_what_is_right_or_nothing(name, title):
    """Every labelled node has said yes three times: then a bandit is held to what a learner is."""
    case = CASES[title]
    for seed in range(3):
        learner = answered(name, case, rounds=3, tries=2, seed=seed)
        guesses = learner.predict(np.arange(case.graph.n_nodes))
        assert case.wrong(guesses) == {}
        assert guesses[[*case.labels]].tolist() == [*case.labels.values()]


@pytest.mark.parametrize("title", CASES)
@pytest.mark.parametrize("name", BANDITS)
def test_a_bandit_is_never_wrong_after_one_bit_per_node(name, title):
    """A "no" may be all that a node has said: a bandit may know nothing, and says so.

    Of a class that was rejected on the other side of an edge, that edge's end is not decided yet.
    """
    case = CASES[title]
    border = {5, 6} if title == "isolated nodes" else set()
    for seed in range(3):
        for tries in (1, 2):
            learner = answered(name, case, rounds=1, tries=tries, seed=seed)
            wrong = case.wrong(learner.predict(np.arange(case.graph.n_nodes)))
            assert {n: k for n, k in wrong.items() if k != UNKNOWN and n not in border} == {}


@pytest.mark.parametrize("name", BANDITS)
def test_a_bandit_predicts_no_class_that_no_node_confirmed(name):
    learner = make(name, Graph.from_edges(path_edges(30)), n_classes=3)
    for node in (4, 5, 20):
        learner.learn(node, 0, False)
        assert learner.predict(np.arange(30)).tolist() == [UNKNOWN] * 30
        assert learner.guess(node) in (1, 2)
    learner.learn(4, 1, False)
    assert learner.predict(4) == 2  # the only class it has not rejected
    assert set(learner.predict(np.arange(30)).tolist()) <= {2, UNKNOWN}


@pytest.mark.parametrize("name", BANDITS)
def test_a_bandit_believes_nothing_of_a_component_without_answers(name):
    learner = built(name, CASES["two cliques, one labelled"].graph)
    learner.stream(np.zeros(3, dtype=np.intp), np.zeros(3, dtype=np.intp), tries=2)
    assert not learner.scores(np.arange(6, 12)).any()


@pytest.mark.parametrize("name", ["auto", "push-ridge", "push-lgc", "near-far"])
@pytest.mark.parametrize("how", ["random", "in turn"])
@pytest.mark.filterwarnings("ignore:near-far learns from neighbours only")
def test_no_edge_is_too_light_beside_heavy_ones(name, how):
    graph, labels, known = path_of_extremes(how)
    told, streamed = make(name, graph, n_classes=2), make(name, graph, n_classes=2)
    for node in known.tolist():
        told.learn(node, int(labels[node]))
    streamed.stream(known, labels[known], always=True)
    guesses = told.predict(np.arange(2000))
    assert (guesses == labels).mean() > 0.95
    assert streamed.predict(np.arange(2000)).tolist() == guesses.tolist()
    assert guesses[::100].tolist() == [told.predict(node) for node in range(0, 2000, 100)]


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("unit", [1e-9, 1e9])
def test_the_unit_of_the_weights_does_not_matter(name, unit):
    answers = []
    for weight in (1.0, unit):
        learner = built(name, Graph.from_edges([(u, v, weight) for u, v in path_edges(12)]))
        learner.learn(1, 0)
        learner.learn(10, 1)
        answers.append(learner.predict(np.arange(12)).tolist())
    assert answers[0] == answers[1]
    assert [answers[1][node] for node in (0, 1, 10, 11)] == [0, 0, 1, 1]


def test_a_proven_bound_speaks_of_the_kernel_that_is_played():
    path = path_edges(12)
    labels = np.repeat([0, 1], 6)
    heavy = Graph.from_edges([(u, v, 1e9) for u, v in path])
    for name in ("perceptron", "1-proj"):
        bound = promise(name, Graph.from_edges(path), labels)
        assert promise(name, heavy, labels).value == pytest.approx(bound.value)


@pytest.mark.parametrize(
    ("name", "other"), [("ollgc", "auto"), ("mni-ag", "auto"), ("linucb", "push-bandit")]
)
def test_a_spectrum_that_fails_is_replaced_with_a_warning(name, other):
    with pytest.warns(RuntimeWarning, match=f"{name} is replaced by {other}: "):
        learner = make(name, FEATHER, n_classes=2)
    assert type(learner) is type(make(other, FEATHER, n_classes=2))
    told = (1, True) if other == "push-bandit" else (1,)
    learner.learn(11, *told)
    assert learner.predict(11) == 1


@pytest.mark.parametrize("name", ["perceptron", "1-proj"])
def test_a_large_kernel_that_cannot_be_solved_is_replaced_before_the_first_label(name):
    steps = np.column_stack([np.arange(4099), np.arange(1, 4100)])
    weights = 10.0 ** np.random.default_rng(0).uniform(-9, 9, 4099)
    with pytest.warns(RuntimeWarning, match=f"{name} is replaced by auto: "):
        learner = make(name, Graph.from_edges(steps, weights=weights), n_classes=2)
    learner.learn(10, 0)
    learner.learn(4000, 1)
    assert learner.predict(np.array([10, 4000])).tolist() == [0, 1]


def test_near_far_goes_without_rows_where_the_spectrum_fails():
    learner = make("near-far", FEATHER)
    learner.stream(np.array([0, 11]), np.array([0, 1]))
    with pytest.warns(RuntimeWarning, match="near-far learns from neighbours only"):
        guesses = learner.predict(np.arange(12))
    assert guesses.tolist() == [0] * 6 + [1] * 6
