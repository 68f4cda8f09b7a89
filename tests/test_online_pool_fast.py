"""What the pool computes in a fast way, held to the straightforward one."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lapwing.online.pool.expert import FLOOR
from lapwing.online.pool.inner_products import InnerProducts
from lapwing.online.pool.leave_one_out import fit_by_products, judged_ridge_fit, ridge_fit


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(st.integers(0, 59), max_size=50, unique=True), max_size=6))
def test_inner_products_do_not_depend_on_what_was_asked_before(asked):
    rows = np.random.default_rng(0).normal(size=(60, 9)).astype(np.float32)
    inner = InnerProducts()
    for nodes in asked:
        wanted = np.array(nodes, dtype=np.intp)
        found = inner.of(rows, wanted).copy()
        held = rows[wanted].astype(float)
        np.testing.assert_allclose(found, held @ held.T, atol=1e-12)
        np.testing.assert_array_equal(found, InnerProducts().of(rows, wanted))
    other = rows[::-1]
    np.testing.assert_array_equal(
        inner.of(other, np.arange(5)), InnerProducts().of(other, np.arange(5))
    )


def test_a_fit_by_inner_products_is_the_fit_on_rows():
    rng = np.random.default_rng(1)
    labels = rng.integers(3, size=40)
    rows = rng.normal(size=(40, 60)) + np.eye(3, 60)[labels]
    targets = labels[:, None] == np.arange(3)
    found = fit_by_products(rows @ rows.T, targets, usual=0.3, floor=FLOOR)
    weights, means = ridge_fit(rows, targets, found.penalty)
    np.testing.assert_allclose(found.weights(rows), weights, atol=1e-9)
    np.testing.assert_allclose(found.means, means)
    wide = judged_ridge_fit(rows, targets, usual=0.3, floor=FLOOR)
    few = judged_ridge_fit(rows[:, :30], targets, usual=0.3, floor=FLOOR)  # by columns
    by_label = fit_by_products(rows[:, :30] @ rows[:, :30].T, targets, usual=0.3, floor=FLOOR)
    for one, other in ((found, wide), (few, by_label)):
        assert one.penalty == other.penalty
        np.testing.assert_allclose(one.left_out, other.left_out, atol=1e-9)


def test_products_that_are_not_definite_still_have_a_root():
    products = -1e-3 * np.ones((4, 4))  # as far off as rounding never is
    targets = np.array([0, 1, 0, 1])[:, None] == np.arange(2)
    fit = fit_by_products(products, targets, usual=0.003, floor=FLOOR, penalty=0.003)
    assert np.isfinite(fit.left_out).all()
