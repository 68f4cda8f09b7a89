"""Attributes beside rows of the graph, for every algorithm that learns on rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lapwing.embed.attributes.rows import attribute_rows, diffused_rows
from lapwing.graph import Graph
from lapwing.types import Array


def beside_attributes(graph: Graph, rows: Array, *, use: Sequence[str] | None = None) -> Array:
    r"""Return rows of a graph's nodes beside their attributes, spread over the edges.

    The inner products of both add up: :math:`K = (X X^\top + Y Y^\top) / 2`, where the attributes Y
    have the same mean square length as the rows X. `use` names columns of the node table; None
    guesses them (`attribute_rows`). Rows stay as they are where no column is used.

    Examples
    --------
    >>> square = Graph.from_edges([(0, 1), (2, 3)])
    >>> square = square.with_node_table({"x": [[1.0], [1.0], [-1.0], [-1.0]]})
    >>> rows = beside_attributes(square, np.ones((4, 1)))
    >>> (rows @ rows.T).round(2).tolist()[0]
    [1.0, 1.0, 0.0, 0.0]
    """
    attributes = attribute_rows(graph.node_table, use=use)
    if not attributes.width:
        return rows
    spread = diffused_rows(graph, attributes.rows).astype(np.float64)
    size, ours = (float(np.square(part).sum()) for part in (rows, spread))
    scale = np.sqrt(size / ours) if size > 0 and ours > 0 else 1.0
    return np.asarray(np.hstack([rows, scale * spread]) / np.sqrt(2.0))
