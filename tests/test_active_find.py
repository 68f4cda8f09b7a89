"""Finding the nodes of a class: likeliest first, looking ahead once hits become rare."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, logit

from lapwing import Graph, data
from lapwing.active import ActiveSearch, UncertainReach, hits_to_come
from lapwing.active.find.attribute_odds import AttributeOdds
from lapwing.active.find.guesses import NotedGuesses
from lapwing.active.find.position_odds import PositionOdds
from lapwing.errors import InputError
from tests.test_active_reach import LABELS, PAIRS, slow_masses

TRIANGLES = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])


def slow_odds(graph, labels, positive):
    _, mass = slow_masses(graph, labels)
    found = mass[:, sorted(positive)].sum(axis=1)
    return logit((found + 0.05 * 0.01) / (mass.sum(axis=1) + 0.01))


def exact(graph, labels, **chosen):
    found = ActiveSearch(graph, labels, usual=UncertainReach(graph, labels, eps=1e-13), **chosen)
    found.refresh()
    return found


@settings(max_examples=50, deadline=None)
@given(PAIRS, LABELS, LABELS, st.sets(st.integers(0, 3), min_size=1, max_size=2))
def test_odds_are_those_of_the_labels_near_after_any_change(pairs, first, then, positive):
    graph, labels = Graph.from_edges(pairs, names=range(10)), dict(first)
    ask = exact(graph, labels, positive=sorted(positive))
    labels.clear()
    labels.update(then)
    ask.refresh()
    np.testing.assert_allclose(
        ask._log_odds(np.arange(10))[:, 0], slow_odds(graph, then, positive), atol=1e-6
    )
    assert ask.knows_positive == any(label in positive for label in then.values())


def slow_outlook(graph, labels, node, left, horizon):
    """The node's probability, and the largest sum of others expected after its answer."""
    own = expit(slow_odds(graph, labels, {1}))[node]
    others = [n for n in left if n != node]
    value = own
    for weight, label in ((own, 1), (1 - own, 0)):
        after = expit(slow_odds(graph, labels | {node: label}, {1}))[others]
        value += weight * np.sort(after)[-horizon:].sum()
    return value


@settings(max_examples=50, deadline=None)
@given(PAIRS, st.dictionaries(st.integers(0, 8), st.integers(0, 1), max_size=5), st.integers(1, 12))
def test_looking_ahead_counts_what_can_be_found_after_each_answer(pairs, labels, horizon):
    graph, labels = Graph.from_edges(pairs, names=range(10)), labels | {0: 1}
    ask = exact(graph, labels, positive=[1], horizon=horizon)
    ask.noted = NotedGuesses((1.0, 0.0))  # as if nothing had been guessed, positions left out
    left = np.array([n for n in range(10) if n not in labels])
    gains = ask._gains(left, left)
    chances = np.sort(expit(slow_odds(graph, labels, {1}))[left])
    wanted = [
        slow_outlook(graph, labels, node, left, horizon) - chances[-horizon:].sum()
        for node in left.tolist()
    ]
    np.testing.assert_allclose(gains, np.maximum(wanted, 0.0), atol=1e-7)


def test_the_usual_strategy_chooses_until_a_positive_node_is_known():
    labels = {}
    ask = ActiveSearch(TRIANGLES, labels, positive=[1], usual=lambda _, given: int(given[-1]))
    assert ask(None, np.arange(6)) == 5
    assert ask.several(np.arange(6), 2).tolist() == [0, 1]
    labels[5] = 0
    assert ask(None, np.arange(5)) == 4
    labels[4] = 1
    assert ask(None, np.arange(4)) == 3
    del labels[4]
    assert ask(None, np.arange(4)) == 3
    assert ActiveSearch(TRIANGLES, {}, positive=[1]).several(np.arange(6), 2).tolist() == [2, 3]


def test_several_classes_can_be_positive():
    ask = ActiveSearch(TRIANGLES, {0: 3, 5: 1}, positive=[3, 1, 3])
    assert ask.chances(1) > 0.5 < ActiveSearch(TRIANGLES, {0: 3, 5: 1}, positive=[3]).chances(1)
    assert ask(None, np.array([1, 3, 4])) in (1, 4)
    assert set(ask.several(np.array([1, 2, 3, 4]), 2).tolist()) <= {1, 3, 4}


def test_a_likely_node_that_costs_too_much_waits():
    cost = np.ones(6)
    labels = {5: 1, 0: 0}
    assert ActiveSearch(TRIANGLES, labels, positive=[1])(None, np.array([1, 3, 4])) == 4
    cost[[3, 4]] = 50.0
    assert ActiveSearch(TRIANGLES, labels, positive=[1], cost=cost)(None, np.arange(1, 5)) in (1, 2)


def searched(graph, truth, start, count, **chosen):
    labels = {start: 1}
    ask = ActiveSearch(graph, labels, positive=[1], **chosen)
    left = np.delete(np.arange(graph.n_nodes), start)
    for _ in range(count):
        node = ask(None, left)
        left = left[left != node]
        labels[node] = int(truth[node])
    return sum(labels.values()) - 1, ask


@pytest.fixture(scope="module")
def rare():
    found = data.load("digits").largest_component()
    return found, np.asarray(found.labels) == 1


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_looking_ahead_finds_at_most_three_fewer_than_greed(rare, seed):
    found, truth = rare
    start = int(np.random.default_rng(seed).choice(np.flatnonzero(truth)))
    greedy, _ = searched(found.graph, truth, start, 60, ahead=0)
    ahead, _ = searched(found.graph, truth, start, 60)
    assert greedy > 40
    assert ahead >= greedy - 3


def test_attributes_find_what_edges_cannot():
    rng = np.random.default_rng(0)
    truth = np.arange(300) < 30
    pairs = rng.integers(0, 300, (900, 2))
    rows = rng.normal(size=(300, 8)) + 2.0 * np.outer(truth, np.ones(8))
    graph = Graph.from_edges(pairs, names=range(300)).with_node_table({"x": rows.tolist()})
    by_edges, _ = searched(graph, truth, 0, 40)
    by_both, ask = searched(graph, truth, 0, 40, columns={})
    assert by_both > 22 > by_edges
    sure = ask.chances(np.arange(300))
    assert np.mean(sure[30:]) < 0.2


def test_attributes_are_fitted_after_every_fifth_change():
    graph = TRIANGLES.with_node_table({"x": [[1.0], [1.0], [1.0], [-1.0], [-1.0], [-1.0]]})
    odds, labels, fits = AttributeOdds(graph, {}), {}, []
    odds._fit = lambda known: fits.append(dict(known))
    for count, positive in enumerate([False, True, False, True, False, False, True, False]):
        labels[count] = positive
        odds.follow(labels)
        odds.at(0)
    assert [len(known) for known in fits] == [2, 7]


def test_without_attributes_there_are_no_odds():
    odds = AttributeOdds(TRIANGLES, {})
    odds.follow({0: True})
    assert odds.at(np.arange(6)).tolist() == [0.0] * 6
    everyone = AttributeOdds(Graph.from_edges([(0, 1)]).with_node_table({"x": [[1.0], [2.0]]}), {})
    everyone.follow({0: True, 1: True})
    assert everyone.at(1) == 0.0


@given(st.lists(st.tuples(st.floats(-4, 4), st.booleans()), max_size=30))
def test_calibration_keeps_the_order(pairs):
    noted = NotedGuesses()
    for node, (odds, positive) in enumerate(pairs):
        noted.note(node, np.array([odds]), positive)
    chances = noted.chances(np.linspace(-5, 5, 11)[:, None])
    assert (np.diff(chances) > 0).all()
    for node in range(len(pairs)):
        noted.forget(node)
    assert noted.chances(np.zeros((1, 1))).tolist() == [0.5]


def test_evidence_that_was_wrong_counts_less_than_evidence_that_was_right():
    noted = NotedGuesses((1.0, 1.0))
    assert noted.chances(np.array([[2.0, -2.0]])).tolist() == [0.5]
    for node in range(80):
        positive = node % 2 == 0
        noted.note(node, np.array([2.0, -2.0] if positive else [-2.0, 2.0]), positive)
    right, wrong = noted.chances(np.array([[2.0, -2.0], [-2.0, 2.0]]))
    assert right > 0.9 > 0.1 > wrong


def test_positions_find_more_on_a_dense_graph_with_hubs(monkeypatch):
    rng = np.random.default_rng(5)
    block, weight = np.repeat(np.arange(6), 100), rng.pareto(2.0, 600) + 0.3
    chance = np.where(block[:, None] == block, 0.12, 0.03) * np.outer(weight, weight)
    pairs = np.argwhere(np.triu(rng.random(chance.shape) < chance, 1))
    graph, truth = Graph.from_edges(pairs, names=range(600)), block == 0
    found = [searched(graph, truth, start, 60)[0] for start in range(4)]
    monkeypatch.setattr(PositionOdds, "has_rows", False)
    without = [searched(graph, truth, start, 60)[0] for start in range(4)]
    assert np.mean(found) > np.mean(without) + 3, (found, without)


def test_a_copy_goes_on_the_same_way(rare):
    found, truth = rare
    start = int(np.flatnonzero(truth)[0])
    _, ask = searched(found.graph, truth, start, 25, columns={})
    twin = pickle.loads(pickle.dumps(ask))
    left = np.setdiff1d(np.arange(found.graph.n_nodes), list(ask.labels))
    assert twin(None, left) == ask(None, left)


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"positive": []}, "positive must name at least one class"),
        ({"positive": 1}, "positive must be a list"),
        ({"positive": [-1]}, "a label must be an integer"),
        ({"positive": [1], "horizon": 0}, "horizon must be"),
        ({"positive": [1], "ahead": -1}, "ahead must be"),
        ({"positive": [1], "cost": [1.0]}, "cost must be one positive number per node"),
    ],
)
def test_what_makes_no_sense_is_refused(chosen, said):
    with pytest.raises(InputError, match=said):
        ActiveSearch(TRIANGLES, {}, **chosen)


def test_hits_that_fade_tell_how_many_are_to_come():
    """Hits at an exponentially falling rate: half of the estimates are too large."""
    rng = np.random.default_rng(3)
    estimates, truths = [], []
    for _ in range(200):
        hits = rng.random(600) < 0.9 * np.exp(-np.arange(600) / 100.0)
        estimates.append(hits_to_come(hits[:120].tolist(), 2000))
        truths.append(hits[120:].sum())
    assert np.median(estimates) == pytest.approx(np.median(truths), rel=0.25)


def test_hits_that_do_not_fade_go_on_to_the_last_node():
    assert hits_to_come([True, False] * 30, 100) == pytest.approx(50, abs=1)
    assert hits_to_come([False] * 30 + [True] * 30, 100) == pytest.approx(98, abs=3)
    assert hits_to_come([True] * 19, 100) is None
