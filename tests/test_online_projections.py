"""Projections, minimal norm interpolation and the perceptron: small exact cases, slow twins."""

import copy
import itertools

import numpy as np
import pytest
from hypothesis import given
from random_problems import CASES, problems

from lapwing import Graph, data
from lapwing.embed import laplacian
from lapwing.errors import InputError
from lapwing.online import MNI, OneVsRest, Perceptron, Projections
from lapwing.online.kernel.columns import DenseColumns

TRIANGLES = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])


def mistakes(learner, nodes, labels) -> int:
    trace = learner.stream(np.asarray(nodes), np.asarray(labels))
    return int((labels * trace.margins <= 0).sum())


@pytest.mark.parametrize(
    ("make", "bias", "expected"),
    [
        (lambda X: Projections(X), 0.0, 3),
        (lambda X: Projections(X, aggressive=True), 0.0, 2),
        (lambda X: Projections(X, strategy="all", cyclic=True), 0.0, 3),
        (lambda X: MNI(X), 0.0, 2),
        (lambda X: Projections(X, strategy="all", aggressive=True), 0.0, 2),
        (lambda X: Perceptron(X), 1.0, 2),
    ],
    ids=["1-proj", "aggressive", "C-proj", "MNI-ag", "MNI-ag by projection", "perceptron"],
)
def test_mistakes_on_the_karate_club_in_node_order(make, bias, expected):
    club = data.karate()
    labels = np.where(club.labels == 0, 1, -1)
    rows = laplacian(club.graph, rank=None, bias=bias)
    assert mistakes(make(rows), np.arange(34), labels) == expected
    assert mistakes(make(rows), np.arange(34), -labels) == expected
    assert mistakes(make(DenseColumns(rows @ rows.T)), np.arange(34), labels) == expected


def test_karate_kernel_has_the_published_extremes():
    K = laplacian(data.karate().graph, rank=None)
    norms = np.square(K).sum(axis=1)
    resistance = norms[:, None] + norms - 2 * K @ K.T
    assert int(np.argmin(norms)) == 33
    assert norms.min() == pytest.approx(0.0901575, abs=1e-7)
    assert resistance.max() == pytest.approx(11 / 6)


SWITCHES = list(itertools.product(["last", "mistakes", "all"], [False, True], [False, True]))


@CASES
@given(problems(most=8))
def test_rows_and_columns_learn_the_same(problem):
    strategy, cyclic, aggressive = SWITCHES[problem.rng.integers(len(SWITCHES))]
    bias, c = problem.rng.choice([0.3, 1.0]), problem.rng.choice([0.0, 0.5])
    rows = laplacian(problem.graph, rank=None, bias=bias)
    columns = DenseColumns(rows @ rows.T)
    order = problem.order(repeats=True)
    flags = {"strategy": strategy, "cyclic": cyclic, "aggressive": aggressive}
    start = problem.rng.normal(0, 0.1, rows.shape[1])  # no margin is 0 by symmetry
    for kind, extra in ((Projections, flags), (Perceptron, {}), (MNI, {})):
        on_rows = kind(rows, c=c, start=start, **extra)
        on_columns = kind(columns, c=c, start=rows @ start, **extra)
        for node in order:
            on_rows.learn(int(node), int(problem.u[node]))
            on_columns.learn(int(node), int(problem.u[node]))
        np.testing.assert_allclose(
            on_rows.margin(np.arange(problem.n)), on_columns.margin(np.arange(problem.n)), atol=1e-6
        )


@CASES
@given(problems())
def test_one_cholesky_is_the_generic_projection(problem):
    """A stream at once, a label at a time, and the projection solved anew each round."""
    bias = problem.rng.choice([0.0, 0.1, 1.0])
    rows = laplacian(problem.graph, rank=None, bias=bias)
    fast, single = MNI(rows), MNI(rows)
    slow = Projections(rows, strategy="all", aggressive=True)
    order = problem.order()
    some = int(problem.rng.integers(0, problem.n))
    parts = [fast.stream(part, problem.u[part]).margins for part in (order[:some], order[some:])]
    one_by_one = []
    for node in order:
        one_by_one.append(float(single.margin(int(node))))
        single.learn(int(node), int(problem.u[node]))
    by_projection = slow.stream(order, problem.u[order]).margins
    np.testing.assert_allclose(np.concatenate(parts), one_by_one, atol=1e-6)
    np.testing.assert_allclose(one_by_one, by_projection, atol=1e-6)
    everywhere = np.arange(problem.n)
    np.testing.assert_allclose(fast.margin(everywhere), single.margin(everywhere), atol=1e-6)
    if bias > 0:
        assert fast.progress == pytest.approx(single.progress, rel=1e-5)
        assert fast.progress == pytest.approx(slow.progress, rel=1e-5)


@CASES
@given(problems())
def test_interpolation_is_the_smoothest_function_through_the_labels(problem):
    """Equation (4) of 2005, solved as a constrained least-squares problem."""
    K = problem.kernel(bias=1.0)
    some = problem.rng.permutation(problem.n)[: max(1, problem.n // 2)]
    learner = MNI(DenseColumns(K))
    learner.stream(some, problem.u[some])
    expected = K[:, some] @ np.linalg.solve(K[np.ix_(some, some)], problem.u[some])
    np.testing.assert_allclose(learner.margin(np.arange(problem.n)), expected, atol=1e-6)


def test_a_later_label_replaces_an_earlier_one():
    rows = laplacian(TRIANGLES, rank=None, bias=1.0)
    changed, direct = MNI(rows), MNI(rows)
    for node, label in [(0, 1), (5, 1), (5, -1)]:
        changed.learn(node, label)
    for node, label in [(0, 1), (5, -1)]:
        direct.learn(node, label)
    np.testing.assert_allclose(changed.margin(np.arange(6)), direct.margin(np.arange(6)))


def test_the_perceptron_learns_from_a_node_that_changes_its_label():
    learner = Perceptron(laplacian(TRIANGLES, rank=None, bias=1.0), c=1.0)
    learner.learn(0, 1)
    assert learner.margin(0) > 0
    for _ in range(3):
        learner.learn(0, -1)
    assert learner.margin(0) < 0


def test_c_changes_no_margin_before_a_node_repeats():
    rows = laplacian(TRIANGLES, rank=None, bias=1.0)
    u = np.array([1, -1, 1, -1, -1, 1])
    without = Perceptron(rows).stream(np.arange(6), u).margins
    with_c = Perceptron(rows, c=7.0).stream(np.arange(6), u).margins
    np.testing.assert_allclose(without, with_c)


def test_projecting_starts_where_it_is_told():
    rows = laplacian(TRIANGLES, rank=None, bias=1.0)
    start = np.linspace(-1, 1, rows.shape[1])
    for make in (Projections, Perceptron, MNI):
        learner = make(rows, start=start)
        np.testing.assert_allclose(learner.margin(np.arange(6)), rows @ start)
    learner = MNI(rows, start=start)
    learner.learn(4, -1)
    moved = (-1 - rows[4] @ start) / (rows[4] @ rows[4]) * rows[4]
    np.testing.assert_allclose(learner.margin(np.arange(6)), rows @ (start + moved))


def test_low_rank_rows_do_not_hang_a_cyclic_round():
    rows = laplacian(TRIANGLES, rank=2)
    learner = Projections(rows, strategy="all", cyclic=True, max_sweeps=5)
    learner.stream(np.arange(6), np.array([1, -1, 1, -1, 1, -1]))
    assert learner.unfinished > 0


def test_copies_share_the_rows_and_nothing_else():
    rows = laplacian(TRIANGLES, rank=None, bias=1.0)
    learner = Projections(rows, c=1.0)
    twin = copy.deepcopy(learner)
    twin.learn(0, 1)
    assert twin.span.features is rows
    assert float(learner.margin(0)) == 0.0
    classes = OneVsRest(lambda: Perceptron(rows))
    for node in range(6):
        classes.learn(node, node % 3)
    assert classes.n_classes == 3
    assert all(part.span.features is rows for part in classes.learners)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"c": -1.0}, "c must be finite and at least 0, got -1.0"),
        ({"start": np.zeros(3)}, "start must be 6 finite numbers"),
        ({"strategy": "first"}, "strategy must be one of last, mistakes, all, got 'first'"),
        ({"max_sweeps": 0}, "max_sweeps must be at least 1, got 0"),
    ],
)
def test_wrong_settings_are_said(wrong, said):
    with pytest.raises(InputError, match=said):
        Projections(laplacian(TRIANGLES, rank=None, bias=1.0), **wrong)
    with pytest.raises(InputError, match="one row per node"):
        Projections(np.zeros(3))
