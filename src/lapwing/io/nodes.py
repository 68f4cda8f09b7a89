"""Node tables: attributes of the nodes, from a file or another library's table."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import nan
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from lapwing.errors import InputError, ReadError
from lapwing.graph import Graph, NodeTable
from lapwing.graph.node_table import placed
from lapwing.io.columns import NODE_LABEL, Column, check_distinct, option, simplified
from lapwing.io.files import plain_file
from lapwing.io.formats import TEXT, format_of
from lapwing.io.graphs.parquet import arrow_errors, check_rows
from lapwing.io.node_values import plain_columns
from lapwing.io.numbered_rows import SUFFIX, numbered_rows
from lapwing.io.tables import write_table
from lapwing.io.text.layout import TableOptions, first_rows
from lapwing.io.text.rows import decoded_lines, fields_of, is_number, written_integer
from lapwing.optional import need
from lapwing.types import Nodes

KEYS = ("node", "node_id", "nodeid", "id", "name", "vertex")
"""The words by which headers are known to call the column of nodes, the likeliest first."""


def read_nodes(
    table: Any,
    graph: Graph,
    *,
    node_column: Column = None,
    delimiter: str | None = None,
    header: bool | None = None,
    format: str | None = None,
) -> NodeTable:
    """Read a table with one row per node, in any order.

    Parameters
    ----------
    table
        A CSV, TSV or Parquet file, a pandas, polars or Arrow table, or a mapping of columns. Or a
        NumPy file (``.npy``) of vectors: row k is about the node called k, from 0.
    graph
        The graph whose nodes the rows name.
    node_column
        The column that names the node, by name or position from 0. By default the one called
        node, node_id, id, name or vertex, otherwise the only one whose values are nodes.
    delimiter, header, format
        As for `read_graph`.

    Numbers stay numbers; a column of a text file is numeric if all its values are. Values of nodes
    without a row are missing (None, or NaN in a column of decimal numbers). Rows about unknown
    nodes are ignored. The table's `notes` list both.

    Examples
    --------
    >>> graph = Graph.from_edges([("ada", "bo"), ("bo", "cy")])
    >>> table = read_nodes({"id": ["cy", "ada", "dan"], "age": [5, 31, 8]}, graph)
    >>> table["age"], table.notes
    (array([31, None, 5], dtype=object),
     "1 node has no row: 'bo'; 1 row names no node: 'dan'")
    """
    if isinstance(table, str | PathLike):
        shown: Path | None = Path(table)
        if format is None and Path(table).suffix.lower() == SUFFIX:
            return numbered_rows(Path(table), graph)
        columns = file_columns(
            Path(table), TableOptions(None, None, False, delimiter, header), format
        )
    else:
        shown, columns = None, columns_in_table(table)
    try:
        key = _key(columns, node_column, graph)
        rows, notes = _rows(columns[key], graph)
    except ValueError as wrong:
        raise (InputError(str(wrong)) if shown is None else ReadError(shown, str(wrong))) from None
    found = {name: placed(values, rows) for name, values in columns.items() if name != key}
    return NodeTable(found, graph.n_nodes, notes=notes)


def described_graph(
    graph: Graph, table: Any, *, without: Sequence[str] = (), **options: Any
) -> Graph:
    """The same graph with what a table says of its nodes; where a file is, is kept with it.

    `options` are those of `read_nodes`. Columns of the graph's own stay, unless the table has one
    of the same name; columns named in `without` are left out.

    Examples
    --------
    >>> graph = Graph.from_edges([("ada", "bo"), ("bo", "cy")])
    >>> described_graph(graph, {"id": ["bo"], "age": [31]}).node_table.row(1)
    {'age': 31}
    """
    rows = read_nodes(table, graph, **options)
    kept = {name: values for name, values in rows.items() if name not in without}
    found = graph.with_node_table({**graph.node_table, **kept}, notes=rows.notes)
    if isinstance(table, str | PathLike):
        said = {name: value for name, value in options.items() if value is not None}
        place = {"table": str(Path(table).absolute()), **said}
        place |= {"without": list(without)} if without else {}
        found.read_from = {**(graph.read_from or {}), "nodes": place}
    return found


def write_nodes(graph: Graph, path: str | PathLike[str]) -> tuple[str, ...]:
    """Write the node table so that `read_nodes` gives it back: a column ``node``, then the others.

    The suffix says how: ``.csv``, ``.tsv``, ``.jsonl`` or ``.parquet``. Returns the names of the
    columns that a table cannot hold, such as images and matrices.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> graph = Graph.from_edges([("ada", "bo")]).with_node_table({"age": [31, None]})
    >>> with TemporaryDirectory() as folder:
    ...     _ = write_nodes(graph, Path(folder) / "people.csv")
    ...     print((Path(folder) / "people.csv").read_text())
    node,age
    ada,31
    bo,
    """
    columns = plain_columns(graph.node_table, lambda name, _: name != "node")
    table: dict[str, Any] = {"node": list(graph.names)}
    write_table(table | {name: each.values for name, each in columns.items()}, path)
    return tuple(name for name in graph.node_table if name not in columns)


def file_columns(file: Path, asked: TableOptions, format: str | None) -> dict[str, Any]:
    """The columns of a text or Parquet file, by name."""
    kind = format_of(file, format)
    with plain_file(file) as plain:
        if kind in TEXT:
            return _text_columns(plain, file, asked)
        if kind != "parquet":
            raise InputError(f"{file}: a node table must be csv, tsv, txt or parquet, got {kind}")
        with arrow_errors(file):
            with need("pyarrow.parquet", extra="tables").ParquetFile(plain) as read:
                check_rows(read.metadata.num_rows, plain, file)
                check_distinct(read.schema_arrow.names)
                table = read.read()
            table.validate(full=True)
            return columns_in_table(table)


def columns_in_table(table: Any) -> dict[str, Any]:
    """The columns of a pandas, polars or Arrow table, or of a mapping; an index is one, too."""
    if isinstance(table, Mapping):
        return {str(name): values for name, values in table.items()}
    names = getattr(table, "column_names", None)
    if names is None and not hasattr(table, "columns"):
        raise InputError(f"a node table must be a file, a table or columns, got {type(table)}")
    names = list(table.columns) if names is None else list(names)
    columns = {str(name): _values(table[name]) for name in names}
    index = getattr(table, "index", None)
    if index is not None and not callable(index) and type(index).__name__ != "RangeIndex":
        columns.setdefault(str(index.name or "node"), index.tolist())
    return columns


def _values(column: Any) -> Any:
    """An array of numbers as it is, anything else as a list."""
    nulls = getattr(column, "null_count", 0)
    if not (nulls() if callable(nulls) else nulls):
        array = np.asarray(column.to_numpy())
        if array.dtype.kind in "biuf":
            return array
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, method):
            return [None if value != value else value for value in getattr(column, method)()]
    return list(column)


def _key(columns: Mapping[str, Any], said: Column, graph: Graph) -> str:
    """The column that names the nodes; `ValueError` if it cannot be told."""
    names = list(columns)
    if isinstance(said, int):
        if not 0 <= said < len(names):
            raise ValueError(f"columns must lie in 0..{len(names) - 1}, got {said}")
        return names[said]
    words = [simplified(name) for name in names]
    if said is not None:
        if said not in names and simplified(said) not in words:
            raise ValueError(f"has columns {names[:12]}, none named {said!r}")
        return said if said in names else names[words.index(simplified(said))]
    for word in KEYS:
        if word in words:
            return names[words.index(word)]
    fitting = [name for name in names if _names_nodes(columns[name], graph)]
    if len(fitting) != 1:
        raise ValueError(
            f"has columns {names[:12]}: specify which one names the node, "
            f"with {option('node_column')}"
        )
    return fitting[0]


def _names_nodes(values: Any, graph: Graph) -> bool:
    """Whether most of the first hundred values are nodes, no two the same."""
    first = list(values[:100]) if np.ndim(values) <= 1 else []
    nodes = {_node(value, graph) for value in first} - {None}
    return bool(first) and 2 * len(nodes) > len(first)


def _node(value: Any, graph: Graph) -> int | None:
    """The node of that name; a number may be written as text, and text as a number."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, Hashable):
        return None
    positions = graph.names.positions()
    found = positions.get(value)
    if found is None and isinstance(value, str):
        number = written_integer(value)
        found = None if number is None else positions.get(number)
    elif found is None and isinstance(value, int):
        found = positions.get(str(value))
    return found


def _rows(keys: Sequence[Any], graph: Graph) -> tuple[Nodes, str]:
    """Each node's row, -1 for none, and what is to be said about the others."""
    rows = np.full(graph.n_nodes, -1, dtype=np.intp)
    strangers: list[Any] = []
    for row, key in enumerate(keys):
        node = _node(key, graph)
        if node is None:
            strangers.append(key.item() if isinstance(key, np.generic) else key)
        elif rows[node] >= 0:
            raise ValueError(f"node {graph.names[node]!r} must have one row, got a second one")
        else:
            rows[node] = row
    missing = np.flatnonzero(rows < 0)
    if graph.n_nodes and len(missing) == graph.n_nodes:
        raise ValueError(
            f"names none of the {graph.n_nodes} nodes; is {option('node_column')} right?"
        )
    alone = [graph.names[node] for node in missing[:3].tolist()]
    told = [
        _told(len(missing), alone, ("node has no row", "nodes have no row")),
        _told(len(strangers), strangers[:3], ("row names no node", "rows name no node")),
    ]
    return rows, "; ".join(filter(None, told))


def _told(count: int, first: Sequence[Any], words: tuple[str, str]) -> str:
    if not count:
        return ""
    more = ", ..." if count > len(first) else ""
    return f"{count:,} {words[count > 1]}: {', '.join(map(repr, first))}{more}"


def _text_columns(plain: Path, shown: Path, asked: TableOptions) -> dict[str, list[Any]]:
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
    with decoded_lines(plain, shown, skipped=skipped) as lines:
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
