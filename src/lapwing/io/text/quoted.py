"""Edge lists with quoted fields, read by DuckDB."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lapwing.errors import MissingExtraError
from lapwing.io.text.compiled.fields import SPACE, TAB, Field, blocks_of
from lapwing.io.text.layout import Layout
from lapwing.optional import need
from lapwing.types import Array

_ROWS = 1 << 18


class Quoted(NamedTuple):
    """Some rows: both columns of nodes, and the weights if any."""

    first: Field
    second: Field
    weights: Array


def quoted_parts(plain: Path, layout: Layout) -> Iterator[Quoted | None]:
    """The rows in blocks; None once there is a row that DuckDB does not read as we do.

    All columns of nodes are read as text, with no type guessed, no row left out and no field
    filled in; in the end there must have been as many rows as lines. Spaces around a field, lines
    that are blank, inside quotes or ended by a delimiter need the careful reader, which also names
    a wrong line.
    """
    lines = _lines_for_duckdb(plain, layout)
    if lines is None:
        yield None
        return
    try:
        duckdb, pa = need("duckdb", extra="tables"), need("pyarrow", extra="tables")
    except MissingExtraError:
        yield None
        return
    with duckdb.connect() as database:
        try:
            query, given = _query(plain, layout)
            for batch in database.sql(query, params=given).to_arrow_reader(_ROWS):
                lines -= batch.num_rows
                yield _part(batch)
        except (duckdb.Error, pa.ArrowException, OSError):
            yield None
        if lines != 0:
            yield None


def _query(plain: Path, layout: Layout) -> tuple[str, list[Any]]:
    chosen = layout.chosen
    columns = ", ".join(f"'c{column}': 'VARCHAR'" for column in range(layout.width))
    asked = [f"c{chosen.first}", f"c{chosen.second}"]
    if chosen.weight is not None:
        text = f"c{chosen.weight}"
        asked.append(
            f"CASE WHEN contains({text}, '_') THEN NULL ELSE TRY_CAST({text} AS DOUBLE) END"
        )
    query = (
        f"SELECT {', '.join(asked)} FROM read_csv(?, delim = ?, "
        f"quote = ?, escape = ?, skip = ?, header = false, auto_detect = false, "
        f"columns = {{{columns}}}, strict_mode = true, max_line_size = {1 << 24})"
    )
    return query, [str(plain), layout.delimiter, '"', '"', layout.skipped]


def _lines_for_duckdb(plain: Path, layout: Layout) -> int | None:
    """How many lines of rows there are; None for a file without quotes or one it reads otherwise.

    DuckDB takes stars and brackets in a file's name for a pattern of many names, guesses what ends
    a line, and passes over an empty field at the end of one.
    """
    mark, quotes, lines = layout.delimiter.encode(), False, 0
    if mark == b" " or any(sign in str(plain) for sign in "*?["):
        return None
    for block in blocks_of(plain, layout.skipped):
        quotes = quotes or b'"' in block
        lines += block.count(b"\n")
        lone = b"\r" in block and block.count(b"\r") != block.count(b"\r\n")
        if lone or mark + b"\n" in block or mark + b"\r" in block:
            return None
    return lines if quotes else None


def _part(batch: Any) -> Quoted | None:
    if any(column.null_count for column in batch.columns):
        return None
    first, second = (_field(batch.column(side)) for side in range(2))
    weights = np.asarray(batch.column(2)) if batch.num_columns > 2 else np.empty(0)
    return None if first is None or second is None else Quoted(first, second, weights)


def _field(values: Any) -> Field | None:
    """An Arrow column's own memory; None if a text has a space or tab around it or a NUL in it."""
    _, offsets, data = values.buffers()
    ends = np.frombuffer(offsets, dtype=np.int32)[values.offset : values.offset + len(values) + 1]
    text = np.frombuffer(data, dtype=np.uint8)
    starts, stops = ends[:-1], ends[1:]
    if (stops <= starts).any():
        return None
    edges = np.concatenate([text[starts], text[stops - 1]])
    if np.isin(edges, (SPACE, TAB)).any() or not text[ends[0] : ends[-1]].all():
        return None
    return Field(starts, stops, text)
