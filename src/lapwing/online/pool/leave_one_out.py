"""The penalty of a ridge regression, chosen by what it says of each label without that label."""

from __future__ import annotations

import numpy as np

from lapwing.types import Array, Mask

PENALTIES = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
PRICE = 1.0
"""What a penalty ten times larger or smaller than the usual one costs, in log loss."""
MOST = 1_000
"""The largest number of labels that a penalty is chosen on, the latest ones."""


def best_penalty(rows: Array, targets: Mask, *, usual: float, floor: float) -> float:
    r"""Return the penalty whose fitted values predict labels best that were left out one by one.

    With the hat matrix H of a ridge regression around the mean, the value of label i without itself
    is :math:`y_i - (y_i - \hat y_i) / (1 - H_{ii})`, so one eigendecomposition serves all labels
    and penalties. Values below `floor` are raised to it and scaled to probabilities; their log loss
    decides, plus a price for leaving the usual penalty. With few labels the usual one stays.

    Examples
    --------
    Rows that tell the class deserve a small penalty, rows that do not a large one:

    >>> classes = np.arange(40) % 2
    >>> targets = classes[:, None] == np.arange(2)
    >>> told = np.where(targets, 1.0, -1.0)
    >>> noise = np.random.default_rng(0).normal(size=(40, 30))
    >>> [best_penalty(rows, targets, usual=0.1, floor=0.01) for rows in (told, noise)]
    [0.1, 3.0]
    """
    rows, targets = rows[-MOST:], targets[-MOST:]
    left, values = _directions(rows)
    count, means = len(targets), targets.mean(axis=0)
    along, ones = left.T @ (targets - means), left.sum(axis=0)
    found = []
    for penalty in PENALTIES:
        kept = values / (values + penalty)
        fitted = means + left @ (kept[:, None] * along)
        hat = np.square(left) @ kept - (left @ (kept * ones)) / count + 1.0 / count
        without = targets - (targets - fitted) / np.maximum(1.0 - hat, 1e-3)[:, None]
        shares = np.maximum(without, floor)
        right = (shares * targets).sum(axis=1) / shares.sum(axis=1)
        found.append(PRICE * abs(np.log10(penalty / usual)) - float(np.log(right).sum()))
    return PENALTIES[int(np.argmin(found))]


def _directions(rows: Array) -> tuple[Array, Array]:
    """Left singular vectors of the rows and the squares of their singular values."""
    if len(rows) <= rows.shape[1]:
        values, left = np.linalg.eigh(rows @ rows.T)
        return left, np.maximum(values, 0.0)
    values, right = np.linalg.eigh(rows.T @ rows)
    kept = values > 1e-9 * max(float(values[-1]), 1e-300)
    return rows @ right[:, kept] / np.sqrt(values[kept]), values[kept]
