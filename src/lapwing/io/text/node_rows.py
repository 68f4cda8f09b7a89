"""The columns of a text table under its header, numbers read as numbers."""

from __future__ import annotations

from itertools import islice
from math import nan
from pathlib import Path
from typing import Any

from lapwing.errors import ReadError
from lapwing.io.columns import NODE_LABEL, check_distinct
from lapwing.io.text.layout import TableOptions, first_rows
from lapwing.io.text.rows import decoded_lines, fields_of, is_number, written_integer


def text_columns(plain: Path, shown: Path, asked: TableOptions) -> dict[str, list[Any]]:
    """Every column by its name; an empty field is None.

    Without a header the columns are called column_0, column_1, ...
    """
    delimiter, rows, skipped = first_rows(plain, shown, asked, NODE_LABEL)
    (line, first) = rows[0]
    names = [f"column_{at}" for at in range(len(first))]
    if asked.header is not False:
        names, skipped = [name or f"column_{at}" for at, name in enumerate(first)], line - 1
        try:
            check_distinct(names)
        except ValueError as wrong:
            raise ReadError(shown, str(wrong), line=line) from None
    columns: list[list[str]] = [[] for _ in names]
    lines = islice(decoded_lines(plain, shown), skipped, None)
    for at, (line, fields) in enumerate(fields_of(lines, delimiter, shown, before=skipped)):
        if at == 0 and asked.header is not False:
            continue
        if len(fields) != len(names):
            problem = f"needs {len(names)} fields like the first row, got {len(fields)}"
            raise ReadError(shown, problem, line=line)
        for column, field in zip(columns, fields, strict=True):
            column.append(field)
    return {name: _typed(column) for name, column in zip(names, columns, strict=True)}


def _typed(texts: list[str]) -> list[Any]:
    """Integers if all that is there is one, decimal numbers if all is one, otherwise text."""
    filled = [text for text in texts if text]
    if filled and all(written_integer(text) is not None for text in filled):
        return [written_integer(text) if text else None for text in texts]
    if filled and all(map(is_number, filled)):
        return [float(text) if text else nan for text in texts]
    return [text or None for text in texts]
