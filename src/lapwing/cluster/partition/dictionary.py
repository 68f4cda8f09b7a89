"""The dictionary of a partitioned graph: names by block, and codes by a hash of the name."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.cluster.partition.files import swapped_file
from lapwing.errors import InputError, UnknownNodeError
from lapwing.io.graphs.parquet import arrow_errors
from lapwing.optional import need

_MIX, _SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)


def hash_parts(names: NDArray[Any], parts: int) -> NDArray[np.int64]:
    """Return the part of the dictionary that each name belongs to; stable across machines.

    Examples
    --------
    >>> hash_parts(np.array([0, 1, 2, 3]), 2).tolist()
    [0, 1, 1, 1]
    >>> hash_parts(np.array(["ada", "bo"], dtype=object), 4).tolist()
    [1, 0]
    """
    if names.dtype == object:
        mixed = np.array([zlib.crc32(name.encode()) for name in names], dtype=np.uint64)
    else:
        mixed = names.astype(np.int64).view(np.uint64)
    with np.errstate(over="ignore"):
        mixed = mixed * _MIX
        mixed = (mixed ^ (mixed >> _SHIFT)) * _MIX
    return np.asarray((mixed >> np.uint64(33)) % np.uint64(parts), dtype=np.int64)


def write_names(file: Path, names: NDArray[Any]) -> None:
    """Write the names of a block, in the order of its rows."""
    _write(file, {"node": names})


def read_names(file: Path) -> NDArray[Any]:
    """Read the names of a block."""
    return _columns(file)[0]


def write_codes(file: Path, names: NDArray[Any], codes: NDArray[np.int64]) -> None:
    """Write one part of the dictionary: names and their nodes."""
    _write(file, {"node": names, "code": codes})


class CodePart:
    """One part of the dictionary in memory: from names to nodes."""

    def __init__(self, file: Path) -> None:
        names, codes = _columns(file)
        self._order = np.argsort(names, kind="stable")
        self._names, self._codes = names[self._order], codes[self._order]

    def of(self, names: NDArray[Any]) -> NDArray[np.int64]:
        """Return the node of each name; -1 where there is none."""
        if not len(self._names):
            return np.full(len(names), -1, dtype=np.int64)
        at = np.searchsorted(self._names, names).clip(max=len(self._names) - 1)
        return np.where(self._names[at] == names, self._codes[at], -1)


def codes_of(folder: Path, parts: int, names: NDArray[Any]) -> NDArray[np.int64]:
    """Return the nodes of some names; only the parts of the dictionary that are needed are read."""
    codes = np.full(len(names), -1, dtype=np.int64)
    where = hash_parts(names, parts)
    for part in np.unique(where).tolist():
        mine = np.flatnonzero(where == part)
        codes[mine] = CodePart(codes_file(folder, part)).of(names[mine])
    missing = np.flatnonzero(codes < 0)
    if len(missing):
        name = names[missing[0]]
        shown = repr(name) if names.dtype == object else str(name)
        more = f" (nor are {len(missing) - 1:,} others)" if len(missing) > 1 else ""
        raise UnknownNodeError(f"no node is named {shown}{more} in {folder}")
    return codes


def names_file(folder: Path, block: int) -> Path:
    """The file with the names of a block."""
    return folder / "names" / f"{block:05d}.parquet"


def codes_file(folder: Path, part: int) -> Path:
    """The file of one part of the dictionary."""
    return folder / "codes" / f"{part:05d}.parquet"


def as_names(values: Iterable[Any], kind: str) -> NDArray[Any]:
    """Return names as integers or text, as a graph has them; raise where they cannot be.

    Examples
    --------
    >>> as_names(["7", 8], "integers"), as_names([7, "x"], "text")
    (array([7, 8]), array(['7', 'x'], dtype=object))
    """
    listed = list(values)
    if kind == "text":
        return np.array([str(value) for value in listed], dtype=object)
    try:
        return np.array([int(value) for value in listed], dtype=np.int64)
    except (ValueError, TypeError, OverflowError):
        wrong = next(value for value in listed if not str(value).lstrip("-").isdigit())
        raise InputError(f"names of nodes must be integers in this graph, got {wrong!r}") from None


def _write(file: Path, columns: dict[str, NDArray[Any]]) -> None:
    pa = need("pyarrow", extra="cluster")
    kinds = {
        name: pa.array(values, type=pa.string() if values.dtype == object else pa.int64())
        for name, values in columns.items()
    }
    with swapped_file(file) as fresh:
        need("pyarrow.parquet", extra="cluster").write_table(pa.table(kinds), fresh)


def _columns(file: Path) -> list[NDArray[Any]]:
    with arrow_errors(file):
        with need("pyarrow.parquet", extra="cluster").ParquetFile(file) as opened:
            table = opened.read()
        found = [column.to_numpy() for column in table.columns]
    return [
        np.asarray(each, dtype=object if each.dtype.kind == "O" else np.int64) for each in found
    ]
