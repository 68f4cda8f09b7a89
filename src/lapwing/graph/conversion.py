"""Convert graphs and tables of other libraries, without importing those libraries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lapwing.errors import GraphError
from lapwing.graph.edge_pairs import column
from lapwing.optional import need
from lapwing.types import Array, Nodes


def networkx_edges(graph: Any, weight: str) -> tuple[NDArray[Any], list[float]]:
    """Return the ends as positions in ``graph.nodes``, and the weights (1 by default)."""
    position = {name: i for i, name in enumerate(graph.nodes)}
    rows = [(position[u], position[v], w) for u, v, w in graph.edges(data=weight, default=1.0)]
    ends = np.array([row[:2] for row in rows], dtype=np.intp).reshape(-1, 2)
    return ends, [row[2] for row in rows]


def networkx_columns(graph: Any) -> dict[str, list[Any]]:
    """Return the node attributes by name; None where a node lacks the attribute."""
    return columns_of([data for _, data in graph.nodes(data=True)])


def columns_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return columns from one mapping per node, in order of first appearance.

    Examples
    --------
    >>> columns_of([{"age": 3}, {"job": "cook"}])
    {'age': [3, None], 'job': [None, 'cook']}
    """
    names = dict.fromkeys(str(name) for row in rows for name in row)
    columns: dict[str, list[Any]] = {name: [None] * len(rows) for name in names}
    for node, row in enumerate(rows):
        for name, value in row.items():
            columns[str(name)][node] = value
    return columns


def as_networkx(adjacency: sparse.csr_array, names: Sequence[Any]) -> Any:
    """Return an undirected networkx graph with the same names and weights."""
    graph = need("networkx", extra="interop").Graph()
    graph.add_nodes_from(names)
    upper = sparse.coo_array(sparse.triu(adjacency, 1))
    rows, cols = (c.tolist() for c in upper.coords)
    graph.add_weighted_edges_from(
        (names[i], names[j], w) for i, j, w in zip(rows, cols, upper.data.tolist(), strict=True)
    )
    return graph


def table_columns(
    table: Any, source: str | None, target: str | None, weight: str | None
) -> tuple[NDArray[Any], NDArray[Any], Array | None]:
    """Return the ends and the weights of a pandas, polars or Arrow table."""
    columns = list(getattr(table, "column_names", None) or table.columns)
    first = [name for name in columns if name not in (source, target, weight, "weight")]
    chosen = [source or _next(first, columns), target or _next(first, columns)]
    if weight is None and "weight" in columns:
        weight = "weight"
    for name in (*chosen, *([weight] if weight else [])):
        if name not in columns:
            raise GraphError(f"table has columns {columns}, none named {name!r}")
    ends = [_without_nulls(_values(table, name), name) for name in chosen]
    weights = np.asarray(_values(table, weight), dtype=np.float64) if weight else None
    return ends[0], ends[1], weights


def edge_index_arrays(
    edge_index: Any, edge_weight: Any, num_nodes: int | None
) -> tuple[Nodes, Array | None, int]:
    """Return the ends as an ``(m, 2)`` array, the weights and the node count of a PyG graph."""
    ends = np.asarray(edge_index)
    if ends.ndim != 2 or ends.shape[0] != 2:
        raise GraphError(f"edge_index must have shape (2, m), got {ends.shape}")
    if ends.size and ends.dtype.kind not in "iu":
        raise GraphError(f"edge_index must hold integers, got {ends.dtype}")
    weights = None if edge_weight is None else np.asarray(edge_weight, dtype=np.float64).ravel()
    n = int(ends.max()) + 1 if num_nodes is None and ends.size else int(num_nodes or 0)
    return ends.T.astype(np.intp), weights, n


def _next(first: list[str], columns: list[str]) -> str:
    if not first:
        raise GraphError(f"a table of edges must have two columns of nodes, got columns {columns}")
    return first.pop(0)


def _values(table: Any, name: str) -> NDArray[Any]:
    return np.asarray(table[name].to_numpy())


def _without_nulls(values: NDArray[Any], name: str) -> NDArray[Any]:
    if values.dtype.kind == "f":
        if not np.isfinite(values).all():
            raise GraphError(
                f"column {name!r} must name a node in every row, {_row(values)} is empty"
            )
        if (values == np.floor(values)).all():
            return values.astype(np.int64)
    if values.dtype.kind in "OT":
        empty = [i for i, v in enumerate(values.tolist()) if v is None or v != v]
        if empty:
            raise GraphError(
                f"column {name!r} must name a node in every row, row {empty[0]} is empty"
            )
        return column(values.tolist())
    return values


def _row(values: NDArray[Any]) -> str:
    return f"row {int(np.argmin(np.isfinite(values)))}"
