"""What must hold of tables with one row per node and one column per class."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from lapwing.checks.labels import many_labels
from lapwing.errors import InputError
from lapwing.types import UNKNOWN, Array


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


def zero_one_table(name: str, values: Any, n_classes: int | None = None) -> Array:
    """Return a table of zeros and ones, with `n_classes` columns if that is given.

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


def label_table(labels: Any, n_classes: int | None = None, *, length: int | None = None) -> Array:
    """Return labels as zeros and ones: class indices (-1: none), or a table, dense or sparse.

    Without `n_classes`, class indices get as many columns as there are classes among them.

    Examples
    --------
    >>> label_table([1, -1, 0]).tolist()
    [[0.0, 1.0], [0.0, 0.0], [1.0, 0.0]]
    """
    given = labels.toarray() if sparse.issparse(labels) else labels
    if np.ndim(given) == 2:
        table = zero_one_table("labels", given, n_classes)
        if length is not None and len(table) != length:
            raise InputError(f"labels must have one row per node, got {len(table)} for {length}")
        return table
    indices = many_labels(labels, n_classes, length=length, unknown=True)
    width = int(indices.max(initial=UNKNOWN)) + 1 if n_classes is None else n_classes
    table = np.zeros((len(indices), width))
    known = np.flatnonzero(indices != UNKNOWN)
    table[known, indices[known]] = 1.0
    return table
