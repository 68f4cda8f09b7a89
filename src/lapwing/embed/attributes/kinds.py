"""Guess how each column of a node table can serve as evidence."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy import sparse

from lapwing.checks import several
from lapwing.errors import InputError
from lapwing.graph import NodeTable
from lapwing.graph.node_table import NodeColumn

ColumnKind = Literal["text", "category", "number", "counts", "vectors", "unused"]

ANSWERS = ("label", "labels", "class", "classes", "target", "y")
"""Columns with these names are not used unless they are asked for."""
MOST_CATEGORIES = 50
WORDS = 2.0
"""Text has at least this many words per value in the mean."""
SAMPLE = 10_000
"""Number of values that are looked at."""


class ColumnUse(NamedTuple):
    """How a column is used, and why."""

    kind: ColumnKind
    why: str


def column_uses(
    table: NodeTable,
    *,
    use: Sequence[str] | None = None,
    text: Sequence[str] = (),
    vectors: Sequence[str] = (),
) -> dict[str, ColumnUse]:
    """Return how each column is used: guessed from its values, or as said.

    `use` names the columns to use, all others are left out; `text` and `vectors` name columns that
    are text or numeric vectors whatever they look like. Without `use`, constant columns, columns
    with another value for every node (names, numbers of rows) and columns named like an answer
    (label, class, target) are left out.

    Examples
    --------
    >>> columns = {"title": ["a red fox", "one blue jay", "a fox"], "year": [1999, 2004, 2004]}
    >>> found = column_uses(NodeTable({**columns, "id": [1, 2, 3], "label": ["x", "y", "x"]}, 3))
    >>> for name, (kind, why) in found.items():
    ...     print(f"{name}: {kind} ({why})")
    title: text (2.7 words per value)
    year: number (2 values)
    id: unused (numbers its rows)
    label: unused (is named like an answer; say use to take it)
    """
    said_names = (("use", () if use is None else use), ("text", text), ("vectors", vectors))
    asked = list(dict.fromkeys(each for name, said in said_names for each in several(name, said)))
    for name in asked:
        table[name]  # raises for a name that is not a column
    chosen = None if use is None else set(asked)
    said: dict[str, ColumnKind] = {
        **dict.fromkeys(text, "text"),
        **dict.fromkeys(vectors, "vectors"),
    }
    found: dict[str, ColumnUse] = {}
    for name, values in table.items():
        if chosen is not None and name not in chosen:
            found[name] = ColumnUse("unused", "not named")
        elif name in said:
            found[name] = ColumnUse(said[name], "as said")
            _check_said(name, values, said[name])
        else:
            found[name] = _guessed(name, values, asked=chosen is not None)
    return found


def uses_in_words(uses: Mapping[str, ColumnUse]) -> str:
    """Return the columns that are used and as what, then those that are not.

    Examples
    --------
    >>> uses_in_words({"title": ColumnUse("text", "as said"), "id": ColumnUse("unused", "x")})
    'title as text; not used: id (x)'
    """
    used = [f"{name} as {use.kind}" for name, use in uses.items() if use.kind != "unused"]
    left = [f"{name} ({use.why})" for name, use in uses.items() if use.kind == "unused"]
    parts = [", ".join(used) or "no column", f"not used: {', '.join(left)}" if left else ""]
    return "; ".join(filter(None, parts))


def _check_said(name: str, values: NodeColumn, kind: ColumnKind) -> None:
    many = sparse.issparse(values) or values.ndim > 1 or _vector_length(values) is not None
    if kind == "vectors" and not many:
        raise InputError(
            f"column {name!r} must hold one vector of numbers per node, all of one length"
        )
    if kind == "vectors" and not _some_complete(values):
        raise InputError(
            f"column {name!r} must hold a vector without a missing number, it has none"
        )
    if kind == "text" and (sparse.issparse(values) or values.ndim > 1):
        raise InputError(f"column {name!r} must hold one text per node, got vectors")


def _guessed(name: str, values: NodeColumn, *, asked: bool) -> ColumnUse:
    if not asked and name.strip().lower() in ANSWERS:
        return ColumnUse("unused", "is named like an answer; say use to take it")
    if sparse.issparse(values) or values.ndim > 1 or _vector_length(values) is not None:
        kind: ColumnKind = "counts" if _looks_counted(values) else "vectors"
        if not _some_complete(values):
            return ColumnUse("unused", "has no row without a missing number")
        return ColumnUse(kind, f"{_width(values):,} columns")
    if values.dtype.kind in "biuf":
        return _guessed_number(values, asked=asked)
    if any(map(_is_vector, values)):
        return ColumnUse("unused", "holds vectors of different lengths")
    return _guessed_text(values, asked=asked)


def _guessed_number(values: Any, *, asked: bool) -> ColumnUse:
    filled = values[np.isfinite(values.astype(np.float64))]
    distinct = len(np.unique(filled))
    if distinct < 2:
        return ColumnUse("unused", "is constant")
    whole = values.dtype.kind in "iu"
    if whole and not asked and distinct == len(values) == int(filled.max() - filled.min()) + 1:
        return ColumnUse("unused", "numbers its rows")
    if whole and 2 < distinct <= min(MOST_CATEGORIES, len(values) // 10):
        return ColumnUse("category", f"{distinct} values")
    return ColumnUse("number", f"{distinct} values")


def _guessed_text(values: Any, *, asked: bool) -> ColumnUse:
    filled = [value for value in values if value is not None]
    if filled and all(isinstance(value, bool | int | float) for value in filled):
        return _guessed_number(np.array(filled, dtype=np.float64), asked=asked)
    texts = [str(value) for value in filled]
    distinct = len(set(texts))
    if distinct < 2:
        return ColumnUse("unused", "is constant")
    words = float(np.mean([len(text.split()) for text in texts[:SAMPLE]]))
    if words >= WORDS and _has_words(texts):
        return ColumnUse("text", f"{words:.1f} words per value")
    if distinct <= max(min(MOST_CATEGORIES, len(texts) // 2), 2):
        return ColumnUse("category", f"{distinct} values")
    if distinct == len(texts) and not asked:
        return ColumnUse("unused", "is another for every node")
    if not _has_words(texts):
        return ColumnUse("unused", "holds no words")
    return ColumnUse("text", f"{distinct} values")


def _has_words(texts: Sequence[str]) -> bool:
    """Whether some text has a word of two letters, the shortest that counts."""
    return any(re.search(r"\w\w", text) for text in texts)


def _vector_length(values: Any) -> int | None:
    """The length of the lists of numbers in a column; None if it holds anything else."""
    if sparse.issparse(values) or values.ndim > 1 or values.dtype != object:
        return None
    lengths = {len(value) if _is_vector(value) else -1 for value in values if value is not None}
    return lengths.pop() if len(lengths) == 1 and -1 not in lengths else None


def _is_vector(value: Any) -> bool:
    """Whether a value is a list of numbers, by its first; a list of words is text."""
    if not isinstance(value, list | tuple | np.ndarray) or not len(value):
        return False
    return not isinstance(value[0], str) or _is_number(value[0])


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _some_complete(values: NodeColumn) -> bool:
    """Whether some row of an array of numbers has all of them."""
    if sparse.issparse(values) or values.ndim < 2 or values.dtype.kind != "f" or not len(values):
        return True
    rows = values.reshape(len(values), -1)
    parts = (rows[at : at + SAMPLE] for at in range(0, len(rows), SAMPLE))
    return any(bool(np.isfinite(part).all(axis=1).any()) for part in parts)


def _width(values: NodeColumn) -> int:
    if sparse.issparse(values) or values.ndim > 1:
        return int(np.prod(values.shape[1:]))
    return _vector_length(values) or 0


def _looks_counted(values: NodeColumn) -> bool:
    """Whether a sparse matrix holds whole numbers from 0: counts of words."""
    if not sparse.issparse(values):
        return False
    entries = values.data[:SAMPLE]
    return bool(len(entries)) and bool(((entries >= 0) & (entries == np.floor(entries))).all())
