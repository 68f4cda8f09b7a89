"""What the service tells about a graph."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from scipy import sparse

from lapwing.graph import Graph

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
