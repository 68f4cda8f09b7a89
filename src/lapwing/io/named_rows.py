"""Tables of nodes that are yet to be added to a graph."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

from lapwing.errors import InputError
from lapwing.io.columns import simplified
from lapwing.io.nodes import KEYS, columns_in_table, file_columns
from lapwing.io.text.layout import TableOptions


def named_rows(table: Any) -> tuple[list[Any], dict[str, Any]]:
    """Return the names in a table of nodes, and its other columns.

    The column called node, node_id, id, name or vertex names the nodes, otherwise the first.

    Examples
    --------
    >>> named_rows({"title": ["Ada", "Bo"], "id": [7, 9]})
    ([7, 9], {'title': ['Ada', 'Bo']})
    """
    if isinstance(table, str | PathLike):
        file = Path(table)
        columns = file_columns(file, TableOptions(None, None, False, None, None), None)
    else:
        columns = columns_in_table(table)
    if not columns:
        raise InputError("a table of nodes must have a column that names them, got none")
    words = {simplified(name): name for name in columns}
    key = next((words[word] for word in KEYS if word in words), next(iter(columns)))
    names = list(columns.pop(key))
    for name, values in columns.items():
        if len(values) != len(names):
            raise InputError(f"column {name!r} must have {len(names)} values, got {len(values)}")
    return names, columns
