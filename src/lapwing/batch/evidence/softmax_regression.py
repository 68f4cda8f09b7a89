"""Softmax regression on all training sets of a cross-validation at once."""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from lapwing.types import Array, Mask

MOST_STEPS, CLOSE = 100, 1e-3
"""Number of steps at most, and the change of a coefficient at which to stop."""
FREE = 0.01
"""Penalty of the constant, as a share of that of the coefficients (of 1 if that is smaller)."""
UNSEEN = -30.0
"""The logit of a class that has no label."""


def softmax_fits(rows: Array, targets: Array, weights: Array, seen: Mask, *, ridge: float) -> Array:
    r"""Return coefficients ``(fits, columns + 1, classes)``, the constant last.

    Each fit minimises :math:`-\sum_l w_l \log p_l(y_l) + \frac{r}{2} |W|^2` for its own `weights`
    over the same labels. The Hessian of every fit is at most that of Böhning's bound,
    :math:`\frac12 X'X + r I`, which is factorised once; accelerated gradient steps in its metric
    then improve all fits together.

    References
    ----------
    Böhning. *Multinomial logistic regression algorithm.* 1992.

    Examples
    --------
    >>> rows, targets = np.array([[1.0], [-1.0]]), np.eye(2)
    >>> found = softmax_fits(rows, targets, np.ones((1, 2)), np.ones((1, 2), bool), ridge=0.1)
    >>> found[0, 0].round(1).tolist()
    [1.3, -1.3]
    """
    wide = np.hstack([rows, np.ones((len(rows), 1))])
    penalty = np.full(wide.shape[1], ridge)
    penalty[-1] = FREE * min(ridge, 1.0)
    factor = cho_factor(0.5 * wide.T @ wide + np.diag(penalty))
    shape = (len(weights), wide.shape[1], targets.shape[1])
    now, ahead, pace = np.zeros(shape), np.zeros(shape), 1.0
    hidden = np.broadcast_to(~seen[:, None, :], (len(weights), *targets.shape))
    for _ in range(MOST_STEPS):
        logits = np.matmul(wide, ahead)
        logits[hidden] = UNSEEN
        slope = np.matmul(wide.T, weights[:, :, None] * (class_chances(logits) - targets))
        slope += penalty[:, None] * ahead
        flat = slope.transpose(1, 0, 2).reshape(shape[1], -1)
        step = cho_solve(factor, flat).reshape(shape[1], shape[0], shape[2]).transpose(1, 0, 2)
        new = ahead - step
        faster = (1.0 + np.sqrt(1.0 + 4.0 * pace * pace)) / 2.0
        ahead = new + (pace - 1.0) / faster * (new - now)
        change, now, pace = float(np.abs(new - now).max()), new, faster
        if change < CLOSE:
            break
    return now


def class_chances(logits: Array) -> Array:
    """Return the softmax over the last axis.

    Examples
    --------
    >>> class_chances(np.log([[1.0, 3.0]])).tolist()
    [[0.25, 0.75]]
    """
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True))
