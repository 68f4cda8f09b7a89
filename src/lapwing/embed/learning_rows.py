"""Rows for learners."""

from __future__ import annotations

from collections.abc import Callable

from lapwing.checks import at_least
from lapwing.embed.laplacian import EXACT_ROWS, ROWS_WITHIN, kept_rows, laplacian
from lapwing.graph import Graph
from lapwing.linalg.eigen.wide_rows import wide_rows
from lapwing.linalg.stored_weights import stored_weights
from lapwing.types import Array

RESOLVED = 1e5
"""Weights that span more than this are not resolved together in single precision."""
FEWEST, MOST, NODES_A_ROW = 24, 32, 50
"""One eigenvector per this many nodes, within these limits."""
TINY_RANK, TINY_NODES_A_ROW = 4, 5
"""On small graphs one per five nodes, until there are enough of them; never fewer than four."""


def usual_rank(n_nodes: int) -> int:
    """Return the number of eigenvectors that serve few labels on a graph of this size.

    One per 50 nodes, at least 24 and at most 32; on small graphs one per five nodes, at least 4. A
    hundred nodes need two dozen, too: they may be a dozen small communities, and labels nearby tell
    little where every walk soon reaches all of the graph.

    Examples
    --------
    >>> [usual_rank(n) for n in (6, 34, 115, 1_000, 1_500, 1_000_000)]
    [4, 6, 23, 24, 30, 32]
    """
    fewest = min(max(n_nodes // TINY_NODES_A_ROW, TINY_RANK), FEWEST)
    return min(max(n_nodes // NODES_A_ROW, fewest), MOST)


def learning_rows(
    graph: Graph, rank: int, *, progress: Callable[[float], None] | None = None
) -> Array:
    """Return rows of at most ``rank - 1`` columns to learn labels from, on graphs of any size.

    They are vectors of the normalised Laplacian that are spread over the graph at large
    (`lapwing.linalg.eigen.wide_rows`), each weighed by how far it stands out: small hanging trees
    are taken off first and have the row of the node that holds them, unless the graph consists of
    many small communities. Above 400 nodes they are in
    single precision, with residuals of at most 0.01. Rows are not scaled to length 1. `laplacian`
    has the exact eigenvectors; up to 25,000 nodes they are used where weights span more than 1e5,
    which single precision does not resolve.

    Examples
    --------
    >>> two = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learning_rows(two, 2).ravel().round(2).tolist()
    [0.45, 0.45, 0.32, -0.32, -0.45, -0.45]
    """
    at_least("rank", rank, 2)
    if graph.n_nodes <= EXACT_ROWS and _span(graph) > RESOLVED:
        return laplacian(graph, rank=rank, normalized=True, progress=progress)

    def make() -> Array:
        return wide_rows(graph.adjacency, rank - 1, tol=ROWS_WITHIN, progress=progress)

    what = f"wide 3, count {rank - 1}, tol {ROWS_WITHIN!r}"
    return kept_rows(graph, what, make, cached=True, progress=progress)


def _span(graph: Graph) -> float:
    """The largest weight over the smallest that is not zero."""
    weights = stored_weights(graph.adjacency)
    present = weights[weights > 0]
    return float(present.max() / present.min()) if len(present) else 1.0
