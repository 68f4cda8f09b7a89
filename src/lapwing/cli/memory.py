"""Say in advance what a command needs in memory, and refuse what cannot fit."""

from __future__ import annotations

from pathlib import Path

from lapwing.checks import fits_in_memory, free_memory, memory_size
from lapwing.cli.output import errors
from lapwing.graph import Graph
from lapwing.io.formats import TEXT, format_of
from lapwing.optional import need

WORTH_SAYING = 1_000_000_000
"""Fewer bytes than this are not worth a line."""
PER_ROW, PER_BYTE = 75, 4.5
"""Bytes while an edge list is read: per row of Parquet, and per byte of a text file."""
CLASSIFY, SESSION = (800, 70), (1100, 105)
"""Bytes per node, and per node and class, of a batch method and of a session with its rows.

Measured with 2, 10 and 50 classes on graphs of 100,000, 220,000 and a million nodes with five edges
each (`bench.scale`'s S): what is foretold is then 5 to 25% more than what is used."""
IN_DOUBLE, UP_TO = 1.4, 100_000
"""Graphs up to this many nodes are learned in double precision: so many times as much per class."""
ROWS, PER_EDGE = 9, 100
"""Bytes per node and column while rows are made, and per edge."""


def foresee(what: str, needed: float, advice: str) -> None:
    """Say what is needed if it is much; raise if it is more than there is.

    Examples
    --------
    >>> foresee("10 nodes", 1e18, "label fewer")
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: 10 nodes need about 1,000,000,000 GB of memory, ... label fewer
    """
    fits_in_memory(what, int(needed), advice)
    free = free_memory()
    if needed >= WORTH_SAYING and free is not None:
        told = f"{what} need about {memory_size(int(needed))} of memory"
        errors.print(f"note: {told}, {memory_size(free)} are free")


def foresee_reading(file: Path, format: str | None) -> None:
    """Foresee what reading a graph file needs; a mapped file needs next to nothing.

    The sizes of small files and of other formats are not foreseen.
    """
    kind = format_of(file, format, strict=False)
    if kind == "parquet":
        try:
            rows = need("pyarrow.parquet", extra="tables").read_metadata(file).num_rows
        except (OSError, ValueError):  # the reader says what is wrong with the file
            return
        needed = PER_ROW * min(rows, 64 * file.stat().st_size)
    elif kind in TEXT and file.suffix.lower().lstrip(".") not in ("gz", "zst", "bz2", "xz"):
        needed = PER_BYTE * file.stat().st_size
    else:
        return
    foresee(f"the edges in {file.name}", needed, "convert it to .lap on a larger machine")


def for_classes(graph: Graph, n_classes: int) -> float:
    """Bytes that a batch method needs beside the graph.

    Examples
    --------
    >>> for_classes(Graph.from_edges([(0, 1)]), 10) == 2 * (600 + 250 * 10)
    True
    """
    return graph.n_nodes * (CLASSIFY[0] + CLASSIFY[1] * n_classes)


def for_session(graph: Graph, n_classes: int) -> float:
    """Bytes that a session needs beside the graph, with its rows."""
    return graph.n_nodes * (SESSION[0] + SESSION[1] * max(n_classes, 2))


def for_rows(graph: Graph, rank: int) -> float:
    """Bytes that rows of a rank need beside the graph; 0 stands for all eigenvectors."""
    n = graph.n_nodes
    return ROWS * n * (n if rank == 0 else min(rank, n))
