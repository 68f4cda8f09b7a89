"""Order statistics of columns that no machine holds as a whole."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.cluster.engine.engine import Engine
from lapwing.cluster.engine.part import GraphPart

DIGIT = 11
"""Bits that one round over the parts settles."""


def median_size(engine: Engine, name: str) -> float:
    """Return the median of the absolute values above 0, exactly; at least 1e-300.

    The bits of positive floats are ordered as the floats are, so each round counts the next eleven
    bits of what begins like the median: three rounds in single precision, six in double.
    """
    width = int(engine.total(_bits, name).max())
    count = int(engine.total(_counted, name, 0, width, width).sum())
    if count == 0:
        return 1e-300
    low, high = (ranked(engine, name, width, rank) for rank in ((count - 1) // 2, count // 2))
    kind = np.float32 if width == 32 else np.float64
    return max(float((low + high) / kind(2)), 1e-300)


def ranked(engine: Engine, name: str, width: int, rank: int) -> Any:
    """Return the value with that many values below it, among the sizes above 0."""
    prefix, left = 0, width
    while left:
        digit = min(DIGIT, left)
        counts = engine.total(_counted, name, prefix, left, digit)
        below = np.cumsum(counts)
        bucket = int(np.searchsorted(below, rank, side="right"))
        rank -= int(below[bucket - 1]) if bucket else 0
        prefix, left = (prefix << digit) | bucket, left - digit
    integer, kind = (np.uint32, np.float32) if width == 32 else (np.uint64, np.float64)
    return np.array([prefix], dtype=integer).view(kind)[0]


def _bits(part: GraphPart, name: str) -> NDArray[np.int64]:
    # The same on all parts; only the part of the first node says it, since answers are added up.
    return np.array([8 * part[name].dtype.itemsize if part.first == 0 and part.rows else 0])


def _counted(part: GraphPart, name: str, prefix: int, left: int, digit: int) -> NDArray[np.int64]:
    """Count the sizes above 0 that begin with `prefix`, by their next `digit` bits.

    With as many bits as there are, only the number of sizes above 0 is counted.
    """
    sizes = np.abs(np.ascontiguousarray(part[name])).ravel()
    whole = 8 * sizes.dtype.itemsize
    bits = sizes[sizes > 0].view(np.uint32 if whole == 32 else np.uint64).astype(np.uint64)
    if digit == whole:
        return np.array([len(bits)])
    begins = bits if left == whole else bits[(bits >> np.uint64(left)) == np.uint64(prefix)]
    values = (begins >> np.uint64(left - digit)) & np.uint64((1 << digit) - 1)
    return np.bincount(values.astype(np.int64), minlength=1 << digit)
