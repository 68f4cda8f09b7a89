"""Names of nodes in addresses and bodies: text, or a number where the graph has numbers."""

from __future__ import annotations

from typing import Any

from lapwing.errors import UnknownNodeError
from lapwing.graph import Graph


def node_index(graph: Graph, name: Any) -> int:
    """Return the node with this name; text of digits also finds a name that is a number.

    Examples
    --------
    >>> node_index(Graph.from_edges([(0, 7), (7, 9)]), "7")
    1
    """
    try:
        return graph.names.index(name)
    except UnknownNodeError:
        if isinstance(name, str) and name.lstrip("-").isascii() and name.lstrip("-").isdigit():
            number = int(name)
            if number in graph.names and str(number) == name:
                return graph.names.index(number)
        raise
