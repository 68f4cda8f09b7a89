"""Arrays of one row per node that get more columns while few rows are in use."""

from __future__ import annotations

import numpy as np

from lapwing.types import Array


def widened(array: Array, width: int) -> Array:
    """The same array with zeros up to this width in its last axis; only rows in use are copied.

    The new memory is filled from end to end here: left to the first writes, which come scattered
    over the graph, its pages take several times as long.

    Examples
    --------
    >>> widened(np.array([[0.0, 1.0], [0.0, 0.0]]), 3)
    array([[0., 1., 0.],
           [0., 0., 0.]])
    """
    wide = np.empty((*array.shape[:-1], width), dtype=array.dtype)
    wide.fill(0)
    used = np.flatnonzero(array.reshape(len(array), -1).any(axis=1))
    wide[used, ..., : array.shape[-1]] = array[used]
    return wide
