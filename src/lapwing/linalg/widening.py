"""Arrays of one row a node that get more columns while few rows are in use."""

from __future__ import annotations

import numpy as np

from lapwing.types import Array


def widened(array: Array, width: int) -> Array:
    """The same array with zeros up to this width in its last axis; only rows in use are copied.

    Memory of rows that are all zero is not touched, so that a new class costs the time of the rows
    that labels have reached, not of the graph.

    Examples
    --------
    >>> widened(np.array([[0.0, 1.0], [0.0, 0.0]]), 3)
    array([[0., 1., 0.],
           [0., 0., 0.]])
    """
    wide = np.zeros((*array.shape[:-1], width), dtype=array.dtype)
    used = np.flatnonzero(array.reshape(len(array), -1).any(axis=1))
    wide[used, ..., : array.shape[-1]] = array[used]
    return wide
