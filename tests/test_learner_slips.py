"""Learners that allow for wrong labels, against slow twins and by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import log_softmax

from lapwing import make
from lapwing.active import suspicion
from lapwing.active.suspicion import LEAST, RATES, RIGHT, SHARPER, SPREAD, WRONG
from lapwing.data import planted_partition
from lapwing.errors import InputError
from lapwing.learner import NO_SLIPS, Slips, said_chances, slip_after
from lapwing.online.near_far.temperature import HALF_LIFE, Temperature
from lapwing.online.pool.balance import POWERS, USUAL, Balance, Shares
from lapwing.online.pool.balance import SPREAD as POWER_SPREAD
from lapwing.online.pool.worth import STRENGTH, worth_of

FOUND = planted_partition(n=150, communities=(30, 60), seed=3)


def taught(count=60, seed=0):
    """A pool with some labels of which one in ten is wrong, and the nodes in order."""
    rng = np.random.default_rng(seed)
    nodes = rng.permutation(FOUND.graph.n_nodes)[:count].tolist()
    kinds = int(FOUND.labels.max()) + 1
    said = {n: int((FOUND.labels[n] + (rng.random() < 0.1)) % kinds) for n in nodes}
    pool = make("pool", FOUND.graph)
    for node, label in said.items():
        pool.learn(node, label)
    return pool, said


def test_said_chances_sum_to_one_and_agree_with_counting():
    rng = np.random.default_rng(0)
    right = rng.dirichlet(np.ones(4), size=5)
    said = said_chances(right, np.full((5, 1), 0.3), 4)
    assert said.sum(axis=1) == pytest.approx(np.ones(5))
    for row, each in zip(right, said, strict=True):
        by_hand = [0.7 * row[k] + sum(0.1 * row[j] for j in range(4) if j != k) for k in range(4)]
        assert each == pytest.approx(by_hand)
    assert np.array_equal(said_chances(right, np.zeros((5, 1)), 4), right)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=4), st.floats(0.01, 0.4))
def test_slips_after_several_answers_are_those_of_bayes(named, rate):
    order = [named[-1], *[k for k in range(4) if k != named[-1]]]
    times = np.array([[named.count(k) for k in order]])
    likely = [np.prod([1 - rate if a == k else rate / 3 for a in named]) for k in order]
    assert slip_after(times, rate)[0] == pytest.approx(1 - likely[0] / sum(likely), abs=1e-9)


def test_temperature_maximises_the_likelihood_through_the_slips():
    rng = np.random.default_rng(1)
    heat, rows = Temperature(), []
    for node in range(80):
        z = np.log(rng.dirichlet(np.ones(3)) + 1e-3)
        label = int(z.argmax()) if rng.random() < 0.8 else int(rng.integers(3))
        heat.note(node, z, label)
        rows.append((z, label))
    heat.slips = Slips(0.1, {3: 0.4})

    grid = np.geomspace(0.2, 5.0, 4001)
    values = -heat.strength * np.log(grid / heat.prior) ** 2
    for at, (z, label) in enumerate(rows):
        chances = np.exp(log_softmax(grid[:, None] * z, axis=1))[:, label]
        weight = 0.5 ** ((80 - at) / (HALF_LIFE * 80))
        slip = 0.4 if at == 3 else 0.1
        values += weight * np.log((1 - slip) * chances + slip * (1 - chances) / 2)
    best = grid[np.argmax(values)]
    assert heat.value() == pytest.approx(best, rel=2e-3)
    heat.slips = NO_SLIPS
    assert heat.value() < best


def test_the_balance_reads_answers_through_the_slips():
    balance, shares = Balance(), Shares.among(np.array([15.0, 3.0]))
    logs = -0.5 * ((POWERS - USUAL) / POWER_SPREAD) ** 2
    balance.slips = Slips(0.2)
    for node in range(12):
        balance.note(node, np.array([0.8, 0.2]), shares, node % 2, counts=0.5)
        for place, power in enumerate(POWERS):
            raised = np.array([0.8, 0.2]) * shares.lifts(power)
            right = raised[node % 2] / raised.sum()
            logs[place] += 0.5 * np.log(0.8 * right + 0.2 * (1 - right))
    weights = np.exp(logs - logs.max())
    assert balance.value() == pytest.approx(weights @ POWERS / weights.sum())


def test_the_worth_of_an_expert_is_read_through_the_slips():
    rng = np.random.default_rng(2)
    labels = rng.integers(3, size=60)
    thoughts = np.log(rng.dirichlet(np.ones(3), size=(1, 60)) + 0.4 * np.eye(3)[labels] + 0.01)
    slips = np.full(60, 0.15)
    found = worth_of(thoughts, labels, np.ones(60), np.ones(1), slips)

    def lost(sharpness):
        chances = np.exp(log_softmax(sharpness * thoughts[0], axis=1))[np.arange(60), labels]
        return STRENGTH * (sharpness - 1) ** 2 - np.log(said_chances(chances, slips, 3)).sum()

    grid = np.linspace(0.2, 4.0, 3801)
    best = grid[np.argmin([lost(s) for s in grid])]
    assert found.sharpness[0] == pytest.approx(best, abs=5e-3)
    assert found.losses[0] == pytest.approx(lost(best), abs=1e-3)


def test_suspicion_is_the_mean_over_shares_and_exponents():
    rng = np.random.default_rng(3)
    chances = rng.dirichlet(np.ones(3), size=7)
    answers, groups = rng.integers(3, size=7), np.array([0, 0, 0, 1, 1, 1, 1])
    found = suspicion(chances, answers, None, groups)
    total, wrong, rate = 0.0, np.zeros(7), 0.0
    for share in RATES:
        for one in SHARPER:
            for two in SHARPER:
                sharper = np.where(groups == 0, one, two)[:, None]
                q = np.exp(log_softmax(sharper * np.log(chances + LEAST), axis=1))
                right = (1 - share) * q[np.arange(7), answers]
                other = share / 2 * (1 - q[np.arange(7), answers])
                believed = sum(np.log(each) ** 2 for each in (one, two)) / (2 * SPREAD**2)
                weight = share**WRONG * (1 - share) ** (RIGHT - 1) * np.exp(-believed)
                weight *= np.prod(right + other)
                total += weight
                rate += weight * share
                wrong += weight * other / (right + other)
    assert found.wrong == pytest.approx(wrong / total)
    assert found.rate == pytest.approx(rate / total)
    with pytest.raises(InputError, match="groups must have one number per answer"):
        suspicion(chances, answers, None, groups[:3])


def test_a_doubted_label_teaches_nothing_but_its_guess_is_remembered():
    pool, said = taught()
    node = list(said)[20]
    noted, heat, lost = list(pool.noted), pool.finish.heat.value(), pool.losses
    pool.doubt(node)
    assert node not in pool.labels
    assert list(pool.noted) == noted
    assert pool.finish.heat.value() == heat
    pool.learn(node, said[node])
    assert list(pool.noted) == noted
    assert pool.labels[node] == said[node]
    assert (pool.finish.heat.value(), pool.losses.tolist()) == (heat, lost.tolist())
    pool.doubt(node)
    pool.learn(node, (said[node] + 1) % pool.n_classes)
    assert list(pool.noted)[-1] == node  # another answer is guessed anew


def test_a_doubted_label_that_is_withdrawn_was_never_given():
    pool, said = taught()
    node = list(said)[20]
    forgetful, _ = taught()
    forgetful.withdraw(node)
    pool.doubt(node)
    pool.withdraw(node)
    every = np.arange(FOUND.graph.n_nodes)
    assert pool.predict_proba(every) == pytest.approx(forgetful.predict_proba(every), abs=1e-9)


def test_no_slips_change_nothing():
    pool, _ = taught()
    pool.expect_slips(NO_SLIPS)  # fits at once
    every = np.arange(FOUND.graph.n_nodes)
    before = pool.predict_proba(every)
    pool.expect_slips(Slips(0.2))
    assert not np.allclose(pool.predict_proba(every), before)
    assert pool.regret <= pool.regret_bound
    pool.expect_slips(NO_SLIPS)
    assert np.array_equal(pool.predict_proba(every), before)
