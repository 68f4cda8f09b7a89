"""Gu et al. (2013): the bounds as corrected hold; as printed they do not."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_problems import CASES, play_worst, problems

from lapwing import Graph
from lapwing.batch import LLGC
from lapwing.bounds import Measures, Run, recorded
from lapwing.bounds.labelling import Labelling
from lapwing.bounds.problem import Problem
from lapwing.bounds.theorems import gu2013_selective as selective
from lapwing.bounds.theorems.gu2013 import log_determinant, mistakes, regret
from lapwing.data import karate
from lapwing.embed import laplacian
from lapwing.online import OLLGC
from lapwing.online.sslgc import SSLGC


def played(problem, learner, rows, nodes, name, **settings):
    run = recorded(name, learner, nodes, problem.u[nodes], rows=rows, settings=settings)
    return Problem(Measures(problem.graph), Labelling(problem.graph, problem.u)), run


@CASES
@given(problems(), st.floats(0.005, 20.0), st.integers(2, 10), st.booleans())
def test_theorem_4_and_corollary_5(problem, mu, rank, greedy):
    rows = laplacian(problem.graph, rank=rank, bias=float(problem.rng.choice([0.0, 2.0])))
    order = problem.order(repeats=True)
    if greedy:
        order = np.array(play_worst(OLLGC(rows, mu=mu), problem.u))
    at, run = played(problem, OLLGC(rows, mu=mu), rows, order, "ollgc", mu=mu)
    bound = regret(at, run)
    assert bound.holds
    losses = (run.margins - run.labels)[run.mistakes] ** 2
    learned = rows[run.nodes[run.mistakes]]
    eigenvalues = np.clip(np.linalg.eigvalsh(learned.T @ learned), 0.0, None)
    logarithm = np.log1p(eigenvalues / mu).sum()
    by_hand = mu / 2 * bound.ingredients["|u|^2"] + losses.max(initial=1.0) / 2 * logarithm
    assert bound.value == pytest.approx(by_hand, rel=1e-6, abs=1e-9)
    found = mistakes(at, run)
    assert found.holds
    longest = np.square(rows).sum(axis=1).max()
    wrong = int(run.mistakes.sum())
    d = rows.shape[1]
    assert (
        found.ingredients["sum log(1 + lambda_i/mu)"]
        <= d * math.log1p(wrong * longest / (d * mu)) * (1 + 1e-9) + 1e-12
    )


@CASES
@given(problems(), st.floats(0.01, 5.0), st.integers(2, 10))
def test_the_regret_of_ridge_regression_is_an_identity(problem, mu, rank):
    """Theorem 4's proof without its inequalities: loss (1 - r) adds up to the offline optimum."""
    rows = laplacian(problem.graph, rank=rank, bias=1.0)
    order = problem.order()
    _, run = played(problem, OLLGC(rows, mu=mu), rows, order, "ollgc", mu=mu)
    wrong = np.flatnonzero(run.mistakes)
    chosen, y = rows[order[wrong]], problem.u[order[wrong]].astype(float)
    A = mu * np.eye(rows.shape[1])
    total = 0.0
    for m, t in zip(chosen, wrong, strict=True):
        A += np.outer(m, m)
        total += (run.margins[t] - run.labels[t]) ** 2 * (1 - m @ np.linalg.solve(A, m))
    w = np.linalg.solve(A, chosen.T @ y)
    assert total == pytest.approx(((chosen @ w - y) ** 2).sum() + mu * w @ w)


@CASES
@given(problems())
def test_lemma_3_is_four_times_the_cut(problem):
    """|u|^2 = f'Lf + beta/b of rows with a bias: 4 cut, where 2 is printed."""
    rows = laplacian(problem.graph, rank=None, bias=2.0)
    u = np.linalg.lstsq(rows, problem.u.astype(float), rcond=1e-10)[0]
    f = problem.u
    expected = f @ problem.laplacian() @ f + f.mean() ** 2 / 2
    assert u @ u == pytest.approx(expected, rel=1e-5)


@CASES
@given(problems(), st.floats(0.02, 5.0), st.floats(0.05, 1.0), st.booleans())
def test_label_complexity(problem, mu, kappa, every_label):
    """Queries, or with learning from mistakes only the queried mistakes, are few."""
    rows = laplacian(problem.graph, rank=None, bias=2.0)
    order = problem.order(repeats=True)
    learner = SSLGC(rows, mu=mu, kappa=kappa, every_label=every_label)
    settings = {"mu": mu, "kappa": kappa, "every_label": float(every_label)}
    at, run = played(problem, learner, rows, order, "sslgc", **settings)
    name = selective.EVERY if every_label else "sslgc"
    found = selective.label_complexity(at, run, learner=name)
    assert found.holds
    assert found.bounds == ("queries" if every_label else "updates")
    assert found.knows == ("order" if every_label else "run")
    assert selective.regret(at, run).applies == every_label


@CASES
@given(problems(), st.floats(0.02, 5.0), st.floats(0.2, 1.0))
def test_theorem_7(problem, mu, kappa):
    rows = laplacian(problem.graph, rank=None, bias=2.0)
    order = problem.order(repeats=True)
    learner = SSLGC(rows, mu=mu, kappa=kappa, every_label=True)
    settings = {"mu": mu, "kappa": kappa, "every_label": 1.0}
    at, run = played(problem, learner, rows, order, "sslgc", **settings)
    loose, tight = selective.regret(at, run), selective.noise_free_mistakes(at, run)
    assert loose.holds
    assert tight.holds
    assert tight.value <= loose.value


@CASES
@given(problems(most=6), st.floats(0.05, 2.0), st.floats(0.3, 1.0))
def test_theorem_7_when_labels_are_drawn(problem, mu, kappa):
    """The stochastic model, its regret computed from many draws over one order."""
    rows = laplacian(problem.graph, rank=None, bias=2.0)
    chance = np.clip(problem.rng.normal(0, 0.6, problem.n), -1, 1)
    u = np.linalg.lstsq(rows, chance, rcond=1e-10)[0]
    order = problem.order(repeats=True)
    errors = 0.0
    for _ in range(4):
        labels = np.where(problem.rng.random(len(order)) < (1 + chance[order]) / 2, 1, -1)
        learner = SSLGC(rows, mu=mu, kappa=kappa, every_label=True)
        trace = learner.stream(order, labels)
        guesses = np.where(trace.margins >= 0, 1, -1)
        errors += (guesses != np.sign(chance[order])) @ np.abs(chance[order]) / 4
    epsilon = np.linspace(0.02, 0.99, 60)
    near = (np.abs(chance[order])[:, None] < epsilon).sum(axis=0)
    chosen = rows[order[trace.queried]]
    log_det = np.linalg.slogdet(np.eye(rows.shape[1]) + chosen.T @ chosen / mu)[1]
    bound = min(
        e * count + _theorem7(e, mu * float(u @ u), kappa, log_det)
        for e, count in zip(epsilon, near, strict=True)
    )
    assert errors <= bound


def _theorem7(epsilon, weight, kappa, log_det):
    """Written again from the proof: Hoeffding, bias, and the sums over t."""
    root = (-math.sqrt(weight) + math.sqrt(weight + 2 * epsilon)) / 2
    rho = root**2
    unasked = 2 * math.factorial(math.ceil(1 / kappa)) * (8 / epsilon**2) ** (1 / kappa)
    return unasked + rho ** (-1 / kappa) + (16 / (math.e * epsilon**2) + 1 / rho) * log_det


def test_corollary_5_as_printed_fails():
    """With a heavy ridge every round of alternating labels errs: twice the printed first term."""
    graph = Graph.from_edges([(i, (i + 1) % 8) for i in range(8)])
    rows = laplacian(graph, rank=None)
    u = np.array([1, -1] * 4)
    mu = 1e4
    run = recorded("ollgc", OLLGC(rows, mu=mu), np.arange(8), u, rows=rows, settings={"mu": mu})
    found = mistakes(Problem(Measures(graph), Labelling(graph, u)), run)
    assert run.mistakes.all()
    parts = found.ingredients
    printed = parts["min |f-y|^2 + mu f'Lf"] / 2 + parts["gamma"] * parts["d log(1 + TB/(d mu))"]
    assert printed < 8 <= found.value + 1e-9


def test_queries_as_printed_fail_when_only_mistakes_are_learned():
    """One node that is always right is asked for ever: its uncertainty never shrinks."""
    graph = Graph.from_edges([(0, 1)])
    rows = 10 * laplacian(graph, rank=None)
    mu, kappa = 0.01, 0.1
    learner = SSLGC(rows, mu=mu, kappa=kappa)
    nodes = np.zeros(2000, dtype=int)
    trace = learner.stream(nodes, np.ones(2000, dtype=int))
    asked = int(trace.queried.sum())
    printed = 2000**kappa * math.log1p(asked / mu)
    assert asked > 10 * printed
    settings = {"mu": mu, "kappa": kappa, "every_label": 0.0}
    learner = SSLGC(rows, mu=mu, kappa=kappa)
    run = recorded("sslgc", learner, nodes, np.ones(2000, int), rows=rows, settings=settings)
    found = selective.label_complexity(
        Problem(Measures(graph), Labelling(graph, np.array([1, 0]))), run
    )
    assert found.holds
    assert found.bounds == "updates"


@CASES
@given(problems(), st.floats(0.01, 10.0))
def test_equation_2_is_what_ollgc_solves_online(problem, mu):
    """(2) and (5) have one minimum where every label is there and balanced; LLGC finds (2)'s."""
    labels = (problem.u > 0).astype(int)
    nodes = np.arange(problem.n)
    scores = LLGC(problem.graph, 2, mu=mu, unit="own", tol=1e-12).fit(nodes, labels).scores(nodes)
    f = np.linalg.solve(np.eye(problem.n) + mu * problem.laplacian(), problem.u.astype(float))
    np.testing.assert_allclose(scores[:, 1] - scores[:, 0], f, atol=1e-6)
    rows = laplacian(problem.graph, rank=None)
    y = problem.u - problem.u.mean()
    w = np.linalg.solve(rows.T @ rows + mu * np.eye(rows.shape[1]), rows.T @ y)
    np.testing.assert_allclose(rows @ w, f - problem.u.mean(), atol=1e-6)


def test_a_lower_rank_keeps_lambda_2_and_lowers_the_log_determinant():
    """Section 5: the rank changes only the log-determinant of the bound, which falls with it."""
    club = karate()
    order = np.random.default_rng(0).permutation(34)
    found = []
    for rank in (5, 9, 20, 34):
        rows = laplacian(club.graph, rank=rank)
        run = Run(algorithm="ollgc", nodes=order, labels=np.ones(34, dtype=int),
                  margins=np.zeros(34), queried=np.ones(34, dtype=bool), rows=rows,
                  settings={"mu": 0.1})  # fmt: skip
        found.append(log_determinant(run, np.ones(34, dtype=bool)))
        assert 1 / np.square(rows).sum(axis=0).max() == pytest.approx(0.468525, abs=1e-5)
    assert found == sorted(found)
    assert found[0] < found[-1]
