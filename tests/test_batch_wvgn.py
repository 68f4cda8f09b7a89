"""wvGN: rows, objective, searches and both exact solvers, against slow twins."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.sparse.linalg import expm_multiply

from lapwing import Graph
from lapwing.batch import WVGN
from lapwing.batch.diffusion.transition import transition
from lapwing.batch.known_labels import known_labels
from lapwing.batch.linear import gram
from lapwing.batch.linear.gram import LabelledGram
from lapwing.batch.wvgn import GeometricRows, Objective, by_labelled_rows, matrix_free
from lapwing.batch.wvgn.descent import _coordinate_pass
from lapwing.errors import InputError


def random_graph(n=60, chance=0.06, seed=0):
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((n, n)) * (rng.random((n, n)) < chance), 1)
    upper[:, -3:] = 0.0
    upper[-2, -1] = 1.0
    return Graph(upper + upper.T)


def some_labels(graph, count=12, n_classes=3, seed=0):
    rng = np.random.default_rng(seed)
    nodes = rng.permutation(graph.n_nodes)[:count]
    return known_labels(graph, nodes, np.arange(count) % n_classes, None)


def every_row(graph, rho=5.0):
    """The n x n matrix of all rows by the matrix exponential: what is never made elsewhere."""
    back = transition(graph).T @ np.eye(graph.n_nodes)
    return (expm_multiply(rho * transition(graph).T, back) - back).T


@pytest.mark.parametrize("rho", [0.5, 5.0, 12.0])
def test_rows_are_the_matrix_exponential(rho):
    graph = random_graph()
    assert graph.n_components > 1
    rows = GeometricRows(graph, rho, tol=1e-13, max_hops=200)
    wanted, eye = every_row(graph, rho), np.eye(60)
    np.testing.assert_allclose(rows.rows(np.arange(60)), wanted, atol=1e-8)
    np.testing.assert_allclose(rows.times(eye), wanted, atol=1e-8)
    np.testing.assert_allclose(rows.transposed_times(eye), wanted.T, atol=1e-8)


def test_the_papers_tolerance_is_kept():
    graph = random_graph(seed=1)
    rows = GeometricRows(graph)
    np.testing.assert_allclose(rows.rows(np.arange(60)), every_row(graph), atol=1e-4)
    np.testing.assert_allclose(rows.times(np.eye(60)), every_row(graph), atol=1e-4)


@pytest.mark.parametrize("hops", [1, 2, 3, 7])
def test_hops_are_terms_of_the_series(hops):
    graph = random_graph(seed=2)
    step, term, total = transition(graph).toarray(), transition(graph).toarray(), 0.0
    for m in range(1, hops + 1):
        term = (5.0 / m) * term @ step
        total = total + term
    rows = GeometricRows(graph, 5.0, 0.0, hops)
    np.testing.assert_allclose(rows.rows(np.arange(60)), total, atol=1e-12)
    np.testing.assert_allclose(rows.times(np.eye(60)), total, atol=1e-12)


def test_the_gradient_is_that_of_the_objective():
    graph = random_graph()
    objective = Objective.of(GeometricRows(graph), some_labels(graph), ridge=0.3)
    rng = np.random.default_rng(0)
    weights, direction = rng.normal(size=(61, 3)) / 50, rng.normal(size=(61, 3)) / 50

    def value(t):
        moved = weights + t * direction
        return objective.value(moved, objective.slack(moved))

    slope = (objective.gradient(weights, objective.slack(weights)) * direction).sum(axis=0)
    np.testing.assert_allclose((value(1e-5) - value(-1e-5)) / 2e-5, slope, rtol=1e-6)


@pytest.mark.parametrize("ridge", [2.0**-6, 1.0, 16.0])
def test_exact_is_the_optimum_and_matrix_free_agrees(ridge):
    graph = random_graph()
    rows, known = GeometricRows(graph, tol=1e-10), some_labels(graph)
    objective = Objective.of(rows, known, ridge=ridge)
    exact = by_labelled_rows(rows, known, ridge=ridge, gram=LabelledGram.of(rows, known.nodes))
    free = matrix_free(rows, known, ridge=ridge)
    found = np.vstack([exact.nodes, exact.bias])
    value = objective.value(found, objective.slack(found))

    for k in range(3):
        one = Objective(objective.rows, objective.signs[:, [k]], objective.penalty, objective.ridge)

        def at(w, one=one):
            slack = one.slack(w[:, None])
            return one.value(w[:, None], slack)[0], one.gradient(w[:, None], slack)[:, 0]

        slow = minimize(
            at,
            found[:, k] * 0.9,
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": 20000, "maxfun": 40000, "ftol": 1e-15, "gtol": 1e-10},
        )
        assert value[k] <= slow.fun + 1e-9
    scale = np.abs(exact.margins(rows)).max()
    np.testing.assert_allclose(free.margins(rows), exact.margins(rows), atol=1e-3 * scale)
    np.testing.assert_allclose(free.bias, exact.bias, atol=1e-3)


@pytest.mark.parametrize("solver", ["gcd", "gcd-full", "gd", "cd", "sgd", "matrix-free"])
def test_no_search_gets_below_the_optimum(solver):
    for seed in range(5):
        graph = random_graph(seed=seed, chance=0.1)
        known = some_labels(graph, seed=seed)
        given = (known.nodes, known.indicator)
        best = WVGN(graph, ridge=2.0**-6).fit(*given).objective_
        found = WVGN(graph, solver=solver, ridge=2.0**-6, seed=seed).fit(*given).objective_
        assert found >= best * (1 - 1e-6) - 1e-9
        if solver == "matrix-free":
            assert found == pytest.approx(best, rel=1e-3)


def test_searches_make_the_objective_fall():
    graph = random_graph(chance=0.1)
    known = some_labels(graph)
    start = 1.0
    for solver in ("gcd", "gcd-full", "gd", "cd"):
        found = WVGN(graph, solver=solver).fit(known.nodes, known.indicator).objective_
        assert found < 0.9 * start


def test_many_labelled_rows_are_made_block_by_block(monkeypatch):
    graph = random_graph()
    known = some_labels(graph, count=20)
    whole = WVGN(graph, ridge=1.0).fit(known.nodes, known.indicator).scores(np.arange(60))
    monkeypatch.setattr(gram, "ROWS_AT_ONCE", 0)
    blocks = WVGN(graph, ridge=1.0).fit(known.nodes, known.indicator).scores(np.arange(60))
    np.testing.assert_allclose(blocks, whole, rtol=1e-3, atol=1e-4)


def test_karate_club_is_right_with_two_labels_and_enough_hops(dataset):
    """Figure 1, whose groups have 16 and 18 members: node 8 stands with node 33's."""
    club = dataset("karate")
    groups = club.labels.copy()
    groups[8] = 1
    wrong = [
        (WVGN(club.graph, hops=hops).fit([0, 33], [0, 1]).predict(np.arange(34)) != groups).sum()
        for hops in (1, 8)
    ]
    assert wrong[0] > 0
    assert wrong[1] == 0


def test_raw_scores_and_sigmoids():
    graph = random_graph(chance=0.1)
    known = some_labels(graph)
    raw = WVGN(graph).fit(known.nodes, known.indicator)
    scaled = WVGN(graph, platt=True).fit(known.nodes, known.indicator)
    assert raw.scores(np.arange(57)).min() < 0
    platt = scaled.scores(np.arange(57))
    assert platt.min() >= 0
    assert platt.max() <= 1
    for k in range(3):
        order = np.argsort(raw.scores(np.arange(57))[:, k], kind="stable")
        assert (np.diff(platt[order, k]) >= -1e-12).all()


def test_wrong_settings_are_named():
    graph = random_graph()
    with pytest.raises(InputError, match="solver must be one of"):
        WVGN(graph, solver="newton")
    with pytest.raises(InputError, match="ridge must be positive and finite, got 0"):
        WVGN(graph, ridge=0)
    with pytest.raises(InputError, match="rho must be positive and finite, got -1"):
        WVGN(graph, rho=-1.0)
    with pytest.raises(InputError, match="max_hops must be at least 1"):
        WVGN(graph, hops=0)


def test_a_coordinate_step_never_goes_uphill():
    """The loss bends more once a label falls short: a full Newton step can overshoot."""
    rng = np.random.default_rng(0)
    uphill = 0
    for _ in range(300):
        rows = rng.normal(size=(6, 3)) * 10.0 ** rng.uniform(-1, 1, size=(6, 1))
        signs = np.sign(rng.normal(size=(6, 1)))
        objective = Objective(np.asfortranarray(rows), signs, np.ones(3), 1e-3)
        weights = rng.normal(size=(3, 1))
        slack = objective.slack(weights)
        for i in range(3):
            before = objective.value(weights, slack)[0]
            column, left = weights[:, 0].copy(), slack[:, 0].copy()
            _coordinate_pass(
                objective.rows, signs[:, 0].copy(), objective.penalty, objective.ridge,
                objective.cost, 0.5, np.array([i]), column, left,
            )  # fmt: skip
            weights, slack = column[:, None], left[:, None]
            np.testing.assert_allclose(slack, objective.slack(weights), atol=1e-8)
            uphill += objective.value(weights, slack)[0] > before + 1e-9 * abs(before)
    assert uphill == 0
