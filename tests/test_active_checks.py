"""What strategies are given is checked; wrong values are lapwing's own errors."""

import numpy as np
import pytest

from lapwing import active, data, make
from lapwing.errors import InputError

CLUB = data.karate()
WRONG = [-1, 34, 10**9, 1.5, "a", None, float("nan")]
PAPERS = ("act-st", "act-mu")


def learner_for(name):
    learner = make("1-proj" if name in PAPERS else "auto", CLUB.graph)
    for node in (0, 33):
        learner.learn(node, int(CLUB.labels[node]))
    return learner


@pytest.mark.parametrize("name", active.NAMES)
@pytest.mark.parametrize("bad", WRONG)
def test_candidates_must_be_nodes(name, bad):
    choose = active.strategy(name, CLUB.graph, {0: 0, 33: 1})
    with pytest.raises(InputError, match="a node must be"):
        choose(learner_for(name), [1, bad])
    with pytest.raises(InputError, match="at least one candidate"):
        choose(learner_for(name), [])
    with pytest.raises(InputError, match="a candidate must be given once, got 2 twice"):
        choose(learner_for(name), [2, 1, 2])


ON_GRAPH = (
    "representative", "uncertain-reach", "vopt", "sigma-opt", "error-bound", "model-change",
    "expected-error",
)  # fmt: skip


@pytest.mark.parametrize("name", ON_GRAPH)
@pytest.mark.parametrize("bad", WRONG)
def test_strategies_that_know_the_graph_refuse_nodes_and_labels_outside_it(name, bad):
    learner = learner_for(name)
    with pytest.raises(InputError, match="a node must be"):
        active.strategy(name, CLUB.graph, {0: 0, 33: 1})(learner, [1, bad])
    with pytest.raises(InputError, match="a node must be"):
        active.strategy(name, CLUB.graph, {bad: 0, 1: 1})(learner, [2, 3])
    if bad in (34, 10**9):
        return
    with pytest.raises(InputError, match="a label must be"):
        active.strategy(name, CLUB.graph, {0: bad, 1: 1})(learner, [2, 3])


@pytest.mark.parametrize("bad", [bad for bad in WRONG if bad not in (34, 10**9)])
def test_counts_must_be_whole_numbers(bad):
    learner = learner_for("uncertain-reach")
    with pytest.raises(InputError, match="count must be"):
        active.batch("vopt", CLUB.graph, {}, learner, np.arange(34), bad)
    with pytest.raises(InputError, match="count must be"):
        active.UncertainReach(CLUB.graph, {}).several(np.arange(34), bad)
    with pytest.raises(InputError, match="count must be"):
        list(active.chosen(learner, active.margin, np.arange(34), bad))


@pytest.mark.parametrize("bad", [*WRONG, [1.0], ["a"] * 34, [float("nan")] * 34, [-1.0] * 34])
def test_costs_must_be_one_positive_number_per_node(bad):
    if bad is None:
        return
    with pytest.raises(InputError, match="one positive number per node"):
        active.strategy("uncertain-reach", CLUB.graph, {}, cost=bad)


@pytest.mark.parametrize("bad", [-1, 10**9, 1.5, "a", None, float("nan")])
def test_names_must_be_names(bad):
    with pytest.raises(InputError, match="strategy must be one of"):
        active.strategy(bad, CLUB.graph, {})
