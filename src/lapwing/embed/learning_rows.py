"""Rows for learners of large graphs."""

from __future__ import annotations

from collections.abc import Callable

from lapwing.embed.laplacian import EXACT_ROWS, ROWS_WITHIN, kept_rows, laplacian
from lapwing.graph import Graph
from lapwing.linalg.eigen.wide_rows import wide_rows
from lapwing.types import Array


def learning_rows(
    graph: Graph, rank: int, *, progress: Callable[[float], None] | None = None
) -> Array:
    """Return rows of at most ``rank - 1`` columns to learn labels from, on graphs of any size.

    Up to 25,000 nodes they are those of `laplacian`, normalised and exact. Larger graphs get
    vectors that are spread over the graph at large (`lapwing.linalg.eigen.wide_rows`), in single
    precision, each weighed by how far it stands out. Rows are not scaled to length 1.

    Examples
    --------
    >>> two = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learning_rows(two, 2).ravel().round(2).tolist()
    [0.98, 0.98, 0.71, -0.71, -0.98, -0.98]
    """
    if graph.n_nodes <= EXACT_ROWS:
        return laplacian(graph, rank=rank, normalized=True, progress=progress)

    def make() -> Array:
        return wide_rows(graph.adjacency, rank - 1, tol=ROWS_WITHIN, progress=progress)

    what = f"wide, count {rank - 1}, tol {ROWS_WITHIN!r}"
    return kept_rows(graph, what, make, cached=True, progress=progress)
