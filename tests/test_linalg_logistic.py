"""Logistic regression between two classes against a slow twin."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from lapwing.linalg.logistic import logistic_coefficients


@pytest.mark.parametrize(("count", "width"), [(40, 3), (230, 31), (60, 400)])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_coefficients_are_those_of_a_slow_twin(count, width, kind):
    rng = np.random.default_rng([count, width])
    rows = rng.normal(size=(count, width)).astype(kind)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    truth = rows[:, 0] + 0.1 * rng.normal(size=count) > 0.05
    weights = rng.uniform(0.02, 1.0, count)
    found = logistic_coefficients(rows, truth, weights, penalty=0.1)
    twin = LogisticRegression(C=10.0, max_iter=1000, tol=1e-9)
    twin.fit(rows.astype(np.float64), truth, sample_weight=weights)
    np.testing.assert_allclose(rows @ found[:-1] + found[-1], twin.decision_function(rows),
                               atol=0.02)  # fmt: skip


def test_nothing_is_learned_from_columns_that_say_nothing():
    truth = np.arange(8) < 2
    found = logistic_coefficients(np.zeros((8, 3)), truth, np.ones(8), penalty=0.1)
    np.testing.assert_allclose(found, [0.0, 0.0, 0.0, np.log(2 / 6)], atol=1e-3)
