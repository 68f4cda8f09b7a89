"""What a node's position in the graph at large says about it being positive."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from lapwing.active.find.row_odds import RowOdds
from lapwing.embed.laplacian import completed_rows
from lapwing.embed.learning_rows import learning_rows
from lapwing.graph import Graph
from lapwing.types import Array, Mask, Nodes

FEWEST, MOST, NODES_A_COLUMN = 4, 32, 50
"""One eigenvector per this many nodes, within these limits."""
LARGEST = 100_000
"""Larger graphs have no rows: nobody would wait for them."""


class PositionOdds(RowOdds):
    """Log odds of being positive, from where a node is in the graph at large.

    Logistic regression (`RowOdds`) on unit rows of the smoothest vectors (`learning_rows`), fitted
    again after every answer. Labels nearby tell little on a dense graph, where all nodes are near;
    there the position tells more. Graphs of more than 100,000 nodes go without.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> odds = PositionOdds(graph)
    >>> odds.follow({5: True})
    >>> bool(odds.at(4) > odds.at(0))
    True
    """

    def __init__(self, graph: Graph, *, seed: int = 0) -> None:
        super().__init__(graph.n_nodes, every=1, seed=seed)
        self.graph = graph

    @property
    def has_rows(self) -> bool:
        return FEWEST <= self.graph.n_nodes <= LARGEST and self.positions.shape[1] > 0

    @cached_property
    def positions(self) -> Array:
        """One row per node; made when a positive node is known."""
        rank = int(np.clip(self.graph.n_nodes // NODES_A_COLUMN, FEWEST, MOST))
        rows = learning_rows(self.graph, rank)
        return completed_rows(self.graph, rows, components=True, unit_rows=True)

    def _rows(self, nodes: Nodes) -> Array:
        return self.positions[nodes]

    def _fitted(self, weights: Array) -> tuple[Array, Mask]:
        found = self.positions @ weights.astype(self.positions.dtype)
        return found.astype(np.float64), np.asarray(self.positions.any(axis=1))
