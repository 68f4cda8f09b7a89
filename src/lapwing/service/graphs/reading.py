"""The child process that reads an upload: bounded in memory, time and file size.

``python -m lapwing.service.graphs.reading order.json`` reads the files that the order names,
checks them and writes the graph as plain arrays. It is started by `lapwing.service.graphs.uploads`.
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path
from typing import Any

from lapwing.data import Dataset
from lapwing.errors import InputError, LapwingError, ReadError
from lapwing.graph import Graph
from lapwing.io import read_graph, read_labels
from lapwing.io.formats import format_of
from lapwing.service.graphs.facts import graph_facts
from lapwing.service.graphs.shelf import shelved
from lapwing.service.graphs.truth import is_truth_kept, keep_truth


def bounded(order: dict[str, Any]) -> None:
    """Limit this process before it opens a file of others."""
    limits = {
        resource.RLIMIT_AS: int(order["memory"]),
        resource.RLIMIT_CPU: int(order["seconds"]) + 1,
        resource.RLIMIT_FSIZE: int(order["file"]),
        resource.RLIMIT_CORE: 0,
    }
    for what, most in limits.items():
        _, hard = resource.getrlimit(what)
        resource.setrlimit(
            what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard)
        )


def read_order(order: dict[str, Any]) -> dict[str, Any]:
    """Read the graph, and the labels if there are any; return what there is to tell."""
    folder, most = Path(order["folder"]), int(order["rows"])
    options = {name: value for name, value in order["options"].items() if value is not None}
    nodes = folder / order["nodes"] if order.get("nodes") else None
    digits = _digits() if order.get("digits") else None
    if digits is not None:
        graph = digits.graph
    else:
        graph = read_graph(folder / order["edges"], nodes=nodes, **options)
        if format_of(Path(order["edges"]), options.get("format"), strict=False) == "lap":
            graph = checked_anew(graph)
    check_upload_size(graph, most)
    shelf = Path(order["shelf"])
    shelved(graph, shelf)
    if digits is not None:
        keep_truth(shelf, digits.labels, list(map(str, digits.classes)))
    facts = graph_facts(graph) | {"truth": is_truth_kept(shelf)}
    labels: dict[str, str] = {}
    if order.get("labels"):
        found = read_labels(folder / order["labels"], graph)
        if found.multilabel:
            raise InputError("labels must give each node one class, some have several")
        where, kinds = found.pairs()
        labels = {
            str(graph.names[node]): str(found.classes[kind])
            for node, kind in zip(where.tolist(), kinds.tolist(), strict=True)
        }
    return {"facts": facts, "labels": labels, "hash": graph.hash}


def checked_anew(graph: Graph) -> Graph:
    """Return a graph from a file that could claim anything, with all that it claims checked.

    Examples
    --------
    >>> graph = Graph.from_edges([("ada", "bo")]).with_node_table({"age": [31, 47]})
    >>> checked_anew(graph) == graph, checked_anew(graph).node_table.row(1)
    (True, {'age': 47})
    """
    found = Graph.from_scipy(graph.adjacency, names=list(graph.names))
    return found.with_node_table(graph.node_table) if graph.node_table else found


def check_upload_size(graph: Graph, most: int) -> None:
    """Refuse a graph with more nodes or edges than allowed; edges that were merged count, too."""
    notes = graph.notes
    edges = graph.n_edges + notes.parallel_edges + notes.self_loops + notes.zero_weights
    for count, what in ((graph.n_nodes, "nodes"), (edges, "edges")):
        if count > most:
            raise InputError(f"an upload must have at most {most:,} {what}, got {count:,}")


def _digits() -> Dataset:
    from lapwing import data  # noqa: PLC0415 - scikit-learn is loaded for the example alone

    return data.load("digits")


def main_of_child(path: str) -> int:
    """Read what the order says; print one line of JSON."""
    order = json.loads(Path(path).read_text(encoding="utf-8"))
    bounded(order)
    try:
        told = read_order(order)
    except LapwingError as wrong:
        told = {"problem": words_about(wrong, order)}
    except MemoryError:
        told = {"problem": "the upload needs more memory than is allowed to read it"}
    sys.stdout.write(json.dumps(told))
    return 0


def words_about(wrong: LapwingError, order: dict[str, Any]) -> str:
    """Return what is wrong, with the uploader's own file names in place of ours."""
    words = " ".join(str(wrong).split())
    if isinstance(wrong, ReadError):
        words = words.replace(f"{wrong.path.parent}/", "")
    words = words.replace(f"{order['folder']}/", "")
    for part, shown in order.get("shown", {}).items():
        words = words.replace(str(order[part]), shown)
    return words


if __name__ == "__main__":
    sys.exit(main_of_child(sys.argv[1]))
