"""Columns solved on demand: the same learners on graphs too large for the whole kernel."""

import numpy as np
import pytest

from lapwing import data, make
from lapwing.active import act_st, chosen
from lapwing.embed import kernel
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.online import MNI, Perceptron, Projections
from lapwing.online.kernel import solved_columns as room
from lapwing.online.kernel.columns import DenseColumns
from lapwing.online.kernel.laplacian_columns import laplacian_columns
from lapwing.online.kernel.solved_columns import SolvedColumns

SMALL = data.stochastic_block_model(
    sizes=(150, 150), within=0.08, between=0.005, seed=3
).largest_component()


def test_they_are_the_kernel():
    K = kernel(SMALL.graph, bias=0.7)
    solved = SolvedColumns(SMALL.graph, bias=0.7)
    np.testing.assert_allclose(solved.column(5), K[5], atol=1e-7)
    some, others = np.array([1, 4, 9]), np.array([0, 9])
    np.testing.assert_allclose(solved.between(some, others), K[np.ix_(some, others)], atol=1e-7)
    amounts = np.array([1.0, -2.0, 0.5])
    np.testing.assert_allclose(solved.combined(some, amounts), amounts @ K[some], atol=1e-7)
    assert float(solved.diagonal(17)) == pytest.approx(K[17, 17], abs=1e-7)
    everyone = np.arange(SMALL.graph.n_nodes)
    estimate = solved.diagonal(everyone)
    assert estimate[[5, 17]] == pytest.approx(np.diag(K)[[5, 17]], abs=1e-7)
    off = np.abs(estimate - 0.7 - (np.diag(K) - 0.7)) / (np.diag(K) - 0.7)
    assert np.median(off) < 0.15


@pytest.mark.parametrize(
    "learner",
    [
        Perceptron,
        Projections,
        MNI,
        lambda K: Projections(K, strategy="all", cyclic=True),
        lambda K: Projections(K, strategy="all", aggressive=True),
    ],
    ids=["perceptron", "1-proj", "mni-ag", "c-proj", "generic"],
)
def test_learners_on_them_learn_what_they_learn_on_the_whole(learner):
    signs = np.where(SMALL.labels == 1, 1, -1)
    order = np.random.default_rng(0).permutation(SMALL.graph.n_nodes)[:60]
    solved = SolvedColumns(SMALL.graph, bias=0.5)
    whole = DenseColumns(kernel(SMALL.graph, bias=0.5))
    few, all_of_it = learner(solved), learner(whole)
    np.testing.assert_allclose(
        few.stream(order, signs[order]).margins,
        all_of_it.stream(order, signs[order]).margins,
        atol=1e-5,
    )
    everyone = np.arange(SMALL.graph.n_nodes)
    np.testing.assert_allclose(few.margin(everyone), all_of_it.margin(everyone), atol=1e-5)


def test_the_perceptron_pays_one_solve_a_mistake():
    signs = np.where(SMALL.labels == 1, 1, -1)
    order = np.random.default_rng(0).permutation(SMALL.graph.n_nodes)
    solved = SolvedColumns(SMALL.graph, bias=0.5)
    wrong = signs[order] * Perceptron(solved).stream(order, signs[order]).margins <= 0
    assert solved.solves == wrong.sum() < len(order)


def test_columns_used_last_are_kept_and_others_forgotten(monkeypatch):
    monkeypatch.setattr(room, "KEPT_BYTES", 0)
    solved = SolvedColumns(SMALL.graph)
    for node in (0, 1, 2, 3, 0, 4, 0):
        solved.column(node)
    assert solved.solves == 5
    solved.column(1)
    assert solved.solves == 6


def test_act_st_chooses_by_the_sketch():
    signs = np.where(SMALL.labels == 1, 1, -1)
    learner = Projections(SolvedColumns(SMALL.graph, bias=0.5))
    asked = []
    for node in chosen(learner, act_st, np.arange(SMALL.graph.n_nodes), 10):
        asked.append(node)
        learner.learn(node, int(signs[node]))
    assert len(set(asked)) == 10
    central = kernel(SMALL.graph).diagonal()
    assert np.median(central[asked]) < np.median(central)


def test_small_graphs_are_whole_and_large_ones_solved():
    assert isinstance(laplacian_columns(SMALL.graph), DenseColumns)
    ring = Graph.from_edges([(i, (i + 1) % 5000) for i in range(5000)])
    assert isinstance(laplacian_columns(ring), SolvedColumns)
    learner = make("1-proj", ring)
    for node, label in [(0, 0), (2500, 1)]:
        learner.learn(node, label)
    assert learner.predict(np.array([10, 1000, 2000, 4990])).tolist() == [0, 0, 1, 0]
    with pytest.raises(InputError, match="bias must be finite and at least 0"):
        SolvedColumns(SMALL.graph, bias=-1.0)
