"""Find nodes by name or by the words of their attributes."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import numpy as np
from scipy import sparse

from lapwing.graph import Graph

MOST_LOOKED_AT = 1_000_000
END = "\0"
"""What stands between two nodes in the text that is searched; no word contains it."""


def found_nodes(graph: Graph, words: str, count: int) -> list[dict[str, Any]]:
    """Return up to `count` nodes: names first that are equal, then those that contain the words.

    Examples
    --------
    >>> graph = Graph.from_edges([("ada", "bo"), ("bo", "adam")])
    >>> [each["node"] for each in found_nodes(graph, "ADA", 5)]
    ['ada', 'adam']
    """
    wanted = words.strip().casefold()
    index = _index_of(graph)
    found: dict[int, None] = {}
    if wanted and END not in wanted:
        for lines, pattern in (
            (index.names, END + wanted + END),
            (index.names, END + wanted),
            (index.names, wanted),
            (index.texts, wanted),
        ):
            if len(found) < count:
                found |= dict.fromkeys(islice(lines.at(pattern), count + len(found)))
    return [
        {"node": str(graph.names[node]), "index": node, "title": index.title(node)[:200]}
        for node in list(found)[:count]
    ]


class _Lines:
    """A text per node, one after another in one string, which is searched as a whole."""

    def __init__(self, texts: Iterable[str]) -> None:
        folded = [text.casefold().replace(END, " ") for text in texts]
        lengths = np.array([len(text) + 1 for text in folded], dtype=np.intp)
        self.starts = np.concatenate([[0], np.cumsum(lengths)])
        self.all = END + END.join(folded) + END

    def at(self, pattern: str) -> Iterator[int]:
        """The nodes whose text contains a pattern, in which `END` is the edge of a text."""
        place = self.all.find(pattern)
        while place >= 0:
            start = place - (pattern[0] != END)
            yield int(np.searchsorted(self.starts, start, "right")) - 1
            place = self.all.find(pattern, self.all.find(END, place + 1))


class _Index:
    """The names and the words of a graph's nodes, ready to be searched."""

    def __init__(self, graph: Graph) -> None:
        names = [str(name) for name in graph.names[:MOST_LOOKED_AT]]
        columns = [
            values[:MOST_LOOKED_AT] for values in graph.node_table.values()
            if not sparse.issparse(values) and values.dtype.kind == "O"
        ]  # fmt: skip
        self.fallback, self.columns = names, columns
        self.names = _Lines(names)
        self.texts = _Lines("\n".join(map(str, row)) for row in zip(*columns, strict=True))

    def title(self, node: int) -> str:
        """The first text of a node, or its name."""
        texts = (column[node] for column in self.columns)
        return next((text for text in texts if isinstance(text, str)), self.fallback[node])


_KEPT: dict[int, tuple[weakref.ref[Graph], _Index]] = {}


def _index_of(graph: Graph) -> _Index:
    """The index of a graph, made once for as long as the graph is in memory."""
    kept = _KEPT.get(id(graph))
    if kept is None or kept[0]() is not graph:
        for key in [key for key, (ref, _) in _KEPT.items() if ref() is None]:
            _KEPT.pop(key, None)
        kept = _KEPT[id(graph)] = (weakref.ref(graph), _Index(graph))
    return kept[1]
