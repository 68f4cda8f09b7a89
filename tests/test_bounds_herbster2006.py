"""Herbster and Pontil (2006): no bound is ever broken, and their graphs show what they say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_problems import CASES, play_worst, problems
from scipy.sparse import diags_array
from scipy.sparse.linalg import spsolve

from lapwing import Graph, data
from lapwing.bounds import Measures, certify, recorded
from lapwing.bounds.labelling import Labelling
from lapwing.bounds.problem import Problem
from lapwing.bounds.theorems.herbster2006 import (
    cut_and_diameter,
    cut_and_resistance,
    node_norms,
    perceptron_mistakes,
    plain_cut_and_resistance,
)
from lapwing.bounds.theorems.smoothing import relative_bound
from lapwing.embed import cut_size
from lapwing.online import Perceptron, Projections
from lapwing.online.kernel.columns import DenseColumns

PERCEPTRON_THEOREMS = (perceptron_mistakes, cut_and_resistance, plain_cut_and_resistance)


@CASES
@given(problems(), st.floats(0.01, 5.0), st.sampled_from([0.0, 0.2, 3.0]), st.floats(0, 0.5))
def test_theorem_2_1_with_label_noise(problem, bias, c, noise):
    """(5) for the labelling and for every other u, nodes repeating with other labels."""
    K = problem.kernel(bias, c)
    order = problem.order(repeats=True)
    labels = np.where(problem.rng.random(len(order)) < noise, -1, 1) * problem.u[order]
    wrong = labels * Perceptron(DenseColumns(K)).stream(order, labels).margins <= 0
    largest = np.diag(K)[order[wrong]].max()
    others = problem.rng.choice([-1, 1], size=(20, problem.n))
    for u in (problem.u, *others):
        noisy = int((wrong & (u[order] != labels)).sum())
        z = u @ np.linalg.solve(K, u) * largest
        assert wrong.sum() <= relative_bound(noisy, z) * (1 + 1e-7)


@CASES
@given(problems(), st.floats(0.01, 5.0), st.sampled_from([0.0, 0.2, 3.0]), st.floats(0, 0.5))
def test_theorems_2_1_4_2_and_16_as_certified(problem, bias, c, noise):
    """With noise and repeats, and in the greedy adversary's order without."""
    K = DenseColumns(problem.kernel(bias))
    at = Problem(Measures(problem.graph), Labelling(problem.graph, problem.u), bias, c)
    settings = {"bias": bias, "c": c}
    order = problem.order(repeats=True)
    labels = np.where(problem.rng.random(len(order)) < noise, -1, 1) * problem.u[order]
    worst = np.array(play_worst(Perceptron(K, c=c), problem.u))
    for nodes, told in ((order, labels), (worst, problem.u[worst])):
        run = recorded("perceptron", Perceptron(K, c=c), nodes, told, settings=settings)
        for theorem in PERCEPTRON_THEOREMS:
            found = theorem(at, run)
            assert found.holds in (True, None)
            if nodes is worst:
                assert found.applies
                assert run.mistakes.sum() <= theorem(at, None).value + 1e-6


@CASES
@given(problems())
def test_certificates_of_partial_labels(problem):
    """The bounds speak of the labelled nodes, whatever the others' labels are."""
    signs = np.where(problem.rng.random(problem.n) < 0.5, problem.u, 0)
    signs[problem.rng.integers(problem.n)] = 1
    bias = float(problem.rng.uniform(0.05, 2))
    K = DenseColumns(problem.kernel(bias))
    at = Problem(Measures(problem.graph), Labelling(problem.graph, signs), bias)
    nodes = problem.rng.permutation(np.flatnonzero(signs))
    run = recorded("perceptron", Perceptron(K), nodes, signs[nodes], settings={"bias": bias})
    for theorem in PERCEPTRON_THEOREMS:
        assert theorem(at, run).holds
        assert run.mistakes.sum() <= theorem(at, None).value + 1e-6


@CASES
@given(problems())
def test_theorem_3_2_and_9(problem):
    """K_pp <= mean resistance <= eccentricity, max K <= R_G <= D_G; trees reach the distance."""
    K = problem.kernel()
    norms = np.diag(K)
    resistance = norms[:, None] + norms - 2 * K
    measures = Measures(problem.graph)
    np.testing.assert_allclose(measures.mean_resistances, resistance.mean(axis=1), atol=1e-8)
    assert (norms <= measures.mean_resistances * (1 + 1e-9)).all()
    assert (measures.mean_resistances <= measures.eccentricities * (1 + 1e-9)).all()
    assert measures.resistance_diameter == pytest.approx(resistance.max())
    assert norms.max() <= measures.resistance_diameter <= measures.diameter * (1 + 1e-9)
    if problem.graph.n_edges == problem.n - 1:
        assert measures.resistance_diameter == pytest.approx(measures.diameter)
    found = node_norms(Problem(measures, Labelling(problem.graph, problem.u)), None)
    assert found.holds
    assert found.ingredients["largest K_pp / mean resistance"] <= 1 + 1e-9
    assert found.ingredients["largest mean resistance / eccentricity"] <= 1 + 1e-9


@CASES
@given(problems())
def test_corollary_3_1_more_edges_never_raise_norms_or_resistance(problem):
    """Rayleigh's law: heavier edges, and one edge more, bring nodes nearer to each other."""
    sources, targets, weights = problem.graph.edges()
    pairs = np.stack([sources, targets], axis=1)
    more = weights * problem.rng.uniform(1, 3, len(weights))
    extra = problem.rng.permutation(problem.n)[:2]
    heavier = Graph.from_edges(
        np.vstack([pairs, extra]), weights=np.append(more, 1.0), names=range(problem.n)
    )
    loose, tight = problem.kernel(), np.linalg.pinv(_laplacian(heavier))
    assert (np.diag(tight) <= np.diag(loose) * (1 + 1e-7) + 1e-9).all()
    apart = [np.diag(K)[:, None] + np.diag(K) - 2 * K for K in (loose, tight)]
    assert (apart[1] <= apart[0] * (1 + 1e-7) + 1e-9).all()


@CASES
@given(problems(), st.sampled_from(["1-proj", "c-proj"]), st.booleans())
def test_equation_1(problem, name, greedy):
    """4 cut D_G bal(u) for projections on L+ alone."""
    K = DenseColumns(problem.kernel())
    cyclic = name == "c-proj"

    def fresh():
        return Projections(K, strategy="all" if cyclic else "last", cyclic=cyclic)

    order = np.array(play_worst(fresh(), problem.u)) if greedy else problem.order(repeats=True)
    run = recorded(name, fresh(), order, problem.u[order], settings={"bias": 0.0})
    at = Problem(Measures(problem.graph), Labelling(problem.graph, problem.u), bias=0.0)
    found = cut_and_diameter(at, run, learner=name)
    if abs(problem.u.sum()) == problem.n:
        assert not found.applies
        return
    assert found.applies
    assert found.holds
    printed = (1 - abs(problem.u.mean())) ** -2
    cut = cut_size(problem.graph, problem.u)
    assert found.value == pytest.approx(4 * cut * Measures(problem.graph).diameter * printed)
    assert not cut_and_diameter(
        Problem(at.measures, at.labelling, bias=1.0), None, learner=name
    ).applies


@CASES
@given(problems(), st.floats(0.05, 3.0), st.floats(0.05, 3.0))
def test_lemma_4_1(problem, b, c):
    """(11), (13) and (12): what bias and c do to the norms of nodes and labellings."""
    K, plain = problem.kernel(b, c), problem.kernel()
    np.testing.assert_allclose(np.diag(K), np.diag(plain) + b + c)
    u = problem.u
    other = np.where(problem.rng.random(problem.n) < 0.3, -u, u)
    beta, cut = u.mean() ** 2, cut_size(problem.graph, u)
    assert u @ np.linalg.solve(problem.kernel(b), u) == pytest.approx(4 * cut + beta / b, rel=1e-5)
    k = (other != u).sum()
    assert other @ np.linalg.solve(K, other) <= (4 * cut + beta / b + 4 * k / c) * (1 + 1e-7)


def test_the_barbell_of_the_paper():
    found = {c.theorem: c for c in certify(data.barbell(5).graph, data.barbell(5).labels, bias=0)}
    assert found["(1)"].value == pytest.approx(12.0)
    K = np.linalg.pinv(_laplacian(data.barbell(5).graph))
    kept = sorted({round(float(value), 2) for value in np.diag(K)})
    assert kept == [0.33, 0.53]


@pytest.mark.parametrize("m", [10, 40])
def test_concept_noise_costs_the_old_bound_more_than_the_new_one(m):
    noisy = data.noisy_barbell(m, 1)
    old = {c.theorem: c.value for c in certify(noisy.graph, noisy.labels, bias=0.0)}
    new = {c.theorem: c for c in certify(noisy.graph, noisy.labels, bias=1.0)}
    assert old["(1)"] > 10 * m
    assert new["4.2"].value < 50
    assert any(c.ingredients.get("nodes changed k") == 1 for c in new.values())


@pytest.mark.parametrize(("m", "links"), [(10, 2), (20, 5), (40, 20)])
def test_thick_barbells_have_small_resistance_and_a_bound_of_twenty(m, links):
    thick = data.thick_barbell(m, links)
    n = thick.graph.n_nodes
    measures = Measures(thick.graph)
    assert measures.resistance_diameter <= 5 / links
    assert measures.diameter == 3
    found = {c.theorem: c for c in certify(thick.graph, thick.labels, bias=1 / (4 * n))}
    assert found["(16)"].value <= 20 + links / n + 1e-9


@pytest.mark.parametrize("p", [3, 5, 8])
def test_flowers_nearly_reach_the_bound(p):
    """K_11 -> p - 1 as petals grow; the bound is p."""
    for m in (1000, 4000):
        graph = data.flower(p, m).graph
        column = _first_column(graph)
        assert (p - 1) - (p - 1) ** 2 * p**2 / (4 * m) <= column <= p
    assert column == pytest.approx(p - 1, abs=0.05)


def _laplacian(graph):
    return np.diag(graph.degrees) - graph.adjacency.toarray()


def _first_column(graph) -> float:
    """K_11 of L+ by one sparse solve: ground the last node, then centre."""
    n = graph.n_nodes
    reduced = (diags_array(graph.degrees) - graph.adjacency).tocsc()[:-1, :-1]
    right = np.full(n - 1, -1 / n)
    right[0] += 1
    solved = np.append(spsolve(reduced, right), 0.0)
    return float(solved[0] - solved.mean())
