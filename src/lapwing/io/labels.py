"""Labels of nodes from a second table, one node and one of its labels a row."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np
from scipy import sparse

from lapwing.errors import InputError, ReadError
from lapwing.graph import Graph
from lapwing.io.columns import Column
from lapwing.io.files import plain_file, replaced_file
from lapwing.io.formats import TEXT, format_of
from lapwing.io.graphs.parquet import write_labels_table
from lapwing.io.label_rows import Row, matrix_rows, parquet_rows, text_rows
from lapwing.io.text.edge_list import quoted
from lapwing.io.text.layout import Asked
from lapwing.io.writable_names import check_fields, check_read_as_written, kind_of
from lapwing.types import UNKNOWN, Nodes


@dataclass(frozen=True, slots=True)
class Labels:
    """The classes, and each node's: an index array, or a 0/1 matrix if a node has several.

    Examples
    --------
    >>> Labels(np.array([0, 1, UNKNOWN]), ("cat", "dog"))
    Labels(2 of 3 nodes, 2 classes)
    """

    labels: Nodes | sparse.csr_array
    classes: tuple[Hashable, ...]

    @property
    def multi(self) -> bool:
        """Whether `labels` is a matrix of one row a node, one column a class."""
        return bool(sparse.issparse(self.labels))

    def pairs(self) -> tuple[Nodes, Nodes]:
        """Each label given: its node and its class, by node."""
        if self.multi:
            rows, cols = sparse.csr_array(self.labels).nonzero()
            order = np.lexsort((cols, rows))
            return rows[order].astype(np.intp), cols[order].astype(np.intp)
        known = np.flatnonzero(self.labels != UNKNOWN)
        return known, np.asarray(self.labels, dtype=np.intp)[known]

    def __repr__(self) -> str:
        labelled, n = len(np.unique(self.pairs()[0])), self.labels.shape[0]
        kind = ", several a node" if self.multi else ""
        return f"Labels({labelled} of {n} nodes, {len(self.classes)} classes{kind})"


def read_labels(
    path: str | PathLike[str],
    graph: Graph,
    *,
    node: Column = None,
    label: Column = None,
    delimiter: str | None = None,
    header: bool | None = None,
    classes: Sequence[Hashable] | None = None,
    format: str | None = None,
) -> Labels:
    """The labels of a graph's nodes: a text or Parquet table of node and label, or a ``.mat``.

    A node with several labels has several rows; a node without any, none. Labels are integers
    if all of them are, otherwise text; the classes come in rising order, or as `classes` says.
    A row about a node the graph does not have is an error that names its line. In a ``.mat``,
    the variable label, group or labels is a 0/1 matrix with one row a node (or one column), or
    one class index a node.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> graph = Graph.from_edges([("ada", "bo"), ("bo", "cy")])
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "labels.csv"
    ...     _ = file.write_text("node,label\\nada,red\\ncy,blue\\n")
    ...     labels = read_labels(file, graph)
    >>> labels.labels, labels.classes
    (array([ 1, -1,  0]), ('blue', 'red'))
    """
    file = Path(path)
    kind = format_of(file, format)
    asked = Asked(node, label, False, delimiter, header)
    with plain_file(file) as plain:
        if kind == "mat":
            rows, known = matrix_rows(plain, file, graph)
            classes = known if classes is None else classes
        elif kind == "parquet":
            rows = parquet_rows(plain, file, asked, graph)
        elif kind in TEXT:
            rows = text_rows(plain, file, asked, graph)
        else:
            raise InputError(f"{file}: labels come from csv, tsv, txt, parquet or mat, got {kind}")
    return _gathered(rows, graph.n_nodes, classes, file)


def write_labels(
    labels: Labels, path: str | PathLike[str], graph: Graph, *, format: str | None = None
) -> None:
    """Write one row a node and label, to be read by `read_labels`; text or Parquet.

    A class that no node has is not in the table: give `classes` to `read_labels` to keep it.
    """
    file = Path(path)
    kind = format_of(file, format)
    nodes, codes = labels.pairs()
    if labels.labels.shape[0] != graph.n_nodes:
        raise InputError(
            f"graph has {graph.n_nodes} nodes, so it needs {graph.n_nodes} rows of labels, "
            f"got {labels.labels.shape[0]}"
        )
    names = [graph.names[node] for node in nodes.tolist()]
    values = [labels.classes[code] for code in codes.tolist()]
    with replaced_file(file) as fresh:
        if kind == "parquet":
            write_labels_table(names, values, fresh)
        elif kind in TEXT:
            kind_of(names)
            check_fields([str(name) for name in names], "names")
            check_fields([str(value) for value in values], "labels")
            check_read_as_written(values, "labels")
            mark = "," if kind == "csv" else "\t"
            with fresh.open("w", encoding="utf-8", newline="") as out:
                out.write(f"node{mark}label\n")
                for name, value in zip(names, values, strict=True):
                    out.write(f"{quoted(str(name), mark)}{mark}{quoted(str(value), mark)}\n")
        else:
            raise InputError(f"{file}: labels are written as csv, tsv, txt or parquet, got {kind}")


def _gathered(
    rows: list[Row], n_nodes: int, said: Sequence[Hashable] | None, shown: Path
) -> Labels:
    """One class a node if that is all there is, otherwise the 0/1 matrix."""
    classes = tuple(sorted({row.label for row in rows}) if said is None else said)
    code = {label: i for i, label in enumerate(classes)}
    if len(code) < len(classes):
        raise InputError(f"classes must be distinct, got {list(classes)}")
    for row in rows:
        if row.label not in code:
            problem = f"label {row.label!r} is not one of {list(classes)}"
            raise ReadError(shown, problem, line=row.line)
    nodes = np.array([row.node for row in rows], dtype=np.intp)
    codes = np.array([code[row.label] for row in rows], dtype=np.intp)
    pairs = np.unique(np.stack([nodes, codes], axis=1), axis=0) if rows else np.empty((0, 2), int)
    if len(np.unique(pairs[:, 0])) == len(pairs):
        single = np.full(n_nodes, UNKNOWN, dtype=np.intp)
        single[pairs[:, 0]] = pairs[:, 1]
        return Labels(single, classes)
    ones = np.ones(len(pairs), dtype=np.int8)
    shape = (n_nodes, len(classes))
    return Labels(sparse.csr_array((ones, (pairs[:, 0], pairs[:, 1])), shape=shape), classes)
