"""Shared parts of the MatrixMarket, MATLAB and NumPy formats."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from lapwing.errors import GraphError, ReadError
from lapwing.graph import Graph
from lapwing.graph.construction import Directed
from lapwing.io.writable_names import names_from_json

ALWAYS_ALLOWED = 1_000_000
"""The number of nodes that any file can have, with or without edges."""
NODES_PER_BYTE = 16
"""Further nodes allowed per byte, so that a wrong size does not exhaust memory."""


def check_size(n_nodes: int, plain: Path, shown: Path) -> None:
    """Raise if the number of nodes is out of proportion to the file."""
    size = plain.stat().st_size
    if n_nodes > ALWAYS_ALLOWED + NODES_PER_BYTE * size:
        raise ReadError(shown, f"{n_nodes} nodes are out of proportion to its {size} bytes")


def graph_from_matrix(
    matrix: Any, names: list[Hashable] | None, shown: Path, directed: Directed
) -> Graph:
    """A graph, or what is wrong with the matrix told with the file's name."""
    if matrix.dtype.kind not in "buif":
        raise ReadError(shown, f"the adjacency must hold real numbers, got {matrix.dtype}")
    try:
        return Graph.from_scipy(matrix, names=names, directed=directed)
    except GraphError as wrong:
        raise ReadError(shown, str(wrong)) from None
    except MemoryError:
        size = " x ".join(map(str, matrix.shape))
        raise ReadError(shown, f"its {size} matrix does not fit into memory") from None


def names_of(loaded: Mapping[str, Any], shown: Path) -> list[Hashable] | None:
    """The nodes' names, if the file has an array of them: JSON bytes, or one text per cell."""
    if "names" not in loaded:
        return None
    given = np.asarray(loaded["names"])
    try:
        if given.dtype == object:
            return [str(np.asarray(name).item()) for name in given.ravel()]
        if given.dtype.kind == "U":
            return [str(name) for name in given.ravel()]
        return names_from_json(given)
    except (ValueError, TypeError, RecursionError) as wrong:
        raise ReadError(shown, f"its names cannot be read: {wrong}") from None


def with_extras(graph: Graph, loaded: Mapping[str, Any], taken: Iterable[str]) -> Graph:
    """The graph with every other array of the file that has one row per node as its node table."""
    n = graph.n_nodes
    columns: dict[str, Any] = {}
    for name, value in loaded.items():
        if name in taken or name.startswith("_") or value is None:
            continue
        values: Any = value if sparse.issparse(value) else np.asarray(value)
        if values.ndim == 2 and 1 in values.shape and max(values.shape) == n:
            values = values.toarray().ravel() if sparse.issparse(values) else values.ravel()
        if values.ndim and values.shape[0] == n and n:
            columns[name] = [_text(item) for item in values] if values.dtype == object else values
    return graph.with_node_table(columns) if columns else graph


def _text(cell: Any) -> Any:
    """A cell that holds one thing, as that thing."""
    held = np.asarray(cell)
    return held.item() if held.size == 1 else cell
