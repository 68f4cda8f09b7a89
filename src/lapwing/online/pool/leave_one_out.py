"""Ridge regression, and what it says of each label without that label."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lapwing.types import Array, Mask

PENALTIES = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
PRICE = 1.0
"""What a penalty ten times larger or smaller than the usual one costs, in log loss."""
MOST = 1_000
"""The largest number of labels that a penalty is chosen on, the latest ones."""


class RidgeFit(NamedTuple):
    """Weights and means of a regression, its penalty, and its values for labels left out."""

    weights: Array
    means: Array
    penalty: float
    left_out: Array
    """One row per label, of the latest 1,000: what the regression says of it without it."""


def ridge_fit(rows: Array, targets: Mask, ridge: float) -> tuple[Array, Array]:
    """Return the weights and means of ridge regression on one 0/1 target per class.

    Examples
    --------
    >>> weights, means = ridge_fit(np.array([[1.0], [-1.0]]), np.eye(2, dtype=bool), 0.5)
    >>> weights.round(2).tolist(), means.tolist()
    ([[0.4, -0.4]], [0.5, 0.5])
    """
    means = targets.mean(axis=0)
    t, d = rows.shape
    if t < d:
        kernel = rows @ rows.T + ridge * np.eye(t)
        return rows.T @ np.linalg.solve(kernel, targets - means), means
    gram = rows.T @ rows + ridge * np.eye(d)
    return np.linalg.solve(gram, rows.T @ (targets - means)), means


def judged_ridge_fit(
    rows: Array, targets: Mask, *, usual: float, floor: float, adapts: bool = True
) -> RidgeFit:
    r"""Fit with the penalty whose values predict labels best that are left out one by one.

    With :math:`M = K (K + p I)^{-1}` for inner products K and penalty p, and the mean
    :math:`\bar y_{-i}` of the other labels, the value of label i without itself is exactly
    :math:`y_i - [(I - M)(y - \bar y_{-i} 1)]_i / (1 - M_{ii})`: one eigendecomposition serves all
    labels and penalties. Values below `floor` are raised to it and scaled to probabilities; their
    log loss decides, plus a price for leaving the usual penalty. A class's only label does not
    count. With few labels the usual penalty stays, and always unless the regression `adapts`.

    Examples
    --------
    Rows that tell the class deserve a small penalty, rows that do not a large one:

    >>> classes = np.arange(40) % 2
    >>> targets = classes[:, None] == np.arange(2)
    >>> told = np.where(targets, 1.0, -1.0)
    >>> noise = np.random.default_rng(0).normal(size=(40, 30))
    >>> fits = [judged_ridge_fit(rows, targets, usual=0.1, floor=0.01) for rows in (told, noise)]
    >>> [fit.penalty for fit in fits], fits[0].left_out[0].round(2).tolist()
    ([0.1, 3.0], [1.0, -0.0])
    """
    latest, known = rows[-MOST:], targets[-MOST:]
    left, values = _directions(latest)
    both = np.hstack([known.astype(np.float64), np.ones((len(known), 1))])
    count, means = len(known), known.mean(axis=0)
    others = (count * means - known) / max(count - 1, 1)
    told = (known & (known.sum(axis=0) > 1)).any(axis=1)
    best, least = RidgeFit(np.empty((0, 0)), means, usual, np.empty((0, 0))), np.inf
    for penalty in PENALTIES if adapts else (usual,):
        rest, share = _beyond(left, values, penalty, both)
        without = known - (rest[:, :-1] - rest[:, -1:] * others) / np.maximum(share, 1e-12)[:, None]
        shares = np.maximum(without, floor)
        right = (shares * known).sum(axis=1) / shares.sum(axis=1)
        lost = PRICE * abs(np.log10(penalty / usual)) - float(np.log(right[told]).sum())
        if lost < least:
            best, least = best._replace(penalty=penalty, left_out=without), lost
    if len(rows) > MOST:
        weights, means = ridge_fit(rows, targets, best.penalty)
    else:
        along = left.T @ (known - means)
        weights = latest.T @ (left @ (along / (values + best.penalty)[:, None]))
    return best._replace(weights=weights, means=means)


def _beyond(left: Array, values: Array, penalty: float, known: Array) -> tuple[Array, Array]:
    """Return (I - M) applied to these columns, and the diagonal of I - M."""
    if left.shape[0] == left.shape[1]:  # all directions: no difference of nearly equal numbers
        lost = penalty / (values + penalty)
        return left @ (lost[:, None] * (left.T @ known)), np.square(left) @ lost
    kept = values / (values + penalty)
    return known - left @ (kept[:, None] * (left.T @ known)), 1.0 - np.square(left) @ kept


def _directions(rows: Array) -> tuple[Array, Array]:
    """Left singular vectors of the rows and the squares of their singular values."""
    if len(rows) <= rows.shape[1]:
        values, left = np.linalg.eigh(rows @ rows.T)
        return left, np.maximum(values, 0.0)
    values, right = np.linalg.eigh(rows.T @ rows)
    kept = values > 1e-9 * max(float(values[-1]), 1e-300)
    return rows @ right[:, kept] / np.sqrt(values[kept]), values[kept]
