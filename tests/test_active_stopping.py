"""The error bound on a finite graph: it holds, it needs fewer audits, and it ends at zero."""

import numpy as np
import pytest

from lapwing.active import error_estimate
from lapwing.errors import InputError

SIMULATIONS = 200


def broken(rng, n, share, *, audits_in, mends=0.0):
    """Whether the bound was ever below the true error while all nodes were asked one by one.

    Of each `audits_in` questions one is an audit; the others take a node at random. With `mends`,
    each question also corrects that share of the wrong guesses.
    """
    wrong = rng.permutation(n) < round(share * n)
    free = list(range(n))
    record, left = [], []
    for t in range(n):
        node = free[rng.integers(len(free))]
        if t % audits_in == 0:
            record.append(bool(wrong[node]))
            left.append(len(free))
        free.remove(node)
        if mends:
            wrong &= rng.random(n) >= mends
        if not free or t % 8:
            continue
        found = error_estimate(record, left=[*left, len(free)], n_nodes=n)
        if found.upper < wrong[free].mean() - 1e-12:
            return True
    return False


@pytest.mark.parametrize(
    ("n", "share", "audits_in", "mends"),
    [(40, 0.3, 1, 0.0), (60, 0.1, 1, 0.0), (60, 0.2, 4, 0.0), (80, 0.4, 2, 0.05)],
)
def test_the_bound_on_a_small_graph_holds_at_every_moment(n, share, audits_in, mends):
    rng = np.random.default_rng(n + audits_in)
    failures = sum(
        broken(rng, n, share, audits_in=audits_in, mends=mends) for _ in range(SIMULATIONS)
    )
    assert failures <= 0.05 * SIMULATIONS


def test_a_small_graph_needs_fewer_audits_to_stop():
    """Of 105 nodes every second question is an audit and none is wrong."""

    def audits_to_stop(finite):
        for count in range(1, 53):
            left = list(range(105, 104 - 2 * count, -2)) if finite else None
            if error_estimate([False] * count, left=left).below(0.1):
                return count
        return None

    assert audits_to_stop(finite=False) == 42
    assert audits_to_stop(finite=True) == 25


def test_nothing_is_left_when_every_node_was_asked():
    done = error_estimate([True] * 5 + [False] * 30, left=range(35, -1, -1))
    assert (done.estimate, done.lower, done.upper, done.overall) == (0.0, 0.0, 0.0, 0.0)
    assert done.below(1e-9)
    assert str(done) == "no error is left: every node has been asked about"


def test_a_large_graph_gives_the_bound_without_a_population():
    wrong = [True] * 12 + [False] * 60
    finite = error_estimate(wrong, left=range(10**6, 10**6 - 73, -1))
    assert finite.upper == pytest.approx(error_estimate(wrong).upper, abs=0.003)
    assert error_estimate([], left=[7]).upper == 1.0


@pytest.mark.parametrize("wrong", [[-1], [2], [1.5], ["a"], [None], [float("nan")], 3, "a", None])
def test_audits_are_true_or_false(wrong):
    with pytest.raises(InputError, match="wrong must be a flat list of true and false"):
        error_estimate(wrong)


@pytest.mark.parametrize("bad", [-1, 1.5, "a", None, float("nan"), True])
def test_the_numbers_of_nodes_left_are_checked(bad):
    with pytest.raises(InputError, match="left must be"):
        error_estimate([False], left=[5, bad])


@pytest.mark.parametrize("bad", [-1, 1.5, "a", float("nan"), True])
def test_the_number_of_all_nodes_is_checked(bad):
    with pytest.raises(InputError, match="n_nodes must be"):
        error_estimate([False], left=[5, 4], n_nodes=bad)


def test_the_lengths_and_the_confidence_are_checked():
    with pytest.raises(InputError, match="left must have 2 entries, got 1"):
        error_estimate([False], left=[5])
    with pytest.raises(InputError, match="left must be at least 1 where an audit was drawn"):
        error_estimate([False], left=[0, 0])
    with pytest.raises(InputError, match="n_nodes must be at least 5, got 3"):
        error_estimate([False], left=[5, 4], n_nodes=3)
    for confidence in (0, 1, 2, float("nan"), "a", None):
        with pytest.raises(InputError, match="confidence must"):
            error_estimate([False], confidence=confidence)
