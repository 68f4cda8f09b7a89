"""Arrays that get longer or wider."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.types import Array

SPARE = 4
"""A new array has space for one part in this many more rows."""


def lengthened(array: NDArray[Any], length: int) -> NDArray[Any]:
    """Return the array with this many rows, the new ones zero.

    The result is the beginning of a longer array, in which later calls find the space they need:
    adding rows one by one takes constant time per row on average. Pass the result of the last call,
    not an older one: both share memory.

    Examples
    --------
    >>> long = lengthened(np.ones(2), 3)
    >>> long, lengthened(long, 4).base is long.base
    (array([1., 1., 0.]), True)
    """
    base = array.base
    if (
        isinstance(base, np.ndarray)
        and base.flags.owndata
        and base.dtype == array.dtype
        and base.shape[1:] == array.shape[1:]
        and base.ctypes.data == array.ctypes.data
        and len(base) >= length
    ):
        return base[:length]
    space = np.zeros((length + length // SPARE + 1, *array.shape[1:]), dtype=array.dtype)
    space[: len(array)] = array
    return space[:length]


def widened(array: Array, width: int, *, touched: bool = True) -> Array:
    """Return the array padded with zeros to this width in its last axis; only used rows are copied.

    The new memory is written from end to end here, unless `touched` is false. Otherwise the first
    writes, scattered over the graph, would touch its pages in random order, which is several times
    slower.

    Examples
    --------
    >>> widened(np.array([[0.0, 1.0], [0.0, 0.0]]), 3)
    array([[0., 1., 0.],
           [0., 0., 0.]])
    """
    wide = np.zeros((*array.shape[:-1], width), dtype=array.dtype)
    if touched:
        wide.fill(0)
    used = np.flatnonzero(array.reshape(len(array), -1).any(axis=1))
    wide[used, ..., : array.shape[-1]] = array[used]
    return wide
