"""The columns of a node table as arrays of numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lapwing.graph import NodeTable
from lapwing.io.graphs.mapped.texts import Arrays, stored_texts, text_arrays

_SPARSE = ("data", "indices", "indptr")


def column_arrays(table: NodeTable) -> tuple[list[dict[str, Any]], dict[str, NDArray[Any]]]:
    """Return how the columns are written, and their arrays; what cannot be written is left out.

    Numbers of any shape, sparse matrices and texts (some may be missing) can be written.

    Examples
    --------
    >>> table = NodeTable({"age": [31, 47], "name": ["Ada", None], "tags": [["a"], []]}, 2)
    >>> columns, arrays = column_arrays(table)
    >>> [(column["name"], column["kind"]) for column in columns]
    [('age', 'numbers'), ('name', 'texts')]
    """
    columns: list[dict[str, Any]] = []
    arrays: dict[str, NDArray[Any]] = {}
    for place, (name, values) in enumerate(table.items()):
        key = f"column {place}"
        column: dict[str, Any] = {"name": name, "key": key}
        if sparse.issparse(values):
            column |= {"kind": "sparse", "shape": list(values.shape)}
            arrays |= {f"{key}.{part}": getattr(values, part) for part in _SPARSE}
        elif values.dtype.kind in "biuf" and values.dtype.itemsize <= 8:
            column["kind"] = "numbers"
            arrays[key] = values
        elif values.ndim == 1 and all(v is None or _is_text(v) for v in values.tolist()):
            column["kind"] = "texts"
            held = values.tolist()
            arrays |= text_arrays(["" if value is None else value for value in held], key)
            arrays[f"{key}.missing"] = np.array([value is None for value in held], dtype=bool)
        else:
            continue
        columns.append(column)
    return columns, arrays


def mapped_columns(columns: list[Mapping[str, Any]], arrays: Arrays) -> dict[str, Any]:
    """Return the columns that `column_arrays` wrote; numbers stay in the file."""
    found: dict[str, Any] = {}
    for column in columns:
        key, kind = str(column["key"]), column["kind"]
        if kind == "numbers":
            found[str(column["name"])] = arrays[key]
        elif kind == "sparse":
            parts = tuple(arrays[f"{key}.{part}"] for part in _SPARSE)
            matrix = sparse.csr_array(parts, shape=tuple(column["shape"]))
            matrix.check_format(full_check=True)
            found[str(column["name"])] = matrix
        else:
            texts = np.empty(len(arrays[f"{key}.missing"]), dtype=object)
            texts[:] = stored_texts(arrays, key)
            texts[arrays[f"{key}.missing"]] = None
            found[str(column["name"])] = texts
    return found


def _is_text(value: object) -> bool:
    """Whether a value is a text that UTF-8 can hold."""
    if not isinstance(value, str):
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
