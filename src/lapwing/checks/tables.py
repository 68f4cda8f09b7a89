"""What must hold of tables with one row per node and one column per class."""

from __future__ import annotations

from typing import Any

import numpy as np

from lapwing.errors import InputError
from lapwing.types import Array


def number_table(name: str, values: Any, n_classes: int | None = None) -> Array:
    """Return a table of finite numbers, with `n_classes` columns if that is given.

    Examples
    --------
    >>> number_table("scores", [[1, 2]]).tolist()
    [[1.0, 2.0]]
    >>> number_table("scores", [1, 2])
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: scores must have one row per node and one column per class, ...(2,)
    """
    try:
        given = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name} must be a table of numbers, got {values!r:.80}") from None
    if given.ndim != 2 or (n_classes is not None and given.shape[1] != n_classes):
        columns = "one column per class" if n_classes is None else f"{n_classes} columns"
        raise InputError(f"{name} must have one row per node and {columns}, got {given.shape}")
    if not np.isfinite(given).all():
        raise InputError(f"{name} must be finite, got {given[~np.isfinite(given)][0]}")
    return given


def chance_table(name: str, values: Any) -> Array:
    """Return a table of probabilities, each from 0 to 1.

    Examples
    --------
    >>> chance_table("probabilities", [[0.5, 1.5]])
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: probabilities must lie between 0 and 1, got 1.5
    """
    given = number_table(name, values)
    outside = given[(given < 0.0) | (given > 1.0 + 1e-9)]
    if outside.size:
        raise InputError(f"{name} must lie between 0 and 1, got {outside[0]:g}")
    return given


def zero_one_table(name: str, values: Any, n_classes: int) -> Array:
    """Return a table of zeros and ones with this many columns.

    Examples
    --------
    >>> zero_one_table("labels", [[0, 2]], 2)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: labels must hold only 0 and 1, got 2
    """
    given = number_table(name, values, n_classes)
    others = given[(given != 0.0) & (given != 1.0)]
    if others.size:
        raise InputError(f"{name} must hold only 0 and 1, got {others[0]:g}")
    return given
