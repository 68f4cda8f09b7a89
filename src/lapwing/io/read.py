"""Read a graph from a file of any supported format."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.graph.construction import Directed
from lapwing.io.columns import Column
from lapwing.io.files import plain_file
from lapwing.io.formats import TEXT, format_of
from lapwing.io.graphs.gml import read_gml
from lapwing.io.graphs.graphml import read_graphml
from lapwing.io.graphs.mapped.graph_file import read_lap
from lapwing.io.graphs.matlab import read_mat
from lapwing.io.graphs.matrix_market import read_mtx
from lapwing.io.graphs.numpy_archive import read_npz
from lapwing.io.graphs.parquet import read_parquet
from lapwing.io.nodes import described_graph
from lapwing.io.text.edge_list import read_edge_list
from lapwing.io.text.layout import TableOptions

Weight = str | int | Literal[False] | None
_MATRICES: dict[str, Callable[[Path, Path, Directed], Graph]] = {
    "mtx": read_mtx,
    "mat": read_mat,
    "npz": read_npz,
}


def read_graph(  # noqa: PLR0913 - one argument per thing a file may leave open
    path: str | PathLike[str],
    *,
    source: Column = None,
    target: Column = None,
    weight: Weight = None,
    delimiter: str | None = None,
    header: bool | None = None,
    directed: Directed = None,
    format: str | None = None,
    nodes: Any = None,
    node_column: Column = None,
) -> Graph:
    """Read a graph from a file: an edge list, a Parquet table, GraphML, GML or a matrix.

    The suffix or `format` determines the format; ``.gz``, ``.zst``, ``.bz2`` or ``.xz`` can follow:

    - ``.csv``, ``.tsv``, ``.txt``, ``.edges``: one edge per line. Delimiter and header are
      detected; lines of ``# ...`` or ``% ...`` before the first row are comments.
    - ``.parquet``: one edge per row.
    - ``.graphml``, ``.gml``: every node, its attributes, and the edges' attribute `weight`.
    - ``.mtx``, ``.mat`` (variable graph, network or A), ``.npz`` (`scipy.sparse.save_npz`).
    - ``.lap``: lapwing's own, written by `write_graph`. It is mapped into memory: millions of nodes
      open in about a second. Replace such a file, never change it in place.

    Parameters
    ----------
    path
        The file. A `ReadError` gives the file and, if possible, the line of the error.
    source, target
        The columns of an edge's ends, by name or position from 0. By default source and target
        (or src and dst, from and to, ...) of the header, otherwise the first two columns.
    weight
        The column or attribute with the weights. By default the one called ``weight`` or, in a
        text file without header, the third column. False: every edge has weight 1.
    delimiter
        One character; a space means any number of spaces and tabs.
    header
        Whether the first row names the columns.
    directed
        ``"max"`` or ``"sum"``: how to merge the two directions of an edge in a directed graph. By
        default, an edge list is undirected, a matrix must be symmetric, and a directed GraphML or
        GML file is symmetrised by max.
    format
        The format, if the suffix does not determine it.
    nodes
        A table with one row per node, for the graph's node table: a CSV, TSV or Parquet file, or a
        pandas, polars or Arrow table. `read_nodes` has more options.
    node_column
        The column of `nodes` that names the node, by name or position from 0.

    In text files, node names are text as in the file, without surrounding spaces. They are integers
    only if every name is a 64-bit integer in its plain form: one node called 007 or 7.0 makes all
    of them text. Other columns of an edge list are ignored. Node attributes in GraphML, GML,
    ``.mat``, ``.npz`` and ``.lap`` files are kept in the graph's node table.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "friends.csv"
    ...     _ = file.write_text("source,target,weight\\nada,bo,2\\nbo,cy,0.5\\n")
    ...     graph = read_graph(file)
    >>> graph, graph.names, graph.degrees.tolist()
    (Graph(3 nodes, 2 edges, 1 component), ('ada', 'bo', 'cy'), [2.0, 2.5, 0.5])
    """
    file = Path(path)
    kind = format_of(file, format)
    asked = TableOptions(source, target, weight, delimiter, header)
    _check_options(kind, asked)
    if kind == "lap" and directed is not None:
        raise InputError("directed= has no effect on a lap file")
    with plain_file(file) as plain:
        graph = _graph(plain, file, kind, asked, directed)
    said = {
        "source": source, "target": target, "weight": weight, "delimiter": delimiter,
        "header": header, "directed": directed, "format": format,
    }  # fmt: skip
    options = {name: value for name, value in said.items() if value is not None}
    graph.read_from = {"graph": str(file.absolute()), "reading": options}
    return graph if nodes is None else described_graph(graph, nodes, node_column=node_column)


def _graph(plain: Path, shown: Path, kind: str, asked: TableOptions, directed: Directed) -> Graph:
    if kind in TEXT:
        return read_edge_list(plain, shown, asked, directed)
    if kind == "parquet":
        return read_parquet(plain, shown, asked, directed)
    if kind == "lap":
        return read_lap(plain, shown)
    if kind in _MATRICES:
        return _MATRICES[kind](plain, shown, directed)
    weight = asked.weight
    attribute = None if weight is False else "weight" if weight is None else str(weight)
    marked = read_graphml if kind == "graphml" else read_gml
    return marked(plain, shown, attribute, directed)


def _check_options(kind: str, asked: TableOptions) -> None:
    """Raise for options that have no effect on a format."""
    meant = {"parquet": ("first", "second", "weight"), "graphml": ("weight",), "gml": ("weight",)}
    if kind in TEXT:
        return
    words = {"first": "source", "second": "target"}
    for option in ("first", "second", "weight", "delimiter", "header"):
        if getattr(asked, option) is not None and option not in meant.get(kind, ()):
            raise InputError(f"{words.get(option, option)}= has no effect on a {kind} file")
