"""What attributes say about a node being positive."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from lapwing.active.find.row_odds import RowOdds
from lapwing.embed.attributes.rows import AttributeRows, Rows32, attribute_rows, diffused_rows
from lapwing.graph import Graph
from lapwing.types import Array, Mask, Nodes

EVERY = 5


class AttributeOdds(RowOdds):
    """Log odds of being positive, from the attributes of nodes and those of their neighbours.

    Logistic regression (`RowOdds`) on the unit rows of the attributes beside the same rows spread
    over the edges, fitted again after every fifth answer. `columns` are the keywords of
    `attribute_rows`. Without attributes all odds are 0.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 3)])
    >>> odds = AttributeOdds(graph.with_node_table({"x": [[1.0], [-1.0], [1.0], [-1.0]]}), {})
    >>> odds.follow({0: True})
    >>> (odds.at(2) > 0 > odds.at(1)).item()
    True
    """

    def __init__(self, graph: Graph, columns: Mapping[str, Any], *, seed: int = 0) -> None:
        super().__init__(graph.n_nodes, every=EVERY, seed=seed)
        self.graph, self.columns = graph, dict(columns)

    @cached_property
    def attributes(self) -> AttributeRows:
        """One row per node; made when a positive node is known."""
        return attribute_rows(self.graph.node_table, **self.columns)

    @cached_property
    def _spread(self) -> Rows32:
        return diffused_rows(self.graph, self.attributes.rows)

    @property
    def has_rows(self) -> bool:
        return bool(len(self.graph.node_table)) and self.attributes.width > 0

    def _rows(self, nodes: Nodes) -> Array:
        return np.hstack([self.attributes.rows[nodes], self._spread[nodes]])

    def _fitted(self, weights: Array) -> tuple[Array, Mask]:
        width, single = self.attributes.width, weights.astype(np.float32)
        found = self.attributes.rows @ single[:width] + self._spread @ single[width:]
        return found.astype(np.float64), self.attributes.told
