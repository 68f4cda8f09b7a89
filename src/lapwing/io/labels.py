"""Labels of nodes, from a table with one node and one label per row."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from os import PathLike
from pathlib import Path

import numpy as np
from scipy import sparse

from lapwing.deprecation import former_parameters
from lapwing.errors import InputError, ReadError
from lapwing.graph import Graph, Labels
from lapwing.io.columns import Column, option
from lapwing.io.files import plain_file
from lapwing.io.formats import TEXT, format_of
from lapwing.io.label_rows import Row, matrix_rows, parquet_rows, text_rows
from lapwing.io.tables import write_table
from lapwing.io.text.layout import TableOptions
from lapwing.io.text.rows import written_integer
from lapwing.io.writable_names import check_fields, kind_of
from lapwing.types import UNKNOWN, Nodes


@former_parameters(node="node_column", label="label_column")
def read_labels(  # noqa: PLR0913 - one argument per thing a file may leave open
    path: str | PathLike[str],
    graph: Graph,
    *,
    node_column: Column = None,
    label_column: Column = None,
    delimiter: str | None = None,
    header: bool | None = None,
    classes: Sequence[Hashable] | None = None,
    multilabel: bool = False,
    separator: str | None = None,
    format: str | None = None,
) -> Labels:
    """Read the labels of a graph's nodes from a text or Parquet table, or from a ``.mat`` file.

    A node without a label has no row. Labels are integers if all of them are, otherwise text.
    Classes are sorted, unless `classes` gives their order. A row about an unknown node is an error
    that gives the line, and so are rows that give one node different labels.

    Parameters
    ----------
    path
        The file. In a ``.mat``, the variable label, group or labels is a 0/1 matrix with one row
        per node (or one column), or one class index per node.
    graph
        The graph whose nodes the rows name.
    node_column, label_column
        The columns of nodes and labels, by name or position from 0. By default, the columns with
        the usual names (node, id, ...; label, class, ...), otherwise the only two columns. If this
        leaves a doubt, an error asks you to name them.
    delimiter, header, format
        As for `read_graph`.
    classes
        All classes, in the order of their indices.
    multilabel
        Whether a node may have several labels, one per row.
    separator
        The text between several labels in one row, such as ``|``. By default, a field is one
        label, whatever it contains.

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
    asked = TableOptions(node_column, label_column, False, delimiter, header)
    with plain_file(file) as plain:
        if kind == "mat":
            rows, known = matrix_rows(plain, file, graph)
            classes, multilabel = known if classes is None else classes, True
        elif kind == "parquet":
            rows = parquet_rows(plain, file, asked, graph)
        elif kind in TEXT:
            rows = text_rows(plain, file, asked, graph)
        else:
            raise InputError(f"{file}: labels must be csv, tsv, txt, parquet or mat, got {kind}")
    if separator is not None:
        rows, multilabel = _separated(rows, separator, file), True
    return _gathered(rows, graph, classes, file, multilabel=multilabel)


def write_labels(
    labels: Labels, path: str | PathLike[str], graph: Graph, *, format: str | None = None
) -> None:
    """Write one row per node and label, to be read by `read_labels`; text or Parquet.

    A class without nodes is not in the table: pass `classes` to `read_labels` to keep it.
    Classes that are text but look like integers are read back as integers from a text file.
    """
    file = Path(path)
    kind = format_of(file, format)
    nodes, codes = labels.pairs()
    if labels.labels.shape[0] != graph.n_nodes:
        raise InputError(
            f"graph has {graph.n_nodes} nodes, so it needs {graph.n_nodes} rows of labels, "
            f"got {labels.labels.shape[0]}"
        )
    if kind not in TEXT and kind != "parquet":
        raise InputError(f"{file}: labels must be written as csv, tsv, txt or parquet, got {kind}")
    names = [graph.names[node] for node in nodes.tolist()]
    values = [labels.classes[code] for code in codes.tolist()]
    kind_of(names)
    kind_of(values, "labels")
    if kind in TEXT:
        check_fields([str(name) for name in names], "names")
        check_fields([str(value) for value in values], "labels")
    write_table({"node": names, "label": values}, file, format="tsv" if kind == "txt" else kind)


def _separated(rows: list[Row], separator: str, shown: Path) -> list[Row]:
    """One row per label where a field holds several; integers again if all of them are."""
    if not separator:
        raise InputError("separator must be at least one character, got ''")
    apart = []
    for row in rows:
        for label in str(row.label).split(separator):
            if not label.strip():
                problem = f"a label between separators is empty in {row.label!r}"
                raise ReadError(shown, problem, line=row.line)
            apart.append(Row(row.node, label.strip(), row.line))
    numbers = [written_integer(row.label) for row in apart]
    if any(number is None for number in numbers):
        return apart
    return [row._replace(label=number) for row, number in zip(apart, numbers, strict=True)]


def _gathered(
    rows: list[Row],
    graph: Graph,
    said: Sequence[Hashable] | None,
    shown: Path,
    *,
    multilabel: bool,
) -> Labels:
    """One class per node if that is all there is, otherwise the 0/1 matrix."""
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
        single = np.full(graph.n_nodes, UNKNOWN, dtype=np.intp)
        single[pairs[:, 0]] = pairs[:, 1]
        return Labels(single, classes)
    if not multilabel:
        raise _contradiction(pairs, classes, graph, shown)
    ones = np.ones(len(pairs), dtype=np.int8)
    shape = (graph.n_nodes, len(classes))
    return Labels(sparse.csr_array((ones, (pairs[:, 0], pairs[:, 1])), shape=shape), classes)


def _contradiction(
    pairs: Nodes, classes: tuple[Hashable, ...], graph: Graph, shown: Path
) -> ReadError:
    """How many nodes have different labels, and the first three of them."""
    nodes, counts = np.unique(pairs[:, 0], return_counts=True)
    several = nodes[counts > 1]
    named = []
    for node in several[:3].tolist():
        given = ", ".join(repr(classes[code]) for code in pairs[pairs[:, 0] == node, 1].tolist())
        named.append(f"{graph.names[node]!r} ({given})")
    more = ", ..." if len(several) > 3 else ""
    return ReadError(
        shown,
        f"{len(several)} of {len(nodes)} nodes have different labels: {', '.join(named)}{more}; "
        f"if nodes can have several labels, set {option('multilabel')}",
    )
