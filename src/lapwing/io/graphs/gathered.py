"""Shared parts of GraphML and GML: collect nodes, edges and attributes, then check them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from lapwing.errors import ReadError
from lapwing.graph import Graph, Names
from lapwing.graph.construction import Directed
from lapwing.graph.conversion import columns_of
from lapwing.io.text.rows import edge_weight


@dataclass(slots=True)
class GatheredEdge:
    """One edge of the file."""

    source: Any
    target: Any
    line: int
    attributes: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Gathered:
    """All nodes and edges of a file; `nodes` maps ids to positions, `rows` has the nodes' data."""

    directed: bool = False
    nodes: dict[Any, int] = field(default_factory=dict)
    rows: list[dict[str, Any]] = field(default_factory=list)
    edges: list[GatheredEdge] = field(default_factory=list)

    def add_node(self, name: Any, shown: Path, line: int) -> None:
        """One more node, of a new id."""
        if name in self.nodes:
            raise ReadError(shown, f"node {name!r} is repeated", line=line)
        self.nodes[name] = len(self.nodes)
        self.rows.append({})


def gathered_graph(
    gathered: Gathered,
    names: Sequence[Hashable],
    shown: Path,
    weights: Sequence[str] | None,
    directed: Directed,
) -> Graph:
    """The graph; `weights` are the attributes that may hold the weight, the first found counts."""
    ends = []
    for edge in gathered.edges:
        for end in (edge.source, edge.target):
            if end not in gathered.nodes:
                raise ReadError(
                    shown, f"the edge ends at {end!r}, which is not a node", line=edge.line
                )
            ends.append(gathered.nodes[end])
    found = _weights(gathered.edges, shown, weights)
    how: Directed = (directed or "max") if gathered.directed else directed
    pairs = np.array(ends, dtype=np.intp).reshape(-1, 2)
    graph = Graph.from_edges(pairs, weights=found, names=range(len(names)), directed=how)
    named = Graph._trusted(graph.adjacency, Names(names), graph.notes)
    columns = columns_of(gathered.rows)
    return named.with_node_table(columns) if columns else named


def _weights(
    edges: list[GatheredEdge], shown: Path, keys: Sequence[str] | None
) -> list[float] | None:
    used = next((key for key in keys or () if any(key in e.attributes for e in edges)), None)
    if used is None:
        if keys and len(keys) == 1 and keys[0] != "weight" and edges:
            raise ReadError(shown, f"no edge has an attribute named {keys[0]!r}")
        return None
    return [
        edge_weight(edge.attributes.get(used, ""), shown, edge.line, (edge.source, edge.target))
        for edge in edges
    ]
