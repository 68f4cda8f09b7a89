"""Nearest neighbours and halving: exact on the graphs the paper argues with."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_problems import CASES, play_worst, problems

from lapwing import Graph, data
from lapwing.bounds import Measures
from lapwing.embed import cut_size, laplacian
from lapwing.errors import InputError
from lapwing.online import KNN, Halving, Perceptron
from lapwing.online.halving.labelling_counts import EveryLabelling, ForestCounts
from lapwing.types import UNKNOWN


def octopus_stream(m: int, p: int):
    """The paper's sequence (c_i, +1), (tip of tentacle i, -1) on a balanced octopus."""
    head = m * p + 1
    graph = data.octopus(head, m, p).graph
    tips = np.flatnonzero(np.diff(graph.adjacency.indptr) == 1)
    assert len(tips) == m
    clique = np.flatnonzero(np.diff(graph.adjacency.indptr) >= head - 1)
    assert len(clique) == head
    nodes = np.stack([clique[:m], tips], axis=1).ravel()
    return graph, nodes, np.tile([1, -1], m)


@pytest.mark.parametrize(("m", "p"), [(10, 3), (40, 3), (10, 5)])
def test_an_octopus_fools_neighbours_once_a_tentacle_and_the_perceptron_twice(m, p):
    graph, nodes, labels = octopus_stream(m, p)
    classes = np.where(labels > 0, 1, 0)
    for distance in ("geodesic", "resistance"):
        for k in (1, 3, m):
            guesses = KNN(graph, 2, k=k, distance=distance).stream(nodes, classes).guesses
            assert ((guesses != classes) & (guesses != UNKNOWN)).sum() == m
            assert (guesses == UNKNOWN).sum() == 1
    perceptron = Perceptron(laplacian(graph, rank=None, bias=1.0))
    wrong = labels * perceptron.stream(nodes, labels).margins <= 0
    assert wrong.sum() == 2 <= 10 * p + 5
    assert Measures(graph).diameter == 2 * p


def test_neighbours_on_a_large_octopus_still_err_once_a_tentacle():
    graph, nodes, labels = octopus_stream(200, 3)
    classes = np.where(labels > 0, 1, 0)
    guesses = KNN(graph, 2).stream(nodes, classes).guesses
    assert ((guesses != classes) & (guesses != UNKNOWN)).sum() == 200


def test_everyone_as_near_as_the_kth_votes():
    star = Graph.from_edges([(0, i) for i in range(1, 6)])
    learner = KNN(star, k=1)
    for node, label in [(1, 0), (2, 1), (3, 1)]:
        learner.learn(node, label)
    np.testing.assert_allclose(learner.scores(0), [1 / 3, 2 / 3], rtol=1e-6)
    assert int(learner.predict(0)) == 1


def test_neighbours_do_not_see_across_components():
    graph = Graph.from_edges([(0, 1), (2, 3)])
    for distance in ("geodesic", "resistance"):
        learner = KNN(graph, distance=distance)
        learner.learn(0, 2)
        assert learner.n_classes == 3
        assert learner.predict(np.arange(4)).tolist() == [2, 2, UNKNOWN, UNKNOWN]
    with pytest.raises(InputError, match="k must be at least 1"):
        KNN(graph, k=0)
    with pytest.raises(InputError, match="distance must be one of"):
        KNN(graph, distance="as the crow flies")
    with pytest.raises(InputError, match="a label must be an integer from 0 to 1, got 2"):
        KNN(graph, 2).learn(0, 2)


@CASES
@given(problems(most=9))
def test_resistance_on_trees_is_distance(problem):
    tree = problem.graph
    if tree.n_edges != problem.n - 1:
        return
    geodesic, resistance = KNN(tree), KNN(tree, distance="resistance")
    node = int(problem.rng.integers(problem.n))
    np.testing.assert_allclose(geodesic.distances(node), resistance.distances(node), atol=1e-8)


@st.composite
def forests(draw):
    n = draw(st.integers(2, 9))
    parents = [draw(st.integers(-1, i - 1)) for i in range(1, n)]
    edges = [(i + 1, parent) for i, parent in enumerate(parents) if parent >= 0]
    return Graph.from_edges(edges or np.empty((0, 2), int), names=range(n))


@CASES
@given(forests(), st.integers(0, 5), st.integers(0, 2**32 - 1))
def test_the_dynamic_program_counts_what_enumeration_counts(forest, cut, seed):
    rng = np.random.default_rng(seed)
    fast, slow = ForestCounts(forest), EveryLabelling(forest)
    assert fast.total(cut) == slow.total(cut)
    some = rng.permutation(forest.n_nodes)[: rng.integers(0, forest.n_nodes)]
    labels = {int(node): int(rng.choice([-1, 1])) for node in some}
    assert fast.consistent(labels, cut) == slow.consistent(labels, cut)


@CASES
@given(problems(most=10), st.booleans())
def test_halving_errs_at_most_log_of_the_class(problem, greedy):
    """Section 5.2: each mistake halves the labellings that are left."""
    cut = round(cut_size(Graph.from_edges(np.stack(problem.graph.edges()[:2], 1)), problem.u))
    learner, twin = Halving(problem.graph, cut=cut), Halving(problem.graph, cut=cut)
    assert learner.exact
    order = np.array(play_worst(twin, problem.u)) if greedy else problem.order()
    wrong = problem.u[order] * learner.stream(order, problem.u[order]).margins < 0
    assert wrong.sum() <= learner.mistake_bound
    assert learner.cut == cut


def test_halving_on_a_line_finds_the_cut_as_by_bisection():
    path = Graph.from_edges([(i, i + 1) for i in range(255)])
    learner = Halving(path, cut=1)
    u = np.where(np.arange(256) < 100, 1, -1)
    order = np.array(play_worst(Halving(path, cut=1), u))
    wrong = u[order] * learner.stream(order, u[order]).margins < 0
    assert learner.exact
    assert learner.mistake_bound == 9
    assert wrong.sum() <= 9


def test_halving_on_a_large_graph_says_that_it_approximates():
    club = data.karate()
    u = np.where(club.labels == 0, 1, -1)
    learner = Halving(club.graph, cut=3)
    assert not learner.exact
    order = np.random.default_rng(0).permutation(34)
    wrong = (u[order] * learner.stream(order, u[order]).margins < 0).sum()
    assert wrong < 34
    assert learner.cut <= cut_size(club.graph, u)
    assert set(np.sign(learner.margin(np.arange(34))) * u) == {1.0}


def test_halving_widens_its_cut_when_nothing_fits():
    path = Graph.from_edges([(0, 1), (1, 2)])
    learner = Halving(path, cut=0)
    for node, label in [(0, 1), (1, -1), (2, 1)]:
        learner.learn(node, label)
    assert learner.cut == 2
    with pytest.raises(InputError, match="cut must be at least 0"):
        Halving(path, cut=-1)
