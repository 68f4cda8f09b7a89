"""Write tables to files, atomically."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any

from lapwing.errors import InputError
from lapwing.io.files import WRITERS, replaced_file
from lapwing.io.text.rows import quoted
from lapwing.optional import need

TABLE_FORMATS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".txt": "tsv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}
Columns = Mapping[str, Any]
"""Column names, and for each a sequence, an array or an Arrow column of equal length."""


def write_table(columns: Columns, path: str | PathLike[str], *, format: str | None = None) -> Path:
    """Write columns of equal length; the suffix, or `format`, chooses the format.

    ``.csv``, ``.tsv``, ``.json`` (one list of objects) and ``.jsonl`` (one object per line) need
    no extra, ``.parquet`` needs the extra `tables`. A suffix ``.gz``, ``.zst``, ``.bz2`` or
    ``.xz`` compresses the file. Missing folders are created. An existing file is replaced only when
    the new one is complete. A missing value (None, or NaN in JSON) is empty in text and null
    elsewhere.

    Examples
    --------
    >>> import tempfile, numpy as np
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = write_table({"node": np.array([0, 1])}, folder + "/rounds.jsonl")
    ...     print(path.read_text().split())
    ['{"node":0}', '{"node":1}']
    """
    file = checked_output(path, format=format)
    kind = table_format(file, format)
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        raise InputError(f"columns must have equal lengths, got {lengths}")
    with replaced_file(file, make_folders=True) as fresh:
        if kind == "parquet":
            table = need("pyarrow", extra="tables").table(dict(columns))
            need("pyarrow.parquet", extra="tables").write_table(table, fresh)
        else:
            with fresh.open("w", encoding="utf-8", newline="") as out:
                out.writelines(_pieces(columns, kind))
    return file


def table_text(columns: Columns, kind: str = "csv") -> str:
    """What `write_table` writes, as text; `kind` is csv, tsv, json or jsonl.

    Examples
    --------
    >>> print(table_text({"node": ["ada", "bo, jr"], "sure": [0.5, None]}))
    node,sure
    ada,0.5
    "bo, jr",
    """
    return "".join(_pieces(columns, kind))


def checked_output(path: str | PathLike[str], *, format: str | None = None) -> Path:
    """Return the path of a table; raise if it cannot be written, before any work is done.

    The suffix (or `format`) must be that of a table, and the folder must be writable, or it must be
    possible to create it.

    Examples
    --------
    >>> checked_output("rounds.xls")
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: rounds.xls: a table must end in .csv, .tsv, .tab, .txt, .json,
    .jsonl, .parquet, .pq
    """
    if not isinstance(path, str | PathLike):
        raise InputError(f"the path of a table must be text or a Path, got {path!r:.80}")
    file = Path(path)
    table_format(file, format)
    check_writable(file)
    return file


def check_writable(file: Path) -> None:
    """Raise unless a file can be made, or replaced, at this path."""
    if file.is_dir():
        raise InputError(f"{file}: is a folder, not a file")
    folder = file.parent
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    if not folder.is_dir():
        raise InputError(f"{file}: cannot be written: {folder} is not a folder")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(f"{file}: cannot be written: no permission to write to {folder}")


def table_format(file: Path, said: str | None = None) -> str:
    """The format that was said, or that the suffix tells before one of compression."""
    known = sorted(set(TABLE_FORMATS.values()))
    if said is not None:
        if said.lstrip(".") not in known:
            raise InputError(f"format must be one of {', '.join(known)}, got {said!r}")
        return said.lstrip(".")
    stem = Path(file.stem) if file.suffix.lower() in WRITERS else file
    if stem.suffix.lower() not in TABLE_FORMATS:
        raise InputError(f"{file}: a table must end in {', '.join(TABLE_FORMATS)}")
    return TABLE_FORMATS[stem.suffix.lower()]


def _pieces(columns: Columns, kind: str) -> Iterator[str]:
    """The text of a table, piece by piece."""
    names = list(columns)
    rows = zip(*map(_values, columns.values()), strict=True)
    if kind in ("csv", "tsv"):
        mark = "," if kind == "csv" else "\t"
        for row in chain([names], rows):
            yield mark.join(quoted(_field(value), mark) for value in row) + "\n"
        return
    lines = (_as_json(dict(zip(names, row, strict=True))) for row in rows)
    if kind == "jsonl":
        yield from (line + "\n" for line in lines)
        return
    yield "["
    for count, line in enumerate(lines):
        yield ",\n" + line if count else line
    yield "]\n"


def _values(column: Any) -> Sequence[Any]:
    """A column in Python's own types."""
    for method in ("to_pylist", "tolist"):
        if hasattr(column, method):
            values: Sequence[Any] = getattr(column, method)()
            return values
    return [value.item() if hasattr(value, "item") else value for value in column]


def _field(value: Any) -> str:
    """A value as text; a number keeps all its digits."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    return _as_json(value) if isinstance(value, list | tuple | dict) else str(value)


def _as_json(value: Any) -> str:
    return json.dumps(_plain(value), separators=(",", ":"), ensure_ascii=False, default=str)


def _plain(value: Any) -> Any:
    """Without the numbers that JSON does not have."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
