"""What a format can hold of a graph's names; a writer refuses rather than lose some."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.errors import InputError
from lapwing.graph import Graph, Names
from lapwing.io.text.rows import WHITE, written_integer


def kind_of(values: Sequence[Any], what: str = "names") -> type[int] | type[str]:
    """`int` if all values are 64-bit integers, `str` if all are text; an error otherwise.

    Examples
    --------
    >>> kind_of(["a", "7"]), kind_of(range(3))
    (<class 'str'>, <class 'int'>)
    """
    kinds = {int} if isinstance(values, range) else {type(value) for value in values}
    if kinds == {int} and all(-(1 << 63) <= value < 1 << 63 for value in values):
        return int
    if kinds <= {str}:
        for value in values:
            _check_encodable(value)
        return str
    raise InputError(
        f"{what} must be all text or all 64-bit integers to be written here, got "
        f"{sorted(kind.__name__ for kind in kinds)}"
    )


def check_no_isolated(graph: Graph) -> None:
    """An edge list knows only nodes that have an edge."""
    alone = np.flatnonzero(np.diff(graph.adjacency.indptr) == 0)
    if len(alone):
        raise InputError(
            f"an edge list cannot contain nodes without edges, there are {len(alone)}, "
            f"the first is {graph.names[int(alone[0])]!r}; "
            "write .graphml, .gml, .mtx, .mat, .npz or .lap"
        )


def check_fields(texts: Iterable[str], what: str) -> None:
    """Text that a reader of a text table would give back unchanged."""
    for text in texts:
        if text == "" or text != text.strip(WHITE) or "\0" in text:
            raise InputError(
                f"{what} in a text table must not be empty, begin or end with a space, or hold a "
                f"NUL, got {text!r}"
            )
        _check_encodable(text)


def check_read_as_written(values: Sequence[Any], what: str) -> None:
    """Integers, or text that would not be read as integers, all of one kind."""
    if kind_of(values, what) is int or not values:
        return
    if all(written_integer(value) is not None for value in values):
        raise InputError(
            f"{what} are text, but all of them read as integers ({values[0]!r}): "
            "a text file would give back numbers"
        )


def names_as_json(names: Names) -> NDArray[np.uint8] | None:
    """The names in UTF-8 JSON bytes, integers and text kept apart; None for 0..n-1."""
    if names.are_positions or tuple(names) == tuple(range(len(names))):
        return None
    for name in names:
        if type(name) not in (int, str):
            raise InputError(f"names must be text or integers to be written, got {name!r}")
    return np.frombuffer(json.dumps(list(names)).encode(), dtype=np.uint8)


def names_from_json(raw: Any) -> list[Hashable]:
    """What `names_as_json` wrote; `ValueError` if it is something else."""
    names = json.loads(np.asarray(raw, dtype=np.uint8).tobytes().decode())
    if not isinstance(names, list) or not all(type(name) in (int, str) for name in names):
        raise ValueError("names must be a JSON list of text and integers")
    return names


def _check_encodable(name: str) -> None:
    try:
        name.encode()
    except UnicodeEncodeError:
        raise InputError(f"names must be valid Unicode to be written, got {name!r}") from None
