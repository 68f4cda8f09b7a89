"""Columns of a node table as matrices of features with names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lapwing.embed.attributes.kinds import ColumnUse
from lapwing.errors import InputError
from lapwing.graph import NodeTable
from lapwing.graph.node_table import NodeColumn
from lapwing.optional import need
from lapwing.types import Array

MOST_WORDS = 50_000
LARGEST = 1e15
"""Numbers beyond this, or as small, are scaled before they are squared."""
PLAIN = 0.1
"""Mean square of a number or category beside text or vectors, which have 1."""


class Features(NamedTuple):
    """One sparse row of features per node, and what each feature is: a column and a value."""

    matrix: sparse.csr_array
    columns: tuple[str, ...]
    values: tuple[str, ...]

    def name(self, feature: int) -> str:
        """Return a feature's name.

        Examples
        --------
        >>> Features(sparse.csr_array((1, 1)), ("title",), ("fox",)).name(0)
        'title: fox'
        """
        column, value = self.columns[feature], self.values[feature]
        return f"{column}: {value}" if value else column


def features_of(table: NodeTable, uses: Mapping[str, ColumnUse]) -> Features:
    """Return the features of all used columns side by side.

    Text becomes tf-idf weights, a category 0/1 per value, a number its distance from the mean in
    standard deviations; counts become tf-idf weights, too, and vectors are centred. Missing values
    are zeros. Text, counts and vectors have mean square length 1 each; beside them, a category or
    number has 0.1, so that a column of noise costs little.

    Examples
    --------
    >>> table = NodeTable({"title": ["red fox", None], "age": [1.0, 3.0]}, 2)
    >>> uses = {"title": ColumnUse("text", ""), "age": ColumnUse("number", "")}
    >>> found = features_of(table, uses)
    >>> [found.name(j) for j in range(3)], found.matrix.toarray().round(2).tolist()
    (['title: fox', 'title: red', 'age'], [[1.0, 1.0, -0.32], [0.0, 0.0, 0.32]])
    """
    used = {name: use.kind for name, use in uses.items() if use.kind != "unused"}
    rich = any(kind in ("text", "counts", "vectors") for kind in used.values())
    blocks, columns, values = [sparse.csr_array((table.n_nodes, 0))], [""] * 0, [""] * 0
    for name, kind in used.items():
        matrix, found = _MADE[kind](name, table[name])
        plain = kind in ("category", "number")
        blocks.append(_scaled(matrix, PLAIN if plain and rich else 1.0))
        columns += [name] * len(found)
        values += found
    matrix = sparse.csr_array(sparse.hstack(blocks, format="csr"))
    return Features(matrix, tuple(columns), tuple(values))


def _scaled(matrix: Any, square: float) -> Any:
    mean = float(matrix.multiply(matrix).sum()) / max(matrix.shape[0], 1)
    return sparse.csr_array(matrix * np.sqrt(square / mean)) if mean > 0 else matrix


def _of_text(name: str, values: NodeColumn) -> tuple[Any, list[str]]:
    texts = ["" if value is None else str(value) for value in values]
    vectorizer = need("sklearn.feature_extraction.text", extra="all").TfidfVectorizer
    often = 2 if len(texts) > 200 else 1
    for least in (often, 1):
        model = vectorizer(sublinear_tf=True, max_features=MOST_WORDS, min_df=least)
        try:
            matrix = model.fit_transform(texts)
        except ValueError:  # no word is left
            continue
        return sparse.csr_array(matrix), model.get_feature_names_out().tolist()
    raise InputError(f"column {name!r} must hold words to be used as text, it has none")


def _of_category(name: str, values: NodeColumn) -> tuple[Any, list[str]]:  # noqa: ARG001
    texts = ["" if _missing(value) else str(value) for value in values.tolist()]
    found = sorted(set(texts) - {""})
    place = {value: j for j, value in enumerate(found)}
    rows = [i for i, text in enumerate(texts) if text]
    entries = (np.ones(len(rows)), (rows, [place[texts[i]] for i in rows]))
    return sparse.csr_array(entries, shape=(len(texts), len(found))), found


def _of_number(name: str, values: NodeColumn) -> tuple[Any, list[str]]:
    numbers = in_range(_floats(name, values)[:, None])
    return sparse.csr_array(_standard(numbers, per_column=True)), [""]


def _of_counts(name: str, values: NodeColumn) -> tuple[Any, list[str]]:  # noqa: ARG001
    transformer = need("sklearn.feature_extraction.text", extra="all").TfidfTransformer
    matrix = transformer().fit_transform(sparse.csr_matrix(values, dtype=np.float64))
    return sparse.csr_array(matrix), [str(j) for j in range(values.shape[1])]


def _of_vectors(name: str, values: NodeColumn) -> tuple[Any, list[str]]:
    if sparse.issparse(values):
        return sparse.csr_array(values, dtype=np.float64), _numbered(values.shape[1])
    if values.dtype == object:
        width = next(len(value) for value in values if value is not None)
        empty = np.full(width, np.nan)
        try:
            values = np.array([empty if v is None else v for v in values], dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError(f"column {name!r} must hold vectors of numbers") from None
    flat = in_range(np.asarray(values, dtype=np.float64).reshape(len(values), -1))
    return sparse.csr_array(_standard(flat, per_column=False)), _numbered(flat.shape[1])


def in_range(numbers: NDArray[Any]) -> NDArray[Any]:
    """Return numbers whose squares can be computed in single precision: the same up to a factor.

    Examples
    --------
    >>> in_range(np.array([1e300, -5e299])), in_range(np.array([1.0, 2.0]))
    (array([ 1. , -0.5]), array([1., 2.]))
    """
    told = np.isfinite(numbers)
    ends = numbers.max(where=told, initial=0), numbers.min(where=told, initial=0)
    largest = max(float(ends[0]), -float(ends[1]))
    usual = largest == 0.0 or 1.0 / LARGEST < largest < LARGEST
    return numbers if usual else np.asarray(numbers / largest)


def _standard(numbers: Array, *, per_column: bool) -> Array:
    """Centre the columns; a missing value (a row, without `per_column`) becomes 0."""
    told = np.isfinite(numbers)
    if not per_column:
        told = np.broadcast_to(told.all(axis=1, keepdims=True), numbers.shape)
    filled = np.where(told, numbers, 0.0)
    centred = np.where(told, filled - filled.sum(axis=0) / np.maximum(told.sum(axis=0), 1), 0.0)
    if per_column:
        spread = np.sqrt((centred**2).sum(axis=0) / np.maximum(told.sum(axis=0), 1))
        centred = centred / np.where(spread > 0, spread, 1.0)
    return np.asarray(centred)


def _floats(name: str, values: NodeColumn) -> Array:
    try:
        found = [np.nan if value is None else float(value) for value in values.tolist()]
    except (TypeError, ValueError):
        raise InputError(f"column {name!r} must hold numbers") from None
    return np.array(found)


def _missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and np.isnan(value))


def _numbered(count: int) -> list[str]:
    return [str(j) for j in range(count)]


_MADE: Mapping[str, Any] = {
    "text": _of_text,
    "category": _of_category,
    "number": _of_number,
    "counts": _of_counts,
    "vectors": _of_vectors,
}
