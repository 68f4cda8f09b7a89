"""A promise that claims any order is played against many orders."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from random_problems import play_worst, problems

from lapwing import Graph, data
from lapwing.bounds import (
    Measures,
    Settings,
    certify,
    certify_played,
    recorded,
    tightest,
    yang2018,
)
from lapwing.bounds.games import LEARNERS
from lapwing.bounds.labelling import Labelling
from lapwing.bounds.problem import Problem
from lapwing.bounds.theorems import gu2013, gu2013_selective
from lapwing.bounds.theorems.halving import halving_mistakes
from lapwing.bounds.theorems.herbster2005 import cyclic_updates
from lapwing.embed import laplacian
from lapwing.online import MOLG, OLLGC, SSLGC, Halving, Perceptron, Projections
from lapwing.online.halving.halving import TIE
from lapwing.online.kernel.columns import DenseColumns

ORDERS = 6
"""Orders played of each random problem; `bench/promises.py` plays a thousand."""
CLUB = data.karate()


def key(certificate):
    return certificate.learner, certificate.theorem, certificate.bounds


def promises(certificates):
    return {key(each): each for each in certificates if each.any_order and each.applies}


@settings(max_examples=15, deadline=None)
@given(problems())
def test_no_order_breaks_a_promise_or_changes_its_value(problem):
    labels = (problem.u > 0).astype(int)
    first = None
    for seed in range(ORDERS):
        how = Settings(seed=seed, active=min(3, problem.n - 1), mu=0.3)
        found = certify_played(problem.graph, labels, settings=how)
        made = promises(found)
        first = first or made
        assert made.keys() == first.keys()
        for name, each in made.items():
            assert each.holds, each
            assert each.value == pytest.approx(first[name].value), name
            if each.bounds == "mistakes":
                assert each.actual <= each.value * (1 + 1e-9) + 1e-9
        assert all(each.holds is not False for each in found)


@settings(max_examples=40, deadline=None)
@given(problems())
def test_molg_keeps_its_promise_in_every_order(problem):
    rows = laplacian(problem.graph, rank=problem.n, normalized=True, unit_rows=True)
    labels = problem.rng.integers(0, 3, problem.n)
    promised = yang2018.any_order(rows, np.arange(problem.n), labels, 3).value
    for _ in range(ORDERS):
        order = problem.rng.permutation(problem.n)
        learner = MOLG(rows, 3, b=10.0, phi=0.0)
        learner.named[:] = True  # the text knows all classes beforehand
        guesses = learner.stream(order, labels[order]).guesses
        assert (guesses != labels[order]).sum() <= promised * (1 + 1e-9)


@pytest.mark.parametrize("seed", [263, 297])
def test_the_club_is_promised_what_every_order_keeps(seed):
    """One of these orders allows 1-proj 5.84 mistakes in hindsight; in the other it makes 9."""
    found = certify_played(
        CLUB.graph, CLUB.labels, learners=["1-proj"], settings=Settings(seed=seed)
    )
    best = tightest(found)
    assert (best.theorem, best.value, best.any_order) == ("3.2", 21.0, True)
    later = next(each for each in found if each.hindsight)
    assert later.value < best.value
    assert later.holds


def test_before_a_run_active_choice_promises_three():
    """(14) has no value when nothing was wrong later, and is no mean over the rest."""
    found = certify_played(CLUB.graph, CLUB.labels, learners=["act-st"])
    before, after = found
    assert (before.value, before.rounds, before.any_order) == (3.0, 24, True)
    assert after.hindsight
    assert after.actual == 0
    assert "none was made" in after.why


def test_the_perceptron_of_the_club_is_vacuous_as_printed():
    found = certify(CLUB.graph, CLUB.labels, learners=["perceptron"])
    by = {each.theorem: each for each in found}
    assert by["2.1"].vacuous
    assert by["2.1"].value == pytest.approx(34.0137, abs=1e-4)
    assert by["2.1, once"].value == 33
    assert by["2.1, once"].printed == pytest.approx(by["2.1"].value)


def hand_worked():
    """Rows 1 and 1 on a path of two nodes labelled +1 and -1, mu = 1: every round is wrong."""
    graph = Graph.from_edges([(0, 1)])
    rows = np.ones((2, 1))
    signs = np.array([1, -1])
    run = recorded(
        "ollgc", OLLGC(rows, mu=1.0), np.arange(2), signs, rows=rows, settings={"mu": 1.0}
    )
    return Problem(Measures(graph), Labelling(graph, signs)), run


def test_theorem_4_by_hand():
    """w = 0, then 1/2: losses 1 and 9/4. u = 0, so R = (1 + 9/4 - 2)/2; the log is ln(1 + 2)."""
    at, run = hand_worked()
    found = gu2013.regret(at, run)
    assert run.margins.tolist() == [0.0, 0.5]
    assert found.actual == pytest.approx(5 / 8)
    assert found.value == pytest.approx(9 / 4 / 2 * math.log(3))
    assert found.printed == pytest.approx(1.0 * 1 + 9 / 4 * math.log(3))
    assert "halve gamma" in found.correction
    assert found.hindsight
    before = gu2013.regret_in_any_order(at, run)
    gamma = (1 + math.sqrt(1 * 2 / 1.0)) ** 2  # no weight fits: the offline loss is 1 + 1
    assert before.value == pytest.approx(gamma / 2 * math.log(3))
    assert before.any_order


def test_corollary_5_by_hand():
    """The offline loss is 2; before a run, 2 rounds can be wrong, and both are."""
    at, run = hand_worked()
    found = gu2013.mistakes(at, run)
    assert found.value == pytest.approx(2 + math.log(3))
    assert found.printed == pytest.approx(1 + 9 / 4 * math.log1p(2))
    assert gu2013.mistakes_in_any_order(at, run).value == 2


@settings(max_examples=60, deadline=None)
@given(problems())
def test_theorem_4_lies_between_its_regret_and_the_formula_of_the_proof(problem):
    """The value is mu/2 |u|^2 + gamma/2 log|I + MM'/mu|, written again; no more, no less."""
    mu = float(problem.rng.choice([0.1, 1.0, 10.0]))
    rows = laplacian(problem.graph, rank=None, bias=2.0)
    order = problem.order()
    run = recorded(
        "ollgc", OLLGC(rows, mu=mu), order, problem.u[order], rows=rows, settings={"mu": mu}
    )
    at = Problem(Measures(problem.graph), Labelling(problem.graph, problem.u))
    wrong = run.labels * run.margins <= 0
    m = rows[order[wrong]]
    norm = problem.u @ problem.laplacian() @ problem.u + problem.u.mean() ** 2 / 2
    gamma = max(1.0, float(((run.margins - run.labels)[wrong] ** 2).max()))
    log_det = np.linalg.slogdet(np.eye(len(m)) + m @ m.T / mu)[1]
    expected = mu / 2 * norm + gamma / 2 * log_det
    assert gu2013.regret(at, run).value == pytest.approx(expected, rel=1e-4)


def test_one_query_is_made_where_the_printed_bound_allows_none():
    """Rows of length 1000, two rounds, one query; without B the logarithm promises .87 of one."""
    rows = np.array([[1000.0], [1000.0]])
    graph = Graph.from_edges([(0, 1)])
    signs, nodes = np.array([1, 1]), np.arange(2)
    mu = 1 / (math.exp(0.87 / 2**0.4) - 1)
    how = {"mu": mu, "kappa": 0.4, "every_label": 1.0}
    learner = SSLGC(rows, mu=mu, kappa=0.4, every_label=True)
    run = recorded("sslgc-every-label", learner, nodes, signs[nodes], rows=rows, settings=how)
    at = Problem(Measures(graph), Labelling(graph, signs))
    found = gu2013_selective.label_complexity(at, run, learner=gu2013_selective.EVERY)
    assert found.actual == 1
    assert found.printed == pytest.approx(0.87)
    assert found.value > 1
    assert "rows longer than 1" in found.correction


def test_theorem_7_as_printed_and_corrected():
    """Written again from (23): 4 (2 B cut + epsilon) / epsilon^2, and e ceil(1/kappa)!."""
    found = certify_played(CLUB.graph, CLUB.labels, learners=["sslgc-every-label"])
    before = next(each for each in found if each.theorem == "7" and each.any_order)
    rows = laplacian(CLUB.graph, rank=None, bias=2.0)
    longest, d, mu, kappa = np.square(rows).sum(axis=1).max(), rows.shape[1], 0.1, 0.4
    printed = math.inf
    for epsilon in np.linspace(0.02, 0.999, 200):
        bias = 4 * (2 * longest * 11 + epsilon) / epsilon**2
        unasked = 6 * (2 * (8 / epsilon**2) ** 2.5 + math.e * bias**2.5)
        asked = (16 / (math.e * epsilon**2) + bias) * d * math.log1p(34 / (mu * d))
        printed = min(printed, unasked + asked)
    assert math.ceil(1 / kappa) == 3
    assert before.printed == pytest.approx(printed)
    assert "e ceil(1/kappa)!" in before.correction
    assert before.value < before.printed


def test_every_certificate_says_what_it_knows():
    found = certify_played(CLUB.graph, CLUB.labels)
    assert {each.learner for each in found} == set(LEARNERS)
    assert {each.knows for each in found} == {"labels", "order", "run"}
    for each in found:
        told = each.as_dict()
        assert told["knows"] == each.knows
        assert told["any_order"] == (each.knows == "labels")
        assert told["hindsight"] == (each.knows == "run")
        if each.printed is not None:
            assert each.correction


def test_a_run_with_other_labels_is_not_held_against_the_promise():
    signs = np.where(CLUB.labels == 1, 1, -1)
    rows = laplacian(CLUB.graph, rank=None, bias=1.0)
    flipped = -signs
    run = recorded("perceptron", Perceptron(rows), np.arange(34), flipped, settings={"bias": 1.0})
    found = certify(CLUB.graph, CLUB.labels, run, learners=["perceptron"])
    before = [each for each in found if each.any_order]
    assert all(each.actual is None for each in before)
    assert all(each.actual is not None for each in found if each.hindsight)


@settings(max_examples=60, deadline=None)
@given(problems())
def test_cyclic_updates_are_bounded_in_every_order(problem):
    """Section 4.1 of 2005, with both labels there; and what the text makes of it is no smaller."""
    if abs(problem.u.sum()) == problem.n:
        return
    at = Problem(Measures(problem.graph), Labelling(problem.graph, problem.u), bias=0.0)
    promised = cyclic_updates(at, None)
    assert promised.any_order
    assert promised.value <= promised.printed * (1 + 1e-6)
    kernel = DenseColumns(problem.kernel())
    for _ in range(3):
        learner = Projections(kernel, strategy="all", cyclic=True, max_sweeps=10_000)
        order = problem.order()
        learner.stream(order, problem.u[order])
        assert learner.unfinished == 0
        assert learner.projected <= promised.value * (1 + 1e-6) + 1e-6


@settings(max_examples=40, deadline=None)
@given(problems(most=9))
def test_halving_keeps_its_promise_in_every_order(problem):
    """Told the cut, each mistake leaves at most half the labellings of exactly that cut."""
    at = Problem(Measures(problem.graph), Labelling(problem.graph, problem.u))
    promised = halving_mistakes(at, None)
    cut = int(promised.ingredients["cut"])
    worst = play_worst(Halving(problem.graph, cut=cut, exactly=True), problem.u)
    for order in (np.array(worst), problem.order()):
        learner = Halving(problem.graph, cut=cut, exactly=True)
        margins = learner.stream(order, problem.u[order]).margins
        guesses = np.where(margins >= 0, 1, -1)
        assert (guesses != problem.u[order]).sum() <= promised.value
        assert learner.exactly
        assert learner.cut == cut


def test_on_a_line_halving_is_promised_a_logarithm_and_the_perceptron_five_times_its_length():
    n = 12
    line = Graph.from_edges([(i, i + 1) for i in range(n - 1)])
    labels = (np.arange(n) >= n // 2).astype(int)
    by = {each.theorem: each for each in certify(line, labels, learners=["halving", "perceptron"])}
    assert by["5.2"].ingredients["labellings"] == 2 * (n - 1)
    assert by["5.2"].value == 4  # log2(22)
    assert by["(16)"].value == pytest.approx(4 * n)
    assert by["(16)"].value <= 5 * n + 5
    assert "at most 16 nodes" in certify(CLUB.graph, CLUB.labels, learners=["halving"])[0].why


def test_exactly_and_at_most_differ_and_a_cut_nobody_has_is_given_up():
    """A label pattern of cut 0 is no labelling of cut 1: the learner then believes in all."""
    path = Graph.from_edges([(0, 1), (1, 2)])
    most, exact = Halving(path, cut=1), Halving(path, cut=1, exactly=True)
    for learner in (most, exact):
        learner.learn(0, 1)
        learner.learn(1, 1)
    assert most.margin(2) == TIE  # as many labellings for each class: the known labels decide
    assert exact.margin(2) == -1.0
    exact.learn(2, 1)
    assert not exact.exactly
    assert exact.margin(np.arange(3)).tolist() == [1.0, 1.0, 1.0]
