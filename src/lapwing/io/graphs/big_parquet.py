"""Big Parquet tables of edges, batch by batch: texts become codes without becoming objects.

A column that the file keeps as codes of a dictionary is read as such, and only the dictionary is
looked up; any other text is looked up in Arrow's own memory. Rows that need a message (an empty
field, a bad weight) are left to the careful reader, which has the row's number.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lapwing.graph import Graph
from lapwing.graph.construction import Directed, first_bad_weight
from lapwing.io.coded_edges import coded_graph, joined, text_names
from lapwing.io.columns import Chosen
from lapwing.io.text.compiled.fields import Field, in_order
from lapwing.io.text.compiled.integer_codes import Codes, integer_codes
from lapwing.io.text.compiled.text_codes import TextColumn, Texts, texts_of
from lapwing.optional import need
from lapwing.types import Array

BIG = 50_000
"""From how many rows on compiled code is worth its start."""
_ROWS, _CODED_ROWS = 1 << 17, 1 << 20
"""Rows per batch, of texts and of codes: each batch of codes has its dictionary looked up."""
_PLAIN = 5
"""Bytes that a text of one character takes in a Parquet page, unless it is a code."""


class _Coded(NamedTuple):
    """A column as positions in a dictionary."""

    texts: TextColumn
    positions: NDArray[Any]


_Part = tuple[Any, Any, Array]
"""Both ends of some rows (integers, texts, or codes of texts), and their weights."""


def fast_parquet_graph(
    plain: Path, header: list[str], chosen: Chosen, directed: Directed
) -> Graph | None:
    """Return the graph, or None if the table needs the careful reader (or is wrong somewhere)."""
    kinds = [column_kind(plain, header[end]) for end in (chosen.first, chosen.second)]
    if kinds[0] != kinds[1] or kinds[0] == "other":
        return None
    parts = in_order(partial(_part, kinds[0]), _batches(plain, header, chosen))
    weighted = chosen.weight is not None
    return (_text_graph if kinds[0] == "text" else _integer_graph)(parts, weighted, directed)


def column_kind(plain: Path, name: str) -> str:
    """Return what a column holds: text, integers or something other."""
    pa = need("pyarrow", extra="tables")
    with need("pyarrow.parquet", extra="tables").ParquetFile(plain) as file:
        kind = file.schema_arrow.field(name).type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return "text"
    return "integers" if pa.types.is_integer(kind) and kind != pa.uint64() else "other"


def _batches(plain: Path, header: list[str], chosen: Chosen) -> Iterator[Any]:
    """Yield the chosen columns batch by batch, texts as codes where the file has codes."""
    pq = need("pyarrow.parquet", extra="tables")
    columns = [header[c] for c in chosen.all]
    with pq.ParquetFile(plain) as file:
        as_codes = [header[c] for c in (chosen.first, chosen.second) if _has_codes(file, header[c])]
    with pq.ParquetFile(plain, read_dictionary=as_codes) as file:
        size = _CODED_ROWS if len(as_codes) == 2 else _ROWS
        for batch in file.iter_batches(size, columns=columns, use_threads=False):
            batch.validate(full=True)
            yield batch.select(columns)


def _has_codes(file: Any, name: str) -> bool:
    """Whether all of a column takes fewer bytes than texts would, so that it must be codes."""
    if file.schema_arrow.field(name).type not in _texts():
        return False
    at = file.schema.names.index(name)
    groups = [file.metadata.row_group(k).column(at) for k in range(file.metadata.num_row_groups)]
    return all(
        group.has_dictionary_page and group.total_uncompressed_size < _PLAIN * group.num_values
        for group in groups
    )


def _texts() -> tuple[Any, Any]:
    pa = need("pyarrow", extra="tables")
    return pa.string(), pa.large_string()


def _part(kind: str, batch: Any) -> _Part | None:
    """Both ends and the weights of a batch; None if a value is missing or of another kind."""
    pa = need("pyarrow", extra="tables")
    if any(column.null_count for column in batch.columns):
        return None
    weights = np.empty(0)
    if batch.num_columns > 2:
        if not (pa.types.is_integer(batch.column(2).type) or pa.types.is_floating(batch[2].type)):
            return None
        weights = np.asarray(batch.column(2).cast(pa.float64()).to_numpy(zero_copy_only=False))
        if first_bad_weight(weights) is not None:
            return None
    read = _text_end if kind == "text" else _integer_end
    first, second = read(batch.column(0)), read(batch.column(1))
    return None if first is None or second is None else (first, second, weights)


def _integer_end(values: Any) -> NDArray[np.int64]:
    pa = need("pyarrow", extra="tables")
    return np.asarray(values.cast(pa.int64()).to_numpy(zero_copy_only=False))


def _text_end(values: Any) -> TextColumn | _Coded | None:
    """A column of texts, or the dictionary of one and its positions; None if a text is empty."""
    pa = need("pyarrow", extra="tables")
    if not pa.types.is_dictionary(values.type):
        return texts_of(_field(values))
    if values.dictionary.null_count:
        return None
    texts = texts_of(_field(values.dictionary))
    return None if texts is None else _Coded(texts, values.indices.to_numpy(zero_copy_only=False))


def _field(values: Any) -> Field:
    """Where each text begins and ends in Arrow's own memory."""
    pa = need("pyarrow", extra="tables")
    values = values if values.type == pa.string() else values.cast(pa.string())
    _, offsets, data = values.buffers()
    ends = np.frombuffer(offsets, dtype=np.int32)[values.offset : values.offset + len(values) + 1]
    text = np.frombuffer(b"" if data is None else data, dtype=np.uint8)
    return Field(ends[:-1], ends[1:], text)


def _integer_graph(
    parts: Iterator[_Part | None], weighted: bool, directed: Directed
) -> Graph | None:
    left, right, given = [], [], []
    for part in parts:
        if part is None:
            return None
        left.append(part[0])
        right.append(part[1])
        given.append(part[2])
    half = len(left)
    codes, names = integer_codes([*left, *right])
    del left, right
    sources, targets = codes[:half], codes[half:]
    del codes
    weights = joined(given) if weighted else None
    return coded_graph(joined(sources), joined(targets), weights, names, directed)


def _text_graph(parts: Iterator[_Part | None], weighted: bool, directed: Directed) -> Graph | None:
    texts, left, right, given, in_rows = Texts(), [], [], [], True
    for part in parts:
        if part is None:
            return None
        first, second, weights = part
        if isinstance(first, TextColumn) and isinstance(second, TextColumn):
            ends = texts.add(first, second)
        else:
            ends, in_rows = (_looked_up(texts, first), _looked_up(texts, second)), False
        left.append(ends[0])
        right.append(ends[1])
        given.append(weights)
    sources, targets = joined(left), joined(right)
    places, raw = texts.names()
    places, raw = places.copy(), raw.copy()
    del texts
    if not in_rows:
        order = _order_of_appearance(sources, targets, len(places) - 1)
        places, raw = _reordered(places, raw, order)
    names = text_names(places, raw)
    return coded_graph(sources, targets, joined(given) if weighted else None, names, directed)


def _looked_up(texts: Texts, end: Any) -> Codes:
    """The codes of one column; its distinct texts alone are looked up."""
    coded = isinstance(end, _Coded)
    column = end.texts if coded else end
    codes = texts.add(column, column)[0]
    return codes[end.positions] if coded else codes


@njit(cache=True, nogil=True)
def _order_of_appearance(sources: Codes, targets: Codes, count: int) -> Codes:
    """Renumber the codes row by row, in place; return the former code of each new one."""
    fresh = np.full(count, -1, dtype=np.int32)
    order = np.empty(count, dtype=np.int32)
    seen = 0
    for row in range(len(sources)):
        for column in (sources, targets):
            code = column[row]
            if fresh[code] < 0:
                fresh[code] = seen
                order[seen] = code
                seen += 1
            column[row] = fresh[code]
    return order[:seen]


@njit(cache=True, nogil=True)
def _reordered(
    places: NDArray[np.int64], raw: NDArray[np.uint8], order: Codes
) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Return the texts with these codes one behind the other."""
    ends = np.zeros(len(order) + 1, dtype=np.int64)
    for i in range(len(order)):
        ends[i + 1] = ends[i] + places[order[i] + 1] - places[order[i]]
    kept = np.empty(ends[-1], dtype=np.uint8)
    for i in range(len(order)):
        kept[ends[i] : ends[i + 1]] = raw[places[order[i]] : places[order[i] + 1]]
    return ends, kept
