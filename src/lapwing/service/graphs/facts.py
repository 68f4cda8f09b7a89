"""What the service tells about a graph and its nodes, as JSON."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from lapwing.graph import Graph
from lapwing.pictures import png
from lapwing.types import UNKNOWN

_LINK = re.compile(r"https?://\S+$")
FEW = 50
"""A column with at most this many different values, and fewer than half its rows, is a category."""


def graph_facts(graph: Graph) -> dict[str, Any]:
    """Return the number of nodes, edges and components, and the kind of each column.

    Examples
    --------
    >>> graph = Graph.from_edges([("ada", "bo")]).with_node_table({"age": [31, 47]})
    >>> facts = graph_facts(graph)
    >>> facts["nodes"], facts["edges"], facts["columns"]
    (2, 1, [{'name': 'age', 'kind': 'number'}])
    """
    said = [str(graph.notes), str(graph.node_table.notes)]
    notes = [note for note in said if note not in ("", "taken as given")]
    return {
        "nodes": graph.n_nodes,
        "edges": graph.n_edges,
        "components": graph.n_components,
        "columns": [{"name": n, "kind": _kind_of(v)} for n, v in graph.node_table.items()],
        "notes": notes,
    }


def _kind_of(values: Any) -> str:
    if sparse.issparse(values) or values.ndim > 1:
        return "image" if not sparse.issparse(values) and values.ndim > 2 else "text"
    if values.dtype != object:
        return "category" if values.dtype == np.bool_ else "number"
    said = [str(value) for value in values.tolist() if value is not None]
    if said and all(_LINK.match(text) for text in said[:100]):
        return "link"
    different = len(set(said))
    return "category" if different <= FEW and 2 * different < len(said) else "text"


def nodes_json(graph: Graph, indices: Sequence[int]) -> list[dict[str, Any]]:
    """Return the names and attributes of nodes by number; numbers out of range are left out.

    Examples
    --------
    >>> graph = Graph.from_edges([("ada", "bo")]).with_node_table({"age": [31, 47]})
    >>> nodes_json(graph, [1, 7])
    [{'node': 'bo', 'index': 1, 'attributes': {'age': 47}}]
    """
    return [
        {
            "node": str(graph.names[index]),
            "index": index,
            "attributes": {
                name: attribute(value) for name, value in graph.node_table.row(index).items()
            },
        }
        for index in indices
        if UNKNOWN < index < graph.n_nodes
    ]


def attribute(value: Any) -> Any:
    """Return an attribute as JSON; a picture becomes a data address, a long row is shortened.

    Text stays text, whatever it looks like: no file is opened because a column names it.

    Examples
    --------
    >>> attribute(float("nan")) is None, attribute("/etc/passwd.png")
    (True, '/etc/passwd.png')
    >>> attribute(np.eye(2))[:22]
    'data:image/png;base64,'
    """
    if isinstance(value, np.ndarray):
        if value.ndim in (2, 3) and value.size:
            return "data:image/png;base64," + base64.b64encode(png(value)).decode()
        return [attribute(each) for each in value.ravel()[:64].tolist()]
    if sparse.issparse(value):
        return attribute(value.toarray())
    if isinstance(value, float) and not np.isfinite(value):
        return None
    if value is None or isinstance(value, str | int | float | bool):
        return value
    return str(value)
