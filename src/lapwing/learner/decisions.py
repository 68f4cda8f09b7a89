"""Turn scores into classes and probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.types import UNKNOWN, Array, Index, Mask, Nodes


def decided(scores: Array) -> Nodes:
    """Return the arg-max of each row; `UNKNOWN` if a row is empty, all zero or not a number.

    Examples
    --------
    >>> decided(np.array([[0.1, 0.3], [0.0, 0.0], [-2.0, -1.0]]))
    array([ 1, -1,  1])
    """
    if scores.shape[-1] == 0:
        return np.full(scores.shape[:-1], UNKNOWN, dtype=np.intp)
    known = (scores != 0).any(axis=-1) & ~np.isnan(scores).any(axis=-1)
    return np.where(known, np.argmax(scores, axis=-1), UNKNOWN)


def within_reach(places: Index, labels: NDArray[Any]) -> Mask:
    """Return whether the component of each node has a label; nothing is known elsewhere.

    `places` holds the component of each node. `labels` has one entry per component: whether it has
    a label, the number of its labels, or their sums by class.

    Examples
    --------
    >>> within_reach(np.array([0, 0, 1, 2]), np.array([2, 0, 1]))
    array([ True,  True, False,  True])
    >>> within_reach(np.array([1, 0]), np.array([[0.0, 3.0], [0.0, 0.0]]))
    array([False,  True])
    """
    held = np.asarray(labels[places] != 0)
    return np.asarray(held.any(axis=-1)) if labels.ndim > 1 else held


def shares(scores: Array) -> Array:
    """Divide each row of non-negative scores by its sum; a row of zeros is kept.

    Examples
    --------
    >>> shares(np.array([[1.0, 3.0], [0.0, 0.0]])).tolist()
    [[0.25, 0.75], [0.0, 0.0]]
    """
    total = scores.sum(axis=-1, keepdims=True)
    return np.asarray(np.divide(scores, total, out=np.zeros_like(scores), where=total > 0))


def softmax(margins: Array) -> Array:
    """Return the softmax of each row; a row of zeros (nothing is known) is kept.

    Examples
    --------
    >>> softmax(np.array([[1.0, -1.0], [0.0, 0.0]])).round(2).tolist()
    [[0.88, 0.12], [0.0, 0.0]]
    """
    if margins.shape[-1] == 0:
        return margins
    known = (margins != 0).any(axis=-1, keepdims=True)
    raised = np.exp(margins - margins.max(axis=-1, keepdims=True)) * known
    return shares(raised)


def probabilities(scores: Array, *, signed: bool) -> Array:
    """Turn scores into probabilities with the same order; a row of zeros is kept.

    Scores that are never negative are divided by their sum. A signed margin counts as half the
    log-odds of its class: a regression on -1 and +1 with margin m stands for the probability
    (1 + m) / 2, whose log-odds are about 2 m. So signed rows are the softmax of twice the margins.

    Examples
    --------
    >>> probabilities(np.array([[1.0, 3.0], [0.0, 0.0]]), signed=False).tolist()
    [[0.25, 0.75], [0.0, 0.0]]
    >>> probabilities(np.array([0.5, -0.5]), signed=True).round(2).tolist()
    [0.88, 0.12]
    """
    return softmax(2.0 * scores) if signed else shares(scores)


def top_classes(scores: Array, counts: Nodes) -> Array:
    """0/1: the best classes of each row, as many as `counts` says; none where nothing is known.

    Of classes with the same score the first come first.

    Examples
    --------
    >>> top_classes(np.array([[0.1, 0.7, 0.2], [0.0, 0.0, 0.0]]), np.array([2, 1])).tolist()
    [[0.0, 1.0, 1.0], [0.0, 0.0, 0.0]]
    """
    order = np.argsort(-scores, axis=1, kind="stable")
    chosen = np.arange(scores.shape[1]) < np.asarray(counts)[:, None]
    chosen &= (decided(scores) != UNKNOWN)[:, None]
    best = np.zeros(scores.shape)
    np.put_along_axis(best, order, chosen.astype(float), axis=1)
    return best
