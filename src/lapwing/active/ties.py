"""Break ties the same way on every machine."""

from __future__ import annotations

import numpy as np

from lapwing.types import Array, Nodes

ROUNDING = 1e-9


def first_largest(values: Array) -> int:
    """Return the position of the largest value; the first of those equal up to rounding.

    Examples
    --------
    >>> first_largest(np.array([0.1, 0.3, 0.1 + 0.2]))
    1
    """
    best = float(np.max(values))
    return int(np.argmax(values >= best - ROUNDING * max(abs(best), ROUNDING)))


def largest_places(values: Array, count: int) -> Nodes:
    """Return the places of the largest values, in order; ties go to the first.

    Examples
    --------
    >>> largest_places(np.array([2.0, 5.0, 1.0, 5.0]), 3).tolist()
    [1, 3, 0]
    """
    if len(values) > count:
        least = np.partition(values, -count)[-count]
        places = np.flatnonzero(values >= least)
    else:
        places = np.arange(len(values))
    return np.asarray(places[np.argsort(-values[places], kind="stable")][:count])
