"""What questions cost, from the body of a request."""

from __future__ import annotations

from typing import Any

import numpy as np

from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.service.http.bodies import SessionBody
from lapwing.service.sessions.names import node_index


def asking_costs(graph: Graph, body: SessionBody) -> dict[str, Any]:
    """Return the costs and the nodes never to ask about, by node name, as `Session` takes them.

    Examples
    --------
    >>> graph = Graph.from_edges([("ada", "bo")]).with_node_table({"hours": [2.0, 0.5]})
    >>> asking_costs(graph, SessionBody(graph="g", cost_column="hours", forbidden=["bo"]))
    {'cost': {'ada': 2.0, 'bo': 0.5}, 'forbidden': ['bo']}
    """
    if body.costs and body.cost_column is not None:
        raise InputError("costs must come from `costs` or from `cost_column`, got both")
    names, found = graph.names, dict[str, Any]()
    if body.costs:
        found["cost"] = {names[node_index(graph, n)]: cost for n, cost in body.costs.items()}
    if body.cost_column is not None:
        found["cost"] = _column(graph, body.cost_column)
    if body.forbidden:
        found["forbidden"] = [names[node_index(graph, node)] for node in body.forbidden]
    return found


def _column(graph: Graph, name: str) -> dict[Any, float]:
    """The costs in a column of the node table; 1 where there is none."""
    if name not in graph.node_table:
        raise InputError(f"cost_column must be a column of the node table, got {name!r}")
    values = np.asarray(graph.node_table[name])
    if values.dtype.kind not in "iuf":
        raise InputError(f"cost_column must hold numbers, {name!r} does not")
    pairs = zip(graph.names, values.astype(np.float64).tolist(), strict=True)
    return {node: cost for node, cost in pairs if not np.isnan(cost)}
