"""Break ties the same way on every machine."""

from __future__ import annotations

import numpy as np

from lapwing.types import Array

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
