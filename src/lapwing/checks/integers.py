"""What node indices and labels share: they are integers in a flat list."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.errors import InputError


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
