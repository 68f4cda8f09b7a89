"""Edges and labels in Parquet tables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.errors import GraphError, ReadError
from lapwing.graph import Graph
from lapwing.graph.construction import Directed
from lapwing.io.columns import ENDS, Chosen, Roles, chosen_columns
from lapwing.io.graphs.big_parquet import BIG, fast_parquet_graph
from lapwing.io.text.edge_list import graph_as_it_comes
from lapwing.io.text.layout import TableOptions
from lapwing.io.writable_names import kind_of
from lapwing.optional import need

_ROWS_PER_BYTE = 64


def read_parquet(plain: Path, shown: Path, asked: TableOptions, directed: Directed) -> Graph:
    """A graph from a Parquet table with one edge per row; rows are counted from 1."""
    with arrow_errors(shown):
        header, chosen, rows = layout_of_parquet(plain, shown, asked, ENDS, weighted=True)
        graph = fast_parquet_graph(plain, header, chosen, directed) if rows >= BIG else None
        if graph is not None:
            return graph
        columns = parquet_columns(plain, shown, asked, ENDS, weighted=True)
        ends = [node_values(name, values, shown) for name, values in columns[:2]]
        weights = edge_weights(*columns[2], shown) if len(columns) > 2 else None
    if ends[0].dtype != ends[1].dtype:
        raise ReadError(shown, "both ends must be integers or both text, got one of each")
    try:
        if ends[0].dtype == object:
            return graph_as_it_comes(ends[0].tolist(), ends[1].tolist(), weights, directed)
        return Graph.from_edges((ends[0], ends[1]), weights=weights, directed=directed)
    except GraphError as wrong:
        raise ReadError(shown, str(wrong)) from None


@contextmanager
def arrow_errors(shown: Path) -> Iterator[None]:
    """What Arrow raises on a damaged file, as our own error."""
    pa = need("pyarrow", extra="tables")
    try:
        yield
    except ReadError:
        raise
    except (pa.ArrowException, OSError, MemoryError, ArithmeticError, LookupError, TypeError,
            UnicodeError) as wrong:  # fmt: skip
        reason = (str(wrong).strip() or type(wrong).__name__).splitlines()[0][:160]
        raise ReadError(shown, f"is damaged or truncated Parquet data: {reason}") from None
    except ValueError as wrong:
        raise ReadError(shown, str(wrong)) from None


def write_parquet(graph: Graph, path: Path) -> None:
    """The columns source and target, and weight when some edge does not weigh 1."""
    pa = need("pyarrow", extra="tables")
    names = _typed(list(graph.names), "names")
    sources, targets, weights = graph.edges()
    table = {"source": names.take(pa.array(sources)), "target": names.take(pa.array(targets))}
    if (weights != 1.0).any():
        table["weight"] = pa.array(weights)
    need("pyarrow.parquet", extra="tables").write_table(pa.table(table), path)


def _typed(values: list[Any], what: str) -> Any:
    pa = need("pyarrow", extra="tables")
    kind = pa.int64() if kind_of(values, what) is int else pa.string()
    return pa.array(values, type=kind)


def layout_of_parquet(
    plain: Path, shown: Path, asked: TableOptions, roles: Roles, *, weighted: bool
) -> tuple[list[str], Chosen, int]:
    """The names of all columns, those that are read, and the number of rows."""
    with need("pyarrow.parquet", extra="tables").ParquetFile(plain) as file:
        header, rows = file.schema_arrow.names, file.metadata.num_rows
    weight = asked.weight if weighted else False
    chosen = chosen_columns(len(header), header, (asked.first, asked.second), weight, roles)
    check_rows(rows, plain, shown)
    return header, chosen, rows


def parquet_columns(
    plain: Path, shown: Path, asked: TableOptions, roles: Roles, *, weighted: bool
) -> list[tuple[str, Any]]:
    """The chosen columns' names and Arrow values; to be called inside `arrow_errors`."""
    header, chosen, _ = layout_of_parquet(plain, shown, asked, roles, weighted=weighted)
    with need("pyarrow.parquet", extra="tables").ParquetFile(plain) as file:
        table = file.read(columns=[header[c] for c in chosen.all])
    table.validate(full=True)
    return [(header[c], table.column(header[c])) for c in chosen.all]


def check_rows(rows: int, plain: Path, shown: Path) -> None:
    """Raise if the number of rows is out of proportion to the file."""
    size = plain.stat().st_size
    if not 0 <= rows <= 1_000_000 + _ROWS_PER_BYTE * size:
        raise ReadError(shown, f"{rows} rows are out of proportion to its {size} bytes")


def node_values(name: str, values: Any, shown: Path) -> NDArray[Any]:
    """A column that names a node, or a label, in every row: integers or text."""
    pa = need("pyarrow", extra="tables")
    if values.null_count:
        row = int(np.argmax(values.is_null().to_numpy())) + 1
        raise ReadError(shown, f"column {name!r} is empty in row {row}")
    if not len(values):
        return np.empty(0, dtype=object)
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    if pa.types.is_integer(values.type):
        numbers = np.asarray(values.to_numpy())
        if numbers.size and numbers.max() > np.iinfo(np.int64).max:
            raise ReadError(shown, f"column {name!r} must fit 64-bit integers, got {numbers.max()}")
        return numbers.astype(np.int64)
    if not (pa.types.is_string(values.type) or pa.types.is_large_string(values.type)):
        raise ReadError(shown, f"column {name!r} must hold integers or text, got {values.type}")
    return np.asarray(values.to_numpy(), dtype=object)


def edge_weights(name: str, values: Any, shown: Path) -> NDArray[Any]:
    """A column with a number in every row, the weights of edges."""
    pa = need("pyarrow", extra="tables")
    if values.null_count:
        row = int(np.argmax(values.is_null().to_numpy())) + 1
        raise ReadError(shown, f"weight {name!r} is empty in row {row}")
    kinds = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal)
    if not any(kind(values.type) for kind in kinds):
        raise ReadError(shown, f"weight {name!r} must hold numbers, got {values.type}")
    return np.asarray(values.cast(pa.float64()).to_numpy())
