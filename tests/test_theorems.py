"""Gu 2013 and its perceptron as properties: what must hold on every graph and in every order."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from random_problems import problems

from lapwing.embed import laplacian
from lapwing.online import GPA, OLLGC, SSLGC


@settings(max_examples=60)
@given(problems(), st.sampled_from([1e-3, 0.1, 1.0, 10.0]), st.booleans())
def test_ollgc_is_ridge_from_scratch_in_every_round(problem, mu, every_label):
    """Equation (7), over the mistakes made so far, or over all labels."""
    rows = laplacian(problem.graph, rank=None, bias=1.0)
    learner, learned = OLLGC(rows, mu=mu, every_label=every_label), []
    for node in problem.order(repeats=True):
        label = int(problem.u[node])
        if every_label or label * learner.margin(int(node)) <= 0:
            learned.append(node)
        learner.learn(int(node), label)
        m = rows[learned]
        w = np.linalg.solve(mu * np.eye(rows.shape[1]) + m.T @ m, m.T @ problem.u[learned])
        np.testing.assert_allclose(learner.w, w, atol=1e-8 * max(1, np.abs(w).max()))


@settings(max_examples=60)
@given(problems(), st.floats(0.1, 1.0), st.floats(0.1, 2.0))
def test_sslgc_keeps_its_label_bound(problem, kappa, mu):
    """Theorem 7's proof: queries <= T^kappa sum_i ln(1 + lambda_i / mu), learning each."""
    rows = laplacian(problem.graph, rank=None, bias=1.0)
    order = problem.order(repeats=True)
    learner = SSLGC(rows, mu=mu, kappa=kappa, every_label=True)
    queried = learner.stream(order, problem.u[order]).queried
    m = rows[order[queried]]
    grown = np.linalg.slogdet(np.eye(rows.shape[1]) + m.T @ m / mu)[1]
    assert queried.sum() <= len(order) ** kappa * grown + 1e-9


@settings(max_examples=60)
@given(problems(), st.floats(0.01, 5.0))
def test_the_perceptron_keeps_its_mistake_bound(problem, bias):
    """Herbster and Pontil (2006), Theorem 2.1: mistakes <= |u|^2 max K_ii, on any order."""
    rows = laplacian(problem.graph, rank=None, bias=bias)
    kernel = rows @ rows.T
    order = np.concatenate([problem.order(repeats=True) for _ in range(3)])
    mistakes = GPA(rows).stream(order, problem.u[order]).updated.sum()
    norm = problem.u @ np.linalg.solve(kernel, problem.u)
    assert mistakes <= norm * kernel.diagonal().max() * (1 + 1e-9) + 1e-6
