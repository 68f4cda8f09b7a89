"""Texts and names of nodes as arrays of numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.graph import Names
from lapwing.io.coded_edges import decoded, text_names
from lapwing.io.writable_names import kind_of, names_as_json, names_from_json

Arrays = Mapping[str, NDArray[Any]]


def text_arrays(texts: Sequence[str], name: str) -> dict[str, NDArray[Any]]:
    """Return all texts one behind the other in UTF-8, and where each ends.

    Examples
    --------
    >>> {name: part.tolist() for name, part in text_arrays(["ab", "c"], "n").items()}
    {'n.ends': [0, 2, 3], 'n.bytes': [97, 98, 99]}
    """
    whole = "".join(texts)
    ends = np.zeros(len(texts) + 1, dtype=np.int64)
    if whole.isascii():
        lengths = [len(text) for text in texts]
    else:
        lengths = [len(text.encode()) for text in texts]
    np.cumsum(lengths, out=ends[1:])
    return {f"{name}.ends": ends, f"{name}.bytes": np.frombuffer(whole.encode(), dtype=np.uint8)}


def checked_texts(arrays: Arrays, name: str) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Return ends and bytes of texts that can all be decoded; a `ValueError` otherwise."""
    ends, raw = arrays[f"{name}.ends"], arrays[f"{name}.bytes"]
    if ends.dtype != np.int64 or raw.dtype != np.uint8 or ends.ndim != 1 or raw.ndim != 1:
        raise ValueError(f"{name} are no texts")
    if not len(ends) or ends[0] != 0 or ends[-1] != len(raw) or (np.diff(ends) < 0).any():
        raise ValueError(f"{name} do not end where their bytes do")
    bytes(raw).decode()  # raises a ValueError of its own
    inside = ends[ends < len(raw)]
    if ((raw[inside] & 0xC0) == 0x80).any():
        raise ValueError(f"one of {name} begins inside a character")
    return ends, raw


def name_arrays(names: Names) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return how a graph's names are written, and the arrays that hold them."""
    if names.are_positions:
        return {"kind": "positions"}, {}
    kinds = {type(name) for name in names}
    if kinds == {int} and kind_of(names) is int:
        return {"kind": "integers"}, {"names": np.array(list(names), dtype=np.int64)}
    if kinds == {str} and kind_of(names) is str:
        return {"kind": "text"}, text_arrays([str(name) for name in names], "names")
    mixed = names_as_json(names)
    return ({"kind": "positions"}, {}) if mixed is None else ({"kind": "json"}, {"names": mixed})


def mapped_names(facts: Mapping[str, Any], arrays: Arrays, n: int) -> Names:
    """Return the names that `name_arrays` wrote; texts are decoded when first asked for."""
    kind = facts["kind"]
    if kind == "positions":
        return Names(range(n))
    if kind == "text":
        found = text_names(*checked_texts(arrays, "names"))
    elif kind == "integers":
        found = Names(arrays["names"].astype(np.int64), distinct=True)
    else:
        found = Names(json_names(arrays["names"]), distinct=True)
    if len(found) != n:
        raise ValueError(f"there are {len(found)} names for {n} nodes")
    return found


def json_names(raw: NDArray[Any]) -> list[Any]:
    """Return names of several kinds, written as JSON."""
    try:
        return names_from_json(raw)
    except (json.JSONDecodeError, UnicodeError, RecursionError) as wrong:
        raise ValueError(f"its names cannot be read: {wrong}") from None


def stored_texts(arrays: Arrays, name: str) -> list[str]:
    """Return the texts that `text_arrays` wrote."""
    return decoded(*checked_texts(arrays, name))
