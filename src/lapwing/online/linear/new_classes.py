"""Classes that appear in mid-stream."""

from __future__ import annotations

import numpy as np

from lapwing.types import UNKNOWN, Array, Nodes


def first_rounds(shown: Nodes, n_before: int, n_after: int) -> Nodes:
    """The round in which each class became known: -1 if before, ``len(shown)`` if never.

    `shown` holds the label of each round, `UNKNOWN` where none was. A label makes every class
    up to its own known.

    Examples
    --------
    >>> first_rounds(np.array([0, -1, 2]), n_before=1, n_after=4)
    array([-1,  2,  2,  3])
    """
    first = np.full(n_after, -1, dtype=np.intp)
    for k in range(n_before, n_after):
        known = shown >= k
        first[k] = np.argmax(known) if known.any() else len(shown)
    return first


def largest(margins: Array, first: Nodes) -> Nodes:
    """The class of the largest margin of those known before each round, else `UNKNOWN`.

    `margins` has one row per class and one column per round; `first` is from `first_rounds`. A
    round whose margins are all zero is `UNKNOWN` too.

    Examples
    --------
    >>> largest(np.array([[0.0, -1.0], [2.0, 3.0]]), np.array([-1, 0]))
    array([-1,  1])
    """
    n_classes, rounds = margins.shape
    if n_classes == 0:
        return np.full(rounds, UNKNOWN, dtype=np.intp)
    known = first[:, None] < np.arange(rounds)
    decided = (known & (margins != 0)).any(axis=0)
    return np.where(decided, np.where(known, margins, -np.inf).argmax(axis=0), UNKNOWN)
