"""Active choice: the karate club's first eight, and the protocol."""

import numpy as np
import pytest

from lapwing import Graph, data
from lapwing.active import Uniform, act_mu, act_st, chosen
from lapwing.embed import laplacian
from lapwing.errors import InputError
from lapwing.online import KNN, OLLGC, OneVsRest, Projections
from lapwing.online.kernel.columns import DenseColumns

CLUB = data.karate()
SIGNS = np.where(CLUB.labels == 0, 1, -1)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("dense", [False, True])
def test_act_st_asks_the_club_in_the_known_order(sign, dense):
    rows = laplacian(CLUB.graph, rank=None)
    learner = Projections(DenseColumns(rows @ rows.T) if dense else rows)
    asked = []
    for node in chosen(learner, act_st, np.arange(34), 8):
        assert learner.aggressive
        asked.append(node)
        learner.learn(node, int(sign * SIGNS[node]))
    assert asked == [33, 2, 8, 32, 19, 30, 28, 9]
    assert not learner.aggressive


def test_act_st_maximises_the_least_progress():
    """The criterion is the progress of a projection, the smaller of both labels'."""
    rows = laplacian(CLUB.graph, rank=None)
    learner = Projections(rows, aggressive=True, cyclic=True)
    learner.learn(0, 1)
    progress = []
    for node in range(1, 34):
        both = []
        for label in (-1, 1):
            twin = Projections(rows, aggressive=True, cyclic=True, start=learner.span.w)
            twin.learn(node, label)
            both.append(twin.progress)
        progress.append(min(both))
    assert act_st(learner, np.arange(1, 34)) == 1 + int(np.argmax(progress))


@pytest.mark.parametrize("strategy", [act_st, act_mu, Uniform(seed=3)])
def test_no_node_is_asked_twice_and_the_pool_may_end(strategy):
    learner = Projections(laplacian(CLUB.graph, rank=None))
    asked = []
    for node in chosen(learner, strategy, np.arange(5, 15), 100):
        asked.append(node)
        learner.learn(node, int(SIGNS[node]))
    assert sorted(asked) == list(range(5, 15))


def test_several_classes_are_chosen_for_too():
    rows = laplacian(CLUB.graph, rank=None, bias=0.1)
    for strategy in (act_st, act_mu):
        learner = OneVsRest(lambda: Projections(rows))
        asked = []
        for node in chosen(learner, strategy, np.arange(34), 6):
            asked.append(node)
            learner.learn(node, int(CLUB.labels[node]))
        assert len(set(asked)) == 6
        assert not any(part.aggressive for part in learner.learners)
        assert (learner.predict(np.arange(34)) == CLUB.labels).mean() > 0.7


def test_an_interrupted_choice_leaves_the_learner_as_it_was():
    learner = Projections(laplacian(CLUB.graph, rank=None))
    order = chosen(learner, act_st, np.arange(34), 8)
    next(order)
    assert learner.aggressive
    order.close()
    assert not learner.aggressive


def test_what_cannot_choose_says_so():
    rows = laplacian(CLUB.graph, rank=None)
    with pytest.raises(InputError, match="OLLGC has none"):
        act_st(OLLGC(rows), np.arange(3))
    with pytest.raises(InputError, match="made of binary learners, got KNN"):
        act_st(KNN(Graph.from_edges([(0, 1)])), np.arange(2))
    with pytest.raises(InputError, match="count must be at least 0"):
        list(chosen(Projections(rows), act_st, np.arange(3), -1))


def test_active_choice_makes_fewer_later_mistakes_on_the_club():
    rows = laplacian(CLUB.graph, rank=None)
    later = {}
    for name, strategy in (("act-st", act_st), ("random", Uniform(seed=0))):
        counts = []
        for seed in range(20):
            learner = Projections(rows)
            asked = []
            for node in chosen(learner, strategy, np.arange(34), 4):
                asked.append(node)
                learner.learn(node, int(SIGNS[node]))
            rest = np.random.default_rng(seed).permutation(np.setdiff1d(np.arange(34), asked))
            margins = learner.stream(rest, SIGNS[rest]).margins
            counts.append(int((SIGNS[rest] * margins <= 0).sum()))
        later[name] = np.mean(counts)
    assert later["act-st"] < later["random"]
