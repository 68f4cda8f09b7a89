"""Read a table of labels row by row."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from scipy import sparse

from lapwing.errors import ReadError
from lapwing.graph import Graph
from lapwing.io.columns import NODE_LABEL
from lapwing.io.graphs.matlab import MAT_LABEL, loaded_mat, variable
from lapwing.io.graphs.parquet import arrow_errors, node_values, parquet_columns
from lapwing.io.text.edge_list import integer_columns
from lapwing.io.text.layout import Layout, TableOptions, layout_of
from lapwing.io.text.rows import decoded_lines, fields_of, written_integer

_MOST_CLASSES = 10_000


class NamePositions(Protocol):
    """Names of nodes that can be looked up."""

    def positions(self) -> Mapping[Hashable, int]:
        """The index of every name."""


class NamedNodes(Protocol):
    """Nodes with names: a graph, or what stands for one that is not in memory."""

    @property
    def names(self) -> NamePositions:
        """The names of the nodes."""


class Row(NamedTuple):
    """One label of one node; the line is None where a file has none."""

    node: int
    label: Any
    line: int | None


def text_rows(plain: Path, shown: Path, asked: TableOptions, graph: NamedNodes) -> list[Row]:
    """The rows of a text table; labels are integers if all of them are.

    A table with more than two columns describes nodes, so rows without a label are skipped. In a
    table of two columns, an empty label is an error.
    """
    layout = layout_of(plain, shown, asked, NODE_LABEL, weighted=False)
    nodes, labels, at = [], [], []
    with decoded_lines(plain, shown, skipped=layout.skipped) as lines:
        for line, fields in fields_of(lines, layout.delimiter, shown, before=layout.skipped):
            if len(fields) != layout.width:
                problem = f"needs {layout.width} fields like the first row, got {len(fields)}"
                raise ReadError(shown, problem, line=line)
            name, label = fields[layout.chosen.first], fields[layout.chosen.second]
            if not label and layout.width > 2:
                continue
            if not label:
                problem = f"label of {name!r} is empty; a node without label has no row"
                raise ReadError(shown, problem, line=line)
            nodes.append(_node(name, graph, shown, line, layout))
            labels.append(label)
            at.append(line)
    integers = integer_columns(labels)
    values = labels if integers is None else integers[0].tolist()
    return [Row(*row) for row in zip(nodes, values, at, strict=True)]


def parquet_rows(plain: Path, shown: Path, asked: TableOptions, graph: NamedNodes) -> list[Row]:
    """The rows of a Parquet table, whose columns say themselves what is an integer."""
    with arrow_errors(shown):
        columns = parquet_columns(plain, shown, asked, NODE_LABEL, weighted=False)
        names, labels = (node_values(name, values, shown).tolist() for name, values in columns)
    positions = graph.names.positions()
    for row, name in enumerate(names, start=1):
        if name not in positions:
            raise ReadError(shown, f"row {row} is about {name!r}, which is not a node")
    return [Row(positions[name], label, None) for name, label in zip(names, labels, strict=True)]


def matrix_rows(plain: Path, shown: Path, graph: Graph) -> tuple[list[Row], Sequence[int] | None]:
    """The labels in a MATLAB file: a 0/1 matrix of nodes and classes, or one class per node.

    A matrix also lists classes without nodes.
    """
    matrix = variable(loaded_mat(plain, shown), MAT_LABEL, shown)
    n = graph.n_nodes
    if matrix.dtype.kind not in "buif":
        raise ReadError(
            shown, f"labels must be integers: one class per node, or 0 and 1, got {matrix.dtype}"
        )
    if sparse.issparse(matrix):
        _check_labels_fit(matrix.shape, n, shown)
    values = matrix.toarray() if sparse.issparse(matrix) else np.asarray(matrix)
    if values.shape[0] != n and values.shape[1] == n:
        values = values.T
    _check_labels_fit(values.shape, n, shown)
    if (values != np.floor(values)).any() or not (abs(values) < 1 << 53).all():
        raise ReadError(shown, "labels must be integers: one class per node, or 0 and 1")
    if values.shape[1] == 1:
        rows = [Row(node, int(label), None) for node, label in enumerate(values[:, 0].tolist())]
        return rows, None
    if not np.isin(values, (0, 1)).all():
        raise ReadError(shown, f"a matrix of labels must hold 0 and 1, got {values.max():g}")
    rows = [Row(int(node), int(label), None) for node, label in np.argwhere(values)]
    return rows, range(values.shape[1])


def _check_labels_fit(shape: tuple[int, ...], n_nodes: int, shown: Path) -> None:
    if n_nodes not in shape or max(shape) > max(n_nodes, _MOST_CLASSES):
        raise ReadError(
            shown,
            f"the graph has {n_nodes} nodes, but the labels have the shape "
            f"{' x '.join(map(str, shape))}",
        )


def _node(name: str, graph: NamedNodes, shown: Path, line: int, layout: Layout) -> int:
    positions = graph.names.positions()
    found = positions.get(name)
    if found is None and (number := written_integer(name)) is not None:
        found = positions.get(number)
    if found is None:
        first = layout.header is None and line == layout.skipped + 1
        hint = "; if this is a header, say header=True (--header)" if first else ""
        raise ReadError(shown, f"{name!r} is not a node of the graph{hint}", line=line)
    return found
