"""Vectors of numbered nodes: a NumPy file whose row k is about node k."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lapwing.errors import ReadError
from lapwing.graph import Graph, NodeTable

SUFFIX = ".npy"


def numbered_rows(file: Path, graph: Graph) -> NodeTable:
    """Return a node table whose only column, called as the file, holds the rows of an array.

    The rows have no names, so nodes must: each is called by the number of its row, from 0.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> graph = Graph.from_edges([("2", "0"), ("0", "1")], names=["2", "0", "1"])
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "vectors.npy"
    ...     np.save(file, np.array([[0.0, 0.5], [1.0, 1.5], [2.0, 2.5]]))
    ...     numbered_rows(file, graph)["vectors"].tolist()
    [[2.0, 2.5], [0.0, 0.5], [1.0, 1.5]]
    """
    values = _numbers(file)
    rows = np.array([_row(name, len(values)) for name in graph.names], dtype=np.intp)
    if (rows < 0).any():
        first = graph.names[int(np.argmax(rows < 0))]
        raise ReadError(
            file,
            f"has {len(values):,} rows without names, so nodes must be called 0 to "
            f"{len(values) - 1}, got {first!r}; a Parquet file with the nodes and a column of "
            "lists names them",
        )
    left = len(values) - len(rows)
    notes = f"{left:,} {'row names' if left == 1 else 'rows name'} no node" if left else ""
    return NodeTable({file.stem: values[rows]}, graph.n_nodes, notes=notes)


def _numbers(file: Path) -> NDArray[np.generic]:
    try:
        values = np.load(file, allow_pickle=False)
    except (ValueError, EOFError) as wrong:
        raise ReadError(file, f"must be an array of numbers: {wrong}") from None
    if not isinstance(values, np.ndarray) or values.dtype.kind not in "biuf" or not values.ndim:
        raise ReadError(file, "must be an array of numbers with one row per node")
    return values


def _row(name: object, count: int) -> int:
    """The row that is about a node of this name; -1 if there is none."""
    text = str(name)
    known = isinstance(name, int | str) and text.isdecimal() and text == str(int(text))
    return int(text) if known and int(text) < count else -1
