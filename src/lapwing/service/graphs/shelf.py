"""A graph as plain arrays and JSON in a folder: nothing that could run when it is read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from lapwing.graph import Graph

ARRAYS, WORDS = "arrays.npz", "words.json"


def shelved(graph: Graph, folder: Path) -> None:
    """Write a graph, its names and its node table into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    adjacency = graph.adjacency
    arrays: dict[str, Any] = {
        "indptr": adjacency.indptr, "indices": adjacency.indices, "data": adjacency.data,
    }  # fmt: skip
    columns: list[dict[str, Any]] = []
    for place, (name, values) in enumerate(graph.node_table.items()):
        column: dict[str, Any] = {"name": name}
        if sparse.issparse(values):
            column["kind"] = "sparse"
            column["shape"] = list(values.shape)
            for part in ("data", "indices", "indptr"):
                arrays[f"column{place}_{part}"] = getattr(values, part)
        elif values.dtype == object:
            column["kind"] = "words"
            column["values"] = [_plain(value) for value in values.tolist()]
        else:
            column["kind"] = "array"
            arrays[f"column{place}"] = values
        columns.append(column)
    names = graph.names
    words = {
        "n_nodes": graph.n_nodes,
        "names": None if names.are_positions else [_plain(name) for name in names],
        "columns": columns,
        "notes": graph.node_table.notes,
    }
    (folder / WORDS).write_text(json.dumps(words), encoding="utf-8")
    with (folder / ARRAYS).open("wb") as file:
        np.savez(file, **arrays)


def taken_from_shelf(folder: Path) -> Graph:
    """Read a graph that `shelved` wrote.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> graph = Graph.from_edges([("ada", "bo")]).with_node_table({"age": [31, 47]})
    >>> with TemporaryDirectory() as folder:
    ...     shelved(graph, Path(folder))
    ...     again = taken_from_shelf(Path(folder))
    >>> again == graph, again.names, again.node_table.row(1)
    (True, ('ada', 'bo'), {'age': 47})
    """
    words = json.loads((folder / WORDS).read_text(encoding="utf-8"))
    with np.load(folder / ARRAYS, allow_pickle=False) as arrays:
        size = words["n_nodes"]
        adjacency = sparse.csr_array(
            (arrays["data"], arrays["indices"], arrays["indptr"]), shape=(size, size)
        )
        graph = Graph.from_scipy(adjacency, names=words["names"])
        columns = {
            each["name"]: _column_of(each, place, arrays)
            for place, each in enumerate(words["columns"])
        }
    return graph.with_node_table(columns, notes=words["notes"]) if columns else graph


def _column_of(column: dict[str, Any], place: int, arrays: Any) -> Any:
    if column["kind"] == "words":
        return column["values"]
    if column["kind"] == "array":
        return arrays[f"column{place}"]
    parts = (arrays[f"column{place}_{part}"] for part in ("data", "indices", "indptr"))
    return sparse.csr_array(tuple(parts), shape=tuple(column["shape"]))


def _plain(value: Any) -> Any:
    """Text, numbers and nothing stay; everything else becomes text."""
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)
