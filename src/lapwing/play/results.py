"""Rounds into files: Parquet, CSV or JSON lines."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from lapwing.errors import InputError
from lapwing.optional import need

FORMATS = (".parquet", ".csv", ".json", ".jsonl")


def write_table(columns: Mapping[str, NDArray[Any]], path: str | Path) -> Path:
    """Write columns of equal length; the suffix chooses the format.

    ``.parquet`` and ``.csv`` need the extra `tables`; ``.json`` is one list of objects,
    ``.jsonl`` one object a line.

    Examples
    --------
    >>> import tempfile, numpy as np
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = write_table({"node": np.array([0, 1])}, folder + "/rounds.jsonl")
    ...     print(path.read_text().split())
    ['{"node":0}', '{"node":1}']
    """
    path = checked_format(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix in (".json", ".jsonl"):
        _write_json(columns, path)
        return path
    table = need("pyarrow", extra="tables").table(dict(columns))
    if path.suffix == ".parquet":
        need("pyarrow.parquet", extra="tables").write_table(table, path)
    else:
        need("pyarrow.csv", extra="tables").write_csv(table, path)
    return path


def checked_format(path: str | Path) -> Path:
    """The path, or an error when its suffix is no format of results."""
    found = Path(path)
    if found.suffix not in FORMATS:
        raise InputError(f"a results file must end in {', '.join(FORMATS)}, got {found.name}")
    return found


def _write_json(columns: Mapping[str, NDArray[Any]], path: Path) -> None:
    names = list(columns)
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    lines = (json.dumps(dict(zip(names, row, strict=True)), separators=(",", ":")) for row in rows)
    lines_apart = path.suffix == ".jsonl"
    text = "\n".join(lines) if lines_apart else "[" + ",\n".join(lines) + "]"
    path.write_text(text + "\n", encoding="utf-8")
