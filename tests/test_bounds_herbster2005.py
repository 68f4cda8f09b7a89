"""Herbster, Pontil and Wainer (2005): no printed bound is ever broken."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_problems import CASES, play_worst, problems

from lapwing import Graph
from lapwing.active import act_mu, act_st, chosen
from lapwing.bounds import Measures, recorded
from lapwing.bounds.labelling import Labelling, separating_norm
from lapwing.bounds.problem import Problem
from lapwing.bounds.run import Run
from lapwing.bounds.theorems.herbster2005 import (
    active_mistakes,
    active_mistakes_beforehand,
    labelling_norm,
    node_norms,
    projection_mistakes,
)
from lapwing.online import MNI, Projections
from lapwing.online.kernel.columns import DenseColumns

SWITCHES = list(itertools.product(["last", "mistakes", "all"], [False, True], [False, True]))
LEARNERS = {
    "1-proj": lambda K: Projections(K),
    "c-proj": lambda K: Projections(K, strategy="all", cyclic=True),
    "mni-ag": lambda K: MNI(K),
}


@CASES
@given(problems(), st.sampled_from(SWITCHES), st.booleans())
def test_theorem_3_2_for_every_switch(problem, switches, greedy):
    """(8) with (9): mistakes <= |u - w_1|^2 times the harmonic mean of K_ii over them."""
    strategy, cyclic, aggressive = switches
    K = problem.kernel(bias=problem.rng.uniform(0.05, 2.0))
    start = K @ problem.rng.normal(0, 0.3, problem.n)
    flags = {"strategy": strategy, "cyclic": cyclic, "aggressive": aggressive}
    learner = Projections(DenseColumns(K), start=start, max_sweeps=10_000, **flags)
    twin = Projections(DenseColumns(K), start=start, max_sweeps=10_000, **flags)
    order = np.array(play_worst(learner, problem.u)) if greedy else problem.order(repeats=True)
    wrong = problem.u[order] * twin.stream(order, problem.u[order]).margins <= 0
    assert twin.unfinished == 0
    away = problem.u - start
    distance = away @ np.linalg.solve(K, away)
    assert (1.0 / np.diag(K)[order[wrong]]).sum() <= distance * (1 + 1e-7) + 1e-7


@CASES
@given(problems(), st.sampled_from(sorted(LEARNERS)), st.booleans())
def test_theorem_3_2_as_certified(problem, name, greedy):
    """The certificate holds with and without a run, on whole and partial labellings, any bias."""
    bias = float(problem.rng.choice([0.0, 0.1, 1.0]))
    signs = np.where(problem.rng.random(problem.n) < 0.7, problem.u, 0)
    signs[problem.rng.integers(problem.n)] = 1
    K = DenseColumns(problem.kernel(bias=bias))
    nodes = problem.rng.permutation(np.flatnonzero(signs))
    if greedy:
        among = play_worst(_Only(LEARNERS[name](K), nodes), signs[nodes])
        nodes = nodes[among]
    run = recorded(name, LEARNERS[name](K), nodes, signs[nodes], settings={"bias": bias})
    at = Problem(Measures(problem.graph), Labelling(problem.graph, signs), bias)
    after = projection_mistakes(at, run, learner=name)
    before = projection_mistakes(at, None, learner=name)
    assert after.applies == before.applies
    if not after.applies:
        assert bias == 0.0
        return
    assert after.holds
    assert after.actual <= before.value <= len(nodes)


class _Only:
    """A learner that knows its nodes by their place in a list."""

    def __init__(self, learner, nodes):
        self.learner, self.nodes = learner, nodes

    def margin(self, places):
        return self.learner.margin(self.nodes[places])

    def learn(self, place, label):
        self.learner.learn(int(self.nodes[place]), label)


@CASES
@given(problems())
def test_theorem_4_1(problem):
    """|u|^2 <= cut (n / min)^2, and between lambda_2 and lambda_n times n n+/n-."""
    at = Problem(Measures(problem.graph), Labelling(problem.graph, problem.u), bias=0.0)
    found = labelling_norm(at, None)
    if abs(problem.u.sum()) == problem.n:
        assert not found.applies
        return
    n = problem.n
    big, small = sorted(((problem.u > 0).sum(), (problem.u < 0).sum()), reverse=True)
    sign = 1 if (problem.u > 0).sum() == big else -1
    proof = np.where(problem.u == sign, 1.0, -big / small)
    squared = proof @ problem.laplacian() @ proof
    assert proof.sum() == pytest.approx(0, abs=1e-9)
    assert squared == pytest.approx(found.value)
    assert found.ingredients["lambda_2 n n+/n-"] <= squared * (1 + 1e-9)
    assert squared <= found.ingredients["lambda_n n n+/n-"] * (1 + 1e-9)
    assert found.holds
    assert found.ingredients["lambda_n n n+/n-"] == pytest.approx(
        np.linalg.eigvalsh(problem.laplacian())[-1] * n * big / small
    )


@CASES
@given(problems())
def test_theorem_4_1_on_partial_labels(problem):
    signs = np.where(problem.rng.random(problem.n) < 0.5, problem.u, 0)
    signs[:2] = [1, -1]
    at = Problem(Measures(problem.graph), Labelling(problem.graph, signs), bias=0.0)
    found = labelling_norm(at, None)
    known = np.flatnonzero(signs)
    least = separating_norm(problem.kernel()[np.ix_(known, known)], signs[known].astype(float))
    assert found.holds
    assert least is not None
    assert least <= found.value * (1 + 1e-6)


@CASES
@given(problems())
def test_theorem_4_2(problem):
    """K_pp <= min(1/lambda_2, eccentricity), for every node, exactly and through the centre."""
    norms = np.diag(problem.kernel())
    exact = Measures(problem.graph)
    np.testing.assert_allclose(exact.norms, norms, atol=1e-8)
    bound = np.minimum(1 / exact.lambda2, exact.eccentricities)
    assert (norms <= bound * (1 + 1e-9)).all()
    rough = Measures(problem.graph, exact=False)
    assert (exact.eccentricities <= rough.eccentricities * (1 + 1e-12)).all()
    assert exact.diameter <= rough.diameter * (1 + 1e-12)
    assert exact.resistance_diameter <= rough.resistance_diameter * (1 + 1e-12)
    assert (norms <= rough.norms * (1 + 1e-9)).all()
    assert exact.lambda_max <= rough.lambda_max * (1 + 1e-12)
    at = Problem(exact, Labelling(problem.graph, problem.u))
    found = node_norms(at, None)
    assert found.holds
    assert found.ingredients["largest K_pp / its bound"] <= 1 + 1e-9


@CASES
@given(problems(), st.sampled_from([act_st, act_mu]), st.integers(0, 5), st.booleans())
def test_theorem_5_1(problem, strategy, count, cyclic):
    """(14): what the active rounds moved is gone for the adversary of the later ones."""
    bias = float(problem.rng.choice([0.05, 1.0]))
    K = problem.kernel(bias=bias)
    learner = Projections(DenseColumns(K), cyclic=cyclic)
    asked = []
    for node in chosen(learner, strategy, np.arange(problem.n), count):
        asked.append(node)
        learner.learn(node, int(problem.u[node]))
    assert len(set(asked)) == len(asked) == min(count, problem.n)
    assert not learner.aggressive
    progress = learner.progress
    later = np.array([node for node in problem.order() if node not in asked], dtype=int)
    margins = learner.stream(later, problem.u[later]).margins if len(later) else np.zeros(0)
    nodes = np.array([*asked, *later], dtype=int)
    run = Run(
        algorithm="act-st",
        nodes=nodes,
        labels=problem.u[nodes],
        margins=np.concatenate([np.ones(len(asked)) * problem.u[asked], margins]),
        queried=np.ones(len(nodes), dtype=bool),
        active=np.arange(len(nodes)) < len(asked),
        progress=progress,
        settings={"bias": bias},
    )
    at = Problem(Measures(problem.graph), Labelling(problem.graph, problem.u), bias)
    found = active_mistakes(at, run)
    wrong = int((problem.u[later] * margins <= 0).sum())
    assert found.applies == (wrong > 0)
    assert found.holds in (True, None)
    before = active_mistakes_beforehand(at, run)
    assert before.any_order
    assert wrong <= before.value <= len(later)
    assert progress <= problem.u @ np.linalg.solve(K, problem.u) * (1 + 1e-7)


def test_what_cannot_be_bounded_says_so():
    K = DenseColumns(np.eye(3))
    run = recorded("mni-ag", MNI(K), np.array([0, 0, 1]), np.array([1, -1, 1]))
    graph = Graph.from_edges([(0, 1), (1, 2)])
    at = Problem(Measures(graph), Labelling(graph, np.array([1, 1, -1])), bias=0.0)
    assert "both" in projection_mistakes(at, run, learner="mni-ag").why
    lopsided = projection_mistakes(at, None, learner="mni-ag")
    assert "a bias above 0 gives one" in lopsided.why
    assert not lopsided.applies
    assert lopsided.holds is None
    assert "active phase" in active_mistakes(at, None).why
    alike = Problem(Measures(graph), Labelling(graph, np.array([1, 1, 1])))
    assert "only one is there" in labelling_norm(alike, None).why
