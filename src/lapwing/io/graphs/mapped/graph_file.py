"""A graph, its names and its node table in lapwing's own format (``.lap``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lapwing.errors import ReadError
from lapwing.graph import Graph
from lapwing.graph.construction import Notes
from lapwing.io.graphs.mapped.columns import column_arrays, mapped_columns
from lapwing.io.graphs.mapped.container import mapped_arrays, write_arrays
from lapwing.io.graphs.mapped.texts import mapped_names, name_arrays

WHAT = "graph"


def write_lap(graph: Graph, path: Path) -> list[str]:
    """Write the graph; return the columns of the node table that the file holds."""
    adjacency = graph.adjacency
    even = adjacency.data.strides == (0,)
    arrays: dict[str, NDArray[Any]] = {
        "indptr": adjacency.indptr,
        "indices": adjacency.indices,
        "weights": adjacency.data[:1] if even else adjacency.data,
    }
    names, more = name_arrays(graph.names)
    columns, of_columns = column_arrays(graph.node_table)
    facts = {
        "what": WHAT,
        "n_nodes": graph.n_nodes,
        "hash": graph.hash,
        "notes": asdict(graph.notes),
        "names": names,
        "columns": columns,
        "table_notes": graph.node_table.notes,
    }
    write_arrays(path, facts, arrays | more | of_columns)
    return [column["name"] for column in columns]


def read_lap(plain: Path, shown: Path) -> Graph:
    """Return the graph of a file that `write_lap` wrote; its arrays stay in the file.

    The header, the checksums and the bounds of all indices are checked, and the digest is taken
    from the header; that the matrix is symmetric was checked when it was written.
    """
    facts, arrays = mapped_arrays(plain, shown, in_memory=plain != shown)
    try:
        if facts["what"] != WHAT:
            raise ValueError(f"it holds a {facts['what']}")
        n, hash_, notes = int(facts["n_nodes"]), str(facts["hash"]), Notes(**facts["notes"])
        adjacency = _adjacency(arrays, n)
        names = mapped_names(facts["names"], arrays, n)
        columns = mapped_columns(facts["columns"], arrays)
        graph = Graph._trusted(adjacency, names, notes)
        if columns:
            graph = graph.with_node_table(columns, notes=str(facts["table_notes"]))
    except (ValueError, TypeError, LookupError, AttributeError) as wrong:
        raise ReadError(shown, f"is damaged: {wrong}") from None
    vars(graph)["hash"] = hash_
    return graph


def _adjacency(arrays: Mapping[str, NDArray[Any]], n: int) -> sparse.csr_array:
    """The matrix, whose indices all lie inside it: compiled code trusts them."""
    starts, ends, weights = arrays["indptr"], arrays["indices"], arrays["weights"]
    if starts.dtype.kind != "i" or ends.dtype != np.int32 or weights.dtype != np.float64:
        raise ValueError("the matrix has other kinds of numbers than a graph's")
    if any(part.ndim != 1 for part in (starts, ends, weights)) or len(starts) != n + 1:
        raise ValueError(f"the matrix does not have {n} rows")
    if starts[0] != 0 or starts[-1] != len(ends) or (np.diff(starts) < 0).any():
        raise ValueError("the rows do not end where the indices do")
    if len(ends) and not 0 <= ends.min() <= ends.max() < n:
        raise ValueError("an index lies outside the matrix")
    if len(weights) == 1 and len(ends) != 1:
        weights = np.broadcast_to(weights, len(ends))
    if len(weights) != len(ends):
        raise ValueError("there are not as many weights as indices")
    matrix = sparse.csr_array((weights, ends, starts), shape=(n, n))
    matrix.has_sorted_indices = matrix.has_canonical_format = True
    return matrix
