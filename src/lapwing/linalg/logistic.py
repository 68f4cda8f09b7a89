"""Logistic regression between two classes, for few labels and any number of columns."""

from __future__ import annotations

from importlib import import_module

import numpy as np
from scipy.special import expit

from lapwing.linalg.threads import one_thread
from lapwing.types import Array, Mask

TOLERANCE, ROUNDED, MOST_STEPS = 1e-4, 64 * np.finfo(float).eps, 200
"""The largest slope of the mean loss, and the change of that loss, at which to stop."""


def logistic_coefficients(rows: Array, truth: Mask, weights: Array, *, penalty: float) -> Array:
    r"""Return coefficients ``(columns + 1,)``, the constant last.

    They minimise :math:`\sum_l w_l \log(1 + e^{\mp (x_l \cdot c + b)}) + \frac{r}{2} |c|^2`, the
    sign by `truth`; the constant b is free. L-BFGS steps from zeros on: the result depends on the
    labels alone. A step costs two products with the rows.

    Examples
    --------
    >>> rows, truth = np.array([[1.0], [-1.0]]), np.array([True, False])
    >>> logistic_coefficients(rows, truth, np.ones(2), penalty=0.1)[0].round(2).item()
    2.13
    """
    share, firm = weights / weights.sum(), penalty / weights.sum()
    rows = np.asarray(rows, dtype=np.float64)
    signs = np.where(truth, -1.0, 1.0)

    def loss(fit: Array) -> tuple[float, Array]:
        found = rows @ fit[:-1] + fit[-1]
        pull = share * (expit(found) - truth)
        value = share @ np.logaddexp(0.0, signs * found) + 0.5 * firm * (fit[:-1] @ fit[:-1])
        return float(value), np.append(pull @ rows + firm * fit[:-1], pull.sum())

    minimize = import_module("scipy.optimize").minimize  # slow to import
    how = {"gtol": TOLERANCE, "ftol": ROUNDED, "maxiter": MOST_STEPS, "maxls": 50}
    with one_thread():  # for so small a problem, threads wait for each other
        start = np.zeros(rows.shape[1] + 1)
        return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B", options=how).x)
