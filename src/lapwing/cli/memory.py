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
LOADED = {"rows": 52e6, "classify": 150e6, "session": 210e6}
"""Bytes that the packages take which are loaded for it."""
ROWS, CHUNK, PER_EDGE, ALL_ROWS = 12, (24, 32_768), 24, 24
"""Bytes while rows are made: per node and column; more for up to 32,768 nodes, which are added up
together; per edge; and per pair for all eigenvectors."""
SMALL, CLASSIFY, CLASSIFY_SMALL = 200_000, (390, 50), (2_750, 40)
"""Bytes per node, and per node and class, of a batch method; the second on graphs up to this many
nodes, which it looks at more closely."""
DOUBLE, SESSION, SESSION_DOUBLE = 100_000, (570, 30), (1_100, 65)
"""Bytes per node, and per node and class, of a session; the second up to this many nodes, in double
precision. All were measured with `bench.scale`'s S, of 100,000 to 5,000,000 nodes and 2 to 50
classes, and are up to 15% more than what was used."""


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
    """Bytes that a batch method needs beside the graph: its rows, and scores of folds.

    Examples
    --------
    >>> for_classes(Graph.from_edges([(0, 1)]), 10) == 150e6 + 2 * (2750 + 40 * 10)
    True
    """
    each, per_class = CLASSIFY_SMALL if graph.n_nodes <= SMALL else CLASSIFY
    return LOADED["classify"] + graph.n_nodes * (each + per_class * n_classes)


def for_session(graph: Graph, n_classes: int) -> float:
    """Bytes that a session needs beside the graph, with its rows and the table of guesses."""
    each, per_class = SESSION_DOUBLE if graph.n_nodes <= DOUBLE else SESSION
    return LOADED["session"] + graph.n_nodes * (each + per_class * max(n_classes, 2))


def for_rows(graph: Graph, rank: int) -> float:
    """Bytes that rows of a rank need beside the graph; 0 stands for all eigenvectors."""
    n = graph.n_nodes
    if rank == 0:
        return LOADED["rows"] + ALL_ROWS * n * n
    per_column = ROWS * n + CHUNK[0] * min(n, CHUNK[1])
    return LOADED["rows"] + per_column * min(rank, n) + PER_EDGE * graph.n_edges
