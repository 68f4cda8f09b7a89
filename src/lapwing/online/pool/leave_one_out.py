"""Ridge regression, and what it says of each label without that label."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np
from numba import njit
from scipy.linalg.lapack import dpotrf, dtrtri

from lapwing.types import Array, Mask

PENALTIES = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
PRICE = 1.0
"""What a penalty ten times larger or smaller than the usual one costs, in log loss."""
MOST = 1_000
"""The largest number of labels that a penalty is chosen on, the latest ones."""


class RidgeFit(NamedTuple):
    """What a regression found: its penalty, its means, and its values for labels left out.

    The weights of columns are there, or one pull per label where labels are fewer: then the weights
    are the labels' rows, transposed, times the pulls.
    """

    means: Array
    penalty: float
    left_out: Array
    """One row per label, of the latest 1,000: what the regression says of it without it."""
    found: Array
    by_label: bool

    def weights(self, rows: Array) -> Array:
        """Return the weights of columns, given the labels' rows."""
        return np.asarray(rows.T @ self.found) if self.by_label else self.found


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
    rows: Array,
    targets: Mask,
    *,
    usual: float,
    floor: float,
    penalty: float | None = None,
) -> RidgeFit:
    r"""Fit with the penalty whose values predict labels best that are left out one by one.

    With :math:`M = K (K + p I)^{-1}` for inner products K and penalty p, and the mean
    :math:`\bar y_{-i}` of the other labels, the value of label i without itself is exactly
    :math:`y_i - [(I - M)(y - \bar y_{-i} 1)]_i / (1 - M_{ii})`: one factor serves all labels.
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
    if len(rows) <= rows.shape[1] and len(rows) <= MOST:
        return fit_by_products(rows @ rows.T, targets, usual=usual, floor=floor, penalty=penalty)
    best = _best(_ByColumn(rows[-MOST:], targets[-MOST:], usual, floor), penalty)
    if len(rows) > MOST:
        weights, means = ridge_fit(rows, targets, best.penalty)
        return RidgeFit(means, best.penalty, best.left_out, weights, by_label=False)
    return RidgeFit(best.means, best.penalty, best.left_out, best.found, by_label=False)


def fit_by_products(
    products: Array, targets: Mask, *, usual: float, floor: float, penalty: float | None = None
) -> RidgeFit:
    """Fit as `judged_ridge_fit`, from the inner products of the labels' rows alone.

    Examples
    --------
    >>> rows, targets = np.array([[1.0, 0.0], [-1.0, 0.5]]), np.eye(2, dtype=bool)
    >>> fit = fit_by_products(rows @ rows.T, targets, usual=0.1, floor=0.01, penalty=0.1)
    >>> weights, means = ridge_fit(rows, targets, 0.1)
    >>> bool(np.allclose(fit.weights(rows), weights)), fit.means.tolist() == means.tolist()
    (True, True)
    """
    best = _best(_ByLabel(products, targets, usual, floor), penalty)
    return RidgeFit(best.means, best.penalty, best.left_out, best.found, by_label=True)


class _Judged(NamedTuple):
    lost: float
    penalty: float
    means: Array
    left_out: Array
    found: Array


class _Judge(ABC):
    """Judges penalties by labels left out."""

    def __init__(self, targets: Mask, usual: float, floor: float) -> None:
        self.known, self.usual, self.floor = targets.astype(np.float64), usual, floor
        count = len(targets)
        self.both = np.ones((count, targets.shape[1] + 1))
        self.both[:, :-1] = self.known
        self.means = self.known.mean(axis=0)
        self.told = np.asarray(self.known @ (self.known.sum(axis=0) > 1.0))

    @abstractmethod
    def _solved(self, penalty: float) -> tuple[Array, Array, Array]:
        """Return (I - M) times targets and ones, the diagonal of I - M, and what is found."""

    def at(self, penalty: float) -> _Judged:
        """What a penalty says of labels left out, and its loss."""
        rest, share, found = self._solved(penalty)
        without = np.empty_like(self.known)
        lost = _left_out(rest, share, self.known, self.means, self.told, self.floor, without)
        price = PRICE * abs(np.log10(penalty / self.usual))
        return _Judged(price + lost, penalty, self.means, without, found)


class _ByLabel(_Judge):
    """From the inner products of labels."""

    def __init__(self, products: Array, targets: Mask, usual: float, floor: float) -> None:
        super().__init__(targets, usual, floor)
        self.products = products

    def _solved(self, penalty: float) -> tuple[Array, Array, Array]:
        root = _inverse_root(self.products, penalty)
        rest = root.T @ (root @ self.both)
        return rest, np.square(root).sum(axis=0), rest[:, :-1] - rest[:, -1:] * self.means


class _ByColumn(_Judge):
    """From the inner products of columns, where these are fewer."""

    def __init__(self, rows: Array, targets: Mask, usual: float, floor: float) -> None:
        super().__init__(targets, usual, floor)
        self.rows, self.products = rows, rows.T @ rows

    def _solved(self, penalty: float) -> tuple[Array, Array, Array]:
        root = _inverse_root(self.products, penalty)
        image = self.rows @ root.T
        sums = image.T @ self.both
        found = root.T @ (sums[:, :-1] - sums[:, -1:] * self.means)
        return self.both - image @ sums, 1.0 - np.square(image).sum(axis=1), found


def _best(judge: _Judge, penalty: float | None) -> _Judged:
    """The given penalty, or the best one that steps from the usual one lead to."""
    best = judge.at(judge.usual if penalty is None else penalty)
    if penalty is not None:
        return best
    start = PENALTIES.index(judge.usual)
    for way in (PENALTIES[start + 1 :], PENALTIES[:start][::-1]):
        better = False
        for other in way:
            found = judge.at(other)
            if found.lost >= best.lost:
                break
            best, better = found, True
        if better:
            break
    return best


@njit(cache=True)
def _left_out(
    rest: Array, share: Array, known: Array, means: Array, told: Array, floor: float, out: Array
) -> float:
    """Write each label's values without itself; return the log loss of those that count."""
    count, classes = known.shape
    lost = 0.0
    for i in range(count):
        total, right, least = 0.0, 0.0, max(share[i], 1e-12)
        for k in range(classes):
            others = (count * means[k] - known[i, k]) / max(count - 1, 1)
            value = known[i, k] - (rest[i, k] - rest[i, classes] * others) / least
            out[i, k] = value
            raised = max(value, floor)
            total += raised
            right += raised * known[i, k]
        if told[i] > 0.0:
            lost -= np.log(right / total)
    return lost


def _inverse_root(products: Array, penalty: float) -> Array:
    """R with R'R the inverse of positive semi-definite products plus a multiple of the identity."""
    raised = products.T.copy(order="F")
    raised.ravel(order="F")[:: len(products) + 1] += penalty
    factor, failed = dpotrf(raised, lower=1, overwrite_a=1)
    root, failed_too = dtrtri(factor, lower=1, overwrite_c=1)
    if not (failed or failed_too):
        return np.asarray(root)
    values, vectors = np.linalg.eigh(products + penalty * np.eye(len(products)))
    kept = values > len(values) * 1e-15 * values.max()
    return np.asarray((vectors[:, kept] / np.sqrt(values[kept])).T)
