"""Ridge regression, and what it says of each label without that label."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotri

from lapwing.linalg.ridge.triangle import mirror
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
    rows: Array, targets: Mask, *, usual: float, floor: float, penalty: float | None = None
) -> RidgeFit:
    r"""Fit with the penalty whose values predict labels best that are left out one by one.

    With :math:`M = K (K + p I)^{-1}` for inner products K and penalty p, and the mean
    :math:`\bar y_{-i}` of the other labels, the value of label i without itself is exactly
    :math:`y_i - [(I - M)(y - \bar y_{-i} 1)]_i / (1 - M_{ii})`: one inverse serves all labels.
    Values below `floor` are raised to it and scaled to probabilities; their log loss decides, plus
    a price for leaving the usual penalty. A class's only label does not count. From the usual
    penalty on, the next smaller or larger one is taken as long as it is better. A given `penalty`
    is kept.

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
    judge = _Judge(rows[-MOST:], targets[-MOST:], usual, floor)
    best = judge.at(usual if penalty is None else penalty)
    if penalty is None:
        start = PENALTIES.index(usual)
        for way in (PENALTIES[start + 1 :], PENALTIES[:start][::-1]):
            better = False
            for other in way:
                found = judge.at(other)
                if found.lost >= best.lost:
                    break
                best, better = found, True
            if better:
                break
    if len(rows) > MOST:
        weights, means = ridge_fit(rows, targets, best.penalty)
    else:
        weights, means = judge.weights(best.inverse), judge.means
    return RidgeFit(weights, means, best.penalty, best.left_out)


class _Judged(NamedTuple):
    lost: float
    penalty: float
    inverse: Array
    left_out: Array


class _Judge:
    """Inner products of labels, or of columns where these are fewer, and what follows from them."""

    def __init__(self, rows: Array, targets: Mask, usual: float, floor: float) -> None:
        self.rows, self.known, self.usual, self.floor = (
            rows,
            targets.astype(np.float64),
            usual,
            floor,
        )
        self.by_label = len(rows) <= rows.shape[1]
        self.products = rows @ rows.T if self.by_label else rows.T @ rows
        count = len(rows)
        self.means = self.known.mean(axis=0)
        self.others = (count * self.means - self.known) / max(count - 1, 1)
        self.both = np.hstack([self.known, np.ones((count, 1))])
        self.told = (targets & (targets.sum(axis=0) > 1)).any(axis=1)

    def at(self, penalty: float) -> _Judged:
        """What a penalty says of labels left out, and its loss."""
        inverse = _inverse(self.products, penalty)
        if self.by_label:
            rest, share = inverse @ self.both, np.diagonal(inverse)
        else:
            solved = self.rows @ inverse
            rest = self.both - solved @ (self.rows.T @ self.both)
            share = 1.0 - np.einsum("ij,ij->i", solved, self.rows)
        beyond = rest[:, :-1] - rest[:, -1:] * self.others
        without = self.known - beyond / np.maximum(share, 1e-12)[:, None]
        shares = np.maximum(without, self.floor)
        right = (shares * self.known).sum(axis=1) / shares.sum(axis=1)
        price = PRICE * abs(np.log10(penalty / self.usual))
        return _Judged(price - float(np.log(right) @ self.told), penalty, inverse, without)

    def weights(self, inverse: Array) -> Array:
        """The weights of all labels, from the inverse for a penalty."""
        apart = self.known - self.means
        if self.by_label:
            return np.asarray(self.rows.T @ (inverse @ apart))
        return np.asarray(inverse @ (self.rows.T @ apart))


def _inverse(products: Array, penalty: float) -> Array:
    """The inverse of positive semi-definite products plus a multiple of the identity."""
    raised = products.copy(order="F")
    raised.flat[:: len(products) + 1] += penalty
    factor, failed = dpotrf(raised, lower=1, overwrite_a=1)
    found, failed_too = dpotri(factor, lower=1, overwrite_c=1)
    if failed or failed_too:
        return np.asarray(
            np.linalg.pinv(products + penalty * np.eye(len(products)), hermitian=True)
        )
    mirror(found)
    return np.asarray(found)
