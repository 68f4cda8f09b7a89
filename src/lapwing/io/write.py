"""Write a graph to a file of any supported format."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from lapwing.graph import Graph
from lapwing.io.files import replaced_file
from lapwing.io.formats import format_of
from lapwing.io.graphs.gml import write_gml
from lapwing.io.graphs.graphml import write_graphml
from lapwing.io.graphs.mapped.graph_file import write_lap
from lapwing.io.graphs.matlab import write_mat
from lapwing.io.graphs.matrix_market import write_mtx
from lapwing.io.graphs.numpy_archive import write_npz
from lapwing.io.graphs.parquet import write_parquet
from lapwing.io.text.edge_list import write_edge_list
from lapwing.io.writable_names import (
    check_fields,
    check_no_isolated,
    check_read_as_written,
    kind_of,
)

_WHOLE = {
    "graphml": write_graphml,
    "gml": write_gml,
    "mat": write_mat,
    "npz": write_npz,
    "lap": write_lap,
}


def write_graph(
    graph: Graph, path: str | PathLike[str], *, format: str | None = None
) -> tuple[str, ...]:
    """Write a graph so that `read_graph` restores it; the suffix or `format` sets the format.

    An existing file is replaced only when the new one is complete. ``.graphml``, ``.gml``,
    ``.mtx``, ``.mat``, ``.npz`` and ``.lap`` keep nodes, their order and names; edge lists
    (``.csv``, ``.tsv``, ``.txt``, ``.parquet``) keep names but not the order of nodes. ``.lap`` is
    lapwing's own: it is mapped into memory and so opens at once, whatever its size. What a format
    cannot represent (a node without edges in an edge list, names that are neither text nor
    integers) raises an error.

    ``.graphml`` and ``.gml`` keep the node table's columns of numbers and texts, ``.npz`` and
    ``.mat`` also images, ``.lap`` also sparse matrices. Returns the names of the columns that are
    left out; `write_nodes` writes the table to a file of its own.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> graph = Graph.from_edges([("ada", "bo"), ("bo", "cy")])
    >>> with TemporaryDirectory() as folder:
    ...     _ = write_graph(graph, Path(folder) / "friends.csv")
    ...     print((Path(folder) / "friends.csv").read_text())
    source,target
    ada,bo
    bo,cy
    """
    file = Path(path)
    kind = format_of(file, format)
    with replaced_file(file) as fresh:
        if kind in _WHOLE:
            held = set(_WHOLE[kind](graph, fresh))
            return tuple(name for name in graph.node_table if name not in held)
        if kind == "mtx":
            write_mtx(graph, fresh)
            return tuple(graph.node_table)
        check_no_isolated(graph)
        if kind == "parquet":
            write_parquet(graph, fresh)
        else:
            if kind_of(graph.names) is str:
                check_fields(map(str, graph.names), "names")
                check_read_as_written(graph.names, "names")
            write_edge_list(graph, fresh, "," if kind == "csv" else "\t")
    return tuple(graph.node_table)
