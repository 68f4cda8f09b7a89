"""Edges whose ends are codes of distinct names: the last step of every compiled reader."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.graph import Graph, Names
from lapwing.graph.construction import Directed, symmetric_csr
from lapwing.graph.names import LazyNames
from lapwing.types import Array


def coded_graph(
    sources: NDArray[Any],
    targets: NDArray[Any],
    weights: Array | None,
    names: Names,
    directed: Directed,
) -> Graph:
    """Return the graph of edges between positions in `names`; weights are checked already."""
    adjacency, notes = symmetric_csr(len(names), sources, targets, weights, directed=directed)
    return Graph._trusted(adjacency, names, notes)


def text_names(ends: NDArray[np.int64], data: Any) -> Names:
    """Return distinct names that lie one behind the other in UTF-8, decoded when first asked for.

    Examples
    --------
    >>> text_names(np.array([0, 3, 5]), b"adabo")
    ('ada', 'bo')
    """
    return Names(LazyNames(len(ends) - 1, partial(decoded, ends, data)), distinct=True)


def decoded(ends: NDArray[np.int64], data: Any) -> list[str]:
    """Return the texts between successive ends of some UTF-8 bytes."""
    raw = bytes(data)
    if raw.isascii():
        whole = raw.decode("ascii")
        return [whole[a:b] for a, b in pairwise(ends.tolist())]
    return [raw[a:b].decode("utf-8") for a, b in pairwise(ends.tolist())]


def joined(parts: list[NDArray[Any]]) -> NDArray[Any]:
    """Return one array of all parts, which are given up on the way."""
    whole = np.empty(sum(map(len, parts)), dtype=parts[0].dtype) if parts else np.empty(0, np.int32)
    at = len(whole)
    while parts:
        part = parts.pop()
        whole[at - len(part) : at] = part
        at -= len(part)
    return whole
