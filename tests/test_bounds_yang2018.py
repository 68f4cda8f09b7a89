"""Theorems 2, 3 and 4 of Yang 2018 hold, and say so when they do not apply."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_problems import CASES, problems

from lapwing import Graph
from lapwing.bandit import MOLGBandit
from lapwing.bounds import tightest, yang2018
from lapwing.bounds.theorems.yang2018_bandit import exploration_of_round, scheduled_regret
from lapwing.embed import laplacian
from lapwing.errors import InputError
from lapwing.online import MOLG


@st.composite
def streams(draw):
    """Rows of any length, two to four classes, labels of a linear rule, noise, or neither."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, d, k = draw(st.integers(2, 10)), draw(st.integers(1, 6)), draw(st.integers(2, 4))
    rows = rng.normal(size=(n, d)) * draw(st.sampled_from([0.1, 0.5, 2.0]))
    linear = np.argmax(rows @ rng.normal(size=(d, k)), axis=1)
    labels = linear if draw(st.booleans()) else rng.integers(0, k, size=n)
    nodes = rng.integers(0, n, size=draw(st.integers(1, 40)))
    longest = float(np.square(rows).sum(axis=1).max())
    return rows, nodes, labels[nodes], k, longest * draw(st.sampled_from([1.001, 1.5, 10.0]))


@CASES
@given(streams(), st.sampled_from([0.0, 0.1, 1.0, 10.0]))
def test_mistakes_never_exceed_theorems_2_and_3(stream, phi):
    rows, nodes, labels, k, b = stream
    found = yang2018.mistakes(MOLG(rows, k, b=b, phi=phi), nodes, labels)
    assert found.theorem == ("3" if phi else "2")
    assert found.holds


@CASES
@given(streams())
def test_no_order_exceeds_the_promise_made_before(stream):
    rows, nodes, labels, k, b = stream
    promised = yang2018.any_order(rows, nodes, labels, k, b=b)
    learner = MOLG(rows, k, b=b, phi=0.0)
    learner.named[:] = True  # the text knows all classes beforehand
    errors = (learner.stream(nodes, labels).guesses != labels).sum()
    assert errors <= promised.value * (1 + 1e-9)


@given(streams(), st.sampled_from([0.0, 1.0]))
def test_theorem_2_holds_for_any_comparator(stream, phi):
    """Not only for the one chosen: random U, exact sums."""
    rows, nodes, labels, k, b = stream
    learner = MOLG(rows, k, b=b, phi=phi)
    lessons = yang2018.lessons_of(learner, nodes, labels)
    A = b * np.eye(rows.shape[1]) + (lessons.rows.T * lessons.a) @ lessons.rows
    margins = lessons.a * phi * (lessons.a - 1) / 2  # a_t phi sigma_t, sigma = (a - 1) / 2
    aggressive = ~lessons.wrong
    for seed in range(5):
        U = np.random.default_rng(seed).normal(size=(k, rows.shape[1]))
        leads = ((U[lessons.labels] - U[lessons.rivals]) * lessons.rows).sum(axis=1)
        hinge = (lessons.a * np.maximum(0, 1 - leads)).sum()
        bound = hinge + np.einsum("kd,de,ke->", U, A, U) / 2
        bound += margins[aggressive].sum() - aggressive.sum()
        assert lessons.mistakes <= bound + 1e-7 * max(1, bound)


def test_theorem_4_holds_where_it_applies_and_says_what_it_needs():
    rng = np.random.default_rng(0)
    rows = np.linalg.qr(rng.normal(size=(8, 8)))[0]
    labels = rng.integers(0, 3, size=8)
    nodes = np.arange(8)
    u, fits = yang2018.signs_fitted(rows, nodes, labels, 3)
    assert fits
    wide = yang2018.exploration_asked(u, 10.0, 8, gamma=4.0)
    bandit = MOLGBandit(rows, 3, b=10.0, phi=math.inf, exploration=wide)
    found = yang2018.regret(bandit, nodes, labels)
    assert found.applies
    assert found.holds
    assert found.vacuous  # eight rounds are too few for a square root with such constants
    narrow = MOLGBandit(rows, 3, b=10.0, phi=math.inf, exploration=0.05)
    assert "needs exploration of at least" in yang2018.regret(narrow, nodes, labels).why
    short = MOLGBandit(rows[:, :2] / 2, 3, b=10.0, phi=math.inf, exploration=wide)
    assert "hold the labelling exactly" in yang2018.regret(short, nodes, labels).why
    long = MOLGBandit(rows * 2, 3, b=10.0, phi=math.inf, exploration=wide)
    assert "rows of length at most 1" in yang2018.regret(long, nodes, labels).why


def test_other_codings_and_weights_have_no_theorem():
    nodes, labels = np.arange(3), np.array([0, 1, 0])
    for settings in ({"coding": "one-hot"}, {"weight": 1.0}):
        found = yang2018.mistakes(MOLG(np.eye(3), 2, **settings), nodes, labels)
        assert not found.applies
        assert "needs coding 'pairs'" in found.why


def test_on_cora_the_bound_says_something(dataset):
    cora = dataset("cora").largest_component()
    before, without, with_margin, _ = yang2018.certified(
        cora.graph, cora.labels, learners=["molg-f"]
    )
    for found in (before, without, with_margin):
        assert found.holds
        assert not found.vacuous
    assert tightest([before, without, with_margin]) is before  # the others speak in hindsight
    assert with_margin.value < without.value


def test_unknown_learners_are_named():
    with pytest.raises(InputError, match="learner must be one of molg-f, molg-b, got 'oslg'"):
        yang2018.certified(Graph.from_edges([(0, 1)]), np.array([0, 1]), learners=["oslg"])


@CASES
@given(streams(), st.sampled_from([0.0, 1.0, 10.0]))
def test_the_discussion_of_theorem_3(stream, phi):
    rows, nodes, labels, k, b = stream
    found = yang2018.regret_of_mistakes(MOLG(rows, k, b=b, phi=phi), nodes, labels)
    assert found.holds


def test_theorem_4_with_its_own_exploration():
    rng = np.random.default_rng(0)
    rows = np.linalg.qr(rng.normal(size=(8, 8)))[0]
    labels = rng.integers(0, 3, size=8)
    bandit = MOLGBandit(rows, 3, b=10.0, phi=math.inf)
    found = scheduled_regret(bandit, np.arange(8), labels)
    assert found.applies
    assert found.holds
    assert found.hindsight
    assert (
        "needs phi infinite"
        in scheduled_regret(MOLGBandit(rows, 3, b=10.0), np.arange(8), labels).why
    )
    first = exploration_of_round(bandit.inverses * 0 + np.eye(8) / 10, 4.0, 10.0, 1, gamma=4)
    later = exploration_of_round(bandit.inverses, 4.0, 10.0, 8, gamma=4)
    assert (later > first).all()
    by_hand = 10 / 9 * math.sqrt(4 * 9 * 4 + 144 * math.log(5 / 0.05))
    np.testing.assert_allclose(first, by_hand)


@CASES
@given(st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.3, 3.0]))
def test_theorem_1(seed, more):
    """The prediction that is best against the worst label, found by solving the game itself.

    F = alpha |y|^2 + 2 beta.y + |f|^2 with beta = a B'A_T^-1 x - f. Where alpha < 0 the worst y is
    -beta / alpha, and no f does better than the theorem's, whose largest entry is that of
    B_{T-1}'A_{T-1}^-1 x; where alpha = 0 every f but that one loses without bound.
    """
    rng = np.random.default_rng(seed)
    d, k = int(rng.integers(1, 5)), int(rng.integers(2, 5))
    past = rng.normal(size=(6, d)) / np.sqrt(d)
    A = 10 * np.eye(d) + past.T @ past
    B = past.T @ rng.normal(size=(6, k))
    x = rng.normal(size=d) / np.sqrt(d)
    q = x @ np.linalg.solve(A, x)
    a = (1 + more) / (1 - q)
    now = A + a * np.outer(x, x)
    alpha = (1 + a * q - a) / (1 + a * q)
    centre = a * B.T @ np.linalg.solve(now, x)
    told = B.T @ np.linalg.solve(A, x)
    assert alpha <= 1e-12
    if more == 0.0:
        np.testing.assert_allclose(centre, told, atol=1e-12)  # beta = 0 only at the prediction
        return

    def worst(f):
        beta = centre - f
        return f @ f - beta @ beta / alpha

    best = centre / (1 - alpha)
    assert np.argmax(best) == np.argmax(told)
    for _ in range(20):
        assert worst(best) <= worst(best + rng.normal(size=k)) + 1e-9
        y = rng.normal(size=k) * 5
        value = alpha * y @ y + 2 * (centre - best) @ y + best @ best
        assert value <= worst(best) + 1e-9


@CASES
@given(problems())
def test_the_remark_on_weights_holds_without_its_trace(problem):
    """a_t <= b / (b - 1) and log|A / b| as printed; tr(U'AU) is b |U|^2 more than printed."""
    rows = laplacian(problem.graph, rank=problem.n, normalized=True, unit_rows=True)
    labels, b = problem.rng.integers(0, 3, problem.n), 2.0
    order = problem.rng.permutation(problem.n)
    learner = MOLG(rows, 3, b=b, phi=1.0)
    lessons = yang2018.lessons_of(learner, order, labels[order])
    most, d = b / (b - 1), rows.shape[1]
    assert (lessons.a <= most * (1 + 1e-9)).all()
    gram = (lessons.rows.T * lessons.a) @ lessons.rows
    whole = b * np.eye(d) + gram
    log_det = np.linalg.slogdet(whole / b)[1]
    assert log_det <= d * np.log1p(problem.n * most / (d * b)) + 1e-9
    weights = learner.weights
    trace, norm = np.trace(weights @ whole @ weights.T), (weights**2).sum()
    assert trace <= len(lessons.a) * most * norm + b * norm + 1e-9
    assert trace == pytest.approx(np.trace(weights @ gram @ weights.T) + b * norm)
