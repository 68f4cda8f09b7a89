"""Find nodes by name or by the words of their attributes."""

from __future__ import annotations

from typing import Any

from scipy import sparse

from lapwing.graph import Graph

MOST_LOOKED_AT = 1_000_000


def found_nodes(graph: Graph, words: str, count: int) -> list[dict[str, Any]]:
    """Return up to `count` nodes: names first that are equal, then those that contain the words.

    Examples
    --------
    >>> graph = Graph.from_edges([("ada", "bo"), ("bo", "adam")])
    >>> [each["node"] for each in found_nodes(graph, "ADA", 5)]
    ['ada', 'adam']
    """
    wanted = words.strip().casefold()
    texts = [
        (name, values) for name, values in graph.node_table.items()
        if not sparse.issparse(values) and values.dtype.kind == "O"
    ]  # fmt: skip
    ranked: list[tuple[int, int, str]] = []
    for index, name in enumerate(graph.names[:MOST_LOOKED_AT]):
        text = str(name).casefold()
        title = next((str(v[index]) for _, v in texts if isinstance(v[index], str)), str(name))
        if text == wanted:
            ranked.append((0, index, title))
        elif text.startswith(wanted):
            ranked.append((1, index, title))
        elif wanted in text:
            ranked.append((2, index, title))
        elif any(wanted in str(v[index]).casefold() for _, v in texts):
            ranked.append((3, index, title))
    return [
        {"node": str(graph.names[index]), "index": index, "title": title[:200]}
        for _, index, title in sorted(ranked)[:count]
    ]
