"""The best of several values, the same one on every machine."""

from __future__ import annotations

import numpy as np

from lapwing.types import Array

ROUNDING = 1e-9


def first_largest(values: Array) -> int:
    """The position of the largest value; of those equal up to rounding, the first.

    Examples
    --------
    >>> first_largest(np.array([0.1, 0.3, 0.1 + 0.2]))
    1
    """
    best = float(np.max(values))
    return int(np.argmax(values >= best - ROUNDING * max(abs(best), ROUNDING)))
