"""What node indices and labels share: they are integers, from 0 on, in a flat list."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.errors import InputError
from lapwing.types import Nodes


def flat(name: str, values: Any, length: int | None) -> NDArray[Any]:
    """The values as an array of one dimension, `length` long.

    Examples
    --------
    >>> flat("nodes", [[1]], None)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: nodes must be a flat list of integers, got shape (1, 1)
    """
    try:
        given = np.asarray(values)
    except ValueError:
        raise InputError(f"{name} must be a flat list of integers, got a nested one") from None
    if given.ndim != 1:
        raise InputError(f"{name} must be a flat list of integers, got shape {given.shape}")
    if length is not None and len(given) != length:
        raise InputError(f"there must be one label per node, got {len(given)} for {length} nodes")
    if isinstance(values, list | tuple) and any(isinstance(value, bool) for value in values):
        return np.array(values, dtype=object)  # numpy would take True for 1
    return given


def is_whole(value: Any) -> bool:
    """Whether a value is an integer; a boolean is none.

    Examples
    --------
    >>> is_whole(1), is_whole(True), is_whole(1.0)
    (True, False, False)
    """
    return isinstance(value, int | np.integer) and not isinstance(value, bool | np.bool_)


def one_index(value: Any, stop: int, refused: Callable[[Any], InputError]) -> int:
    """Return an index below `stop` as an int; raise what `refused` makes of anything else.

    Examples
    --------
    >>> one_index(np.int64(1), 2, lambda value: InputError(f"no node {value}"))
    1
    """
    try:
        index = operator.index(value)
    except TypeError:
        raise refused(value) from None
    if not 0 <= index < stop or isinstance(value, bool | np.bool_):
        raise refused(value)
    return index


def many_indices(
    name: str,
    values: Any,
    stop: int,
    refused: Callable[[Any], InputError],
    *,
    start: int = 0,
    length: int | None = None,
) -> Nodes:
    """Return indices from `start` on and below `stop` as an array; raise for the first other one.

    Examples
    --------
    >>> many_indices("nodes", [1, 3], 3, lambda value: InputError(f"no node {value}"))
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: no node 3
    """
    given = flat(name, values, length)
    if given.size == 0:
        return np.empty(0, dtype=np.intp)
    if given.dtype.kind not in "iu":
        raise refused(next((value for value in values if not is_whole(value)), values[0]))
    if given.min() < start or given.max() >= stop:
        outside = (given < start) | (given >= stop)
        raise refused(given[np.argmax(outside)].item())
    return np.ascontiguousarray(given, dtype=np.intp)
