"""Which columns of a node table a graph's file can hold, and of what kind they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from lapwing.graph import NodeTable


class PlainColumn(NamedTuple):
    """A column of single values: long, double, boolean or string; None where one is missing."""

    kind: str
    values: list[Any]


def plain_columns(
    table: NodeTable, fits: Callable[[str, PlainColumn], bool]
) -> dict[str, PlainColumn]:
    """The columns of numbers, texts, or true and false, as far as they fit a format.

    Examples
    --------
    >>> table = NodeTable({"age": [31, None], "image": np.zeros((2, 8, 8))}, 2)
    >>> plain_columns(table, lambda name, column: True)
    {'age': PlainColumn(kind='long', values=[31, None])}
    """
    found = {name: plain_column(values) for name, values in table.items()}
    return {name: each for name, each in found.items() if each is not None and fits(name, each)}


def plain_column(values: Any) -> PlainColumn | None:
    """The values one by one, if each is a number, a text, or true or false, all of one kind."""
    if sparse.issparse(values) or values.ndim != 1:
        return None
    plain = [None if value is None or value != value else value for value in values.tolist()]
    kinds = {type(value) for value in plain} - {type(None)}
    for allowed, kind in (
        ({bool}, "boolean"),
        ({int}, "long"),
        ({int, float}, "double"),
        ({str}, "string"),
    ):
        if kinds and kinds <= allowed:
            return PlainColumn(kind, plain)
    return None


def array_columns(table: NodeTable, fits: Callable[[str], bool]) -> Mapping[str, Any]:
    """The columns that are arrays of numbers of any shape, or texts none of which is missing.

    Examples
    --------
    >>> table = NodeTable({"name": ["a", "b"], "note": ["x", None], "xy": np.ones((2, 3))}, 2)
    >>> list(array_columns(table, lambda name: True))
    ['name', 'xy']
    """
    found: dict[str, Any] = {}
    for name, values in table.items():
        if not fits(name) or sparse.issparse(values):
            continue
        if values.dtype.kind in "biuf":
            found[name] = values
        elif values.ndim == 1 and all(type(value) is str for value in values.tolist()):
            found[name] = np.array(values.tolist())
    return found
