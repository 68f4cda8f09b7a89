"""Classes that appear during a stream, and classes without a label yet."""

from __future__ import annotations

import numpy as np

from lapwing.types import UNKNOWN, Array, Mask, Nodes


def n_classes_after(n_classes: int, labels: Nodes) -> int:
    """Return the number of classes after these labels.

    Examples
    --------
    >>> n_classes_after(2, np.array([0, 3]))
    4
    """
    return max(n_classes, int(labels.max(initial=-1)) + 1)


def first_rounds(shown: Nodes, named: Mask) -> Nodes:
    """Return the round of each class's first label: -1 if seen before, the length if never.

    `shown` holds the label shown in each round, or -1.

    Examples
    --------
    >>> first_rounds(np.array([-1, 2, 0, 2]), np.array([False, True, False]))
    array([ 2, -1,  1])
    """
    first = np.where(named, -1, len(shown))
    rounds = np.flatnonzero(shown >= 0)
    np.minimum.at(first, shown[rounds], rounds)
    return first


def largest(margins: Array, first: Nodes) -> Nodes:
    """Return the class with the largest margin in each round, among those with a label.

    Examples
    --------
    >>> largest(np.array([[0.5, -0.5], [0.0, 0.9]]), np.array([-1, 1]))
    array([0, 0])
    """
    n_classes, rounds = margins.shape
    if n_classes == 0:
        return np.full(rounds, UNKNOWN, dtype=np.intp)
    known = first[:, None] < np.arange(rounds)
    decided = (known & (margins != 0)).any(axis=0)
    return np.where(decided, np.where(known, margins, -np.inf).argmax(axis=0), UNKNOWN)


def of_named(scores: Array, named: Mask) -> Array:
    """Return the scores, with classes without a label below all others.

    Examples
    --------
    >>> of_named(np.array([[-0.5, 0.5], [0.0, 0.2]]), np.array([True, False])).tolist()
    [[-0.5, -1.5], [0.0, 0.0]]
    """
    if named.all():
        return scores
    known = ((scores != 0) & named).any(axis=-1, keepdims=True)
    lowest = np.where(named, scores, np.inf).min(axis=-1, keepdims=True) - 1.0
    return np.where(named, scores, np.where(known, lowest, 0.0))


def with_more(named: Mask, n_classes: int) -> Mask:
    """Extend the flags to more classes; the new ones have no label.

    Examples
    --------
    >>> with_more(np.array([True]), 2)
    array([ True, False])
    """
    return np.pad(named, (0, n_classes - len(named)))
