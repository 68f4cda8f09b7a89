"""Names of nodes in addresses and bodies: text, or a number where the graph has numbers."""

from __future__ import annotations

import re
from typing import Any

from lapwing.graph import Graph

_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,17}", re.ASCII)


def number_named(text: str) -> int | None:
    """Return the number of up to 18 digits that a text stands for; None if it is no number.

    Examples
    --------
    >>> number_named("-7"), number_named("07"), number_named("seven")
    (-7, None, None)
    """
    return int(text) if _NUMBER.fullmatch(text) else None


def node_index(graph: Graph, name: Any) -> int:
    """Return the node with this name; text of digits also finds a name that is a number.

    Examples
    --------
    >>> node_index(Graph.from_edges([(0, 7), (7, 9)]), "7")
    1
    """
    names = graph.names
    if isinstance(name, str) and name not in names:
        number = number_named(name)
        if number is not None and number in names:
            return names.index(number)
    return names.index(name)
