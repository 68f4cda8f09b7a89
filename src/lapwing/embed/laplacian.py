"""The Laplacian embedding: rows whose inner products are the pseudoinverse L+."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lapwing.checks import at_least, finite_at_least
from lapwing.embed.cache import default_cache
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.linalg import low_spectrum
from lapwing.linalg.eigen.smooth_rows import smooth_rows
from lapwing.types import Array, Nodes

CACHED_ABOVE = 1000
"""Below this many nodes, computing rows is faster than reading them."""
MOST_COMPONENTS = 128
"""How many components get a column of their own."""
EXACT_ROWS, ROWS_WITHIN = 25_000, 0.01
"""Larger graphs usually get rows of single precision, with residuals of at most this."""
MAX_FULL = 20_000
"""The largest number of nodes for which rows of full rank are computed."""


def laplacian(  # noqa: PLR0913 - every choice of rows has a name of its own
    graph: Graph,
    *,
    rank: int | None = 100,
    normalized: bool = False,
    bias: float = 0.0,
    unit_rows: bool = False,
    components: bool = False,
    tol: float | None = None,
    cached: bool = True,
    progress: Callable[[float], None] | None = None,
) -> Array:
    """One row per node: eigenvectors 2..rank of the Laplacian over the roots of their eigenvalues.

    With every eigenvector (``rank=None``, or at least the number of nodes) the inner products of
    the rows are the pseudoinverse L+ (Herbster, Pontil and Wainer 2005); fewer give its best
    approximation of that rank (Gu et al. 2013, Eq. 28; note that rank d has d - 1 columns). With
    `bias` b > 0 one constant column sqrt(b) follows, so that the kernel is L+ + b 11' (Herbster and
    Pontil 2006). `unit_rows` scales each whole row to length 1 at the end; a row of zeros is kept.

    A graph with c components has c zero eigenvalues. All of them are left out and the rank - 1
    smallest others are taken, so that the kernel is L+, which is zero between components. In a
    small component most entries of L+ are negative. With `components`, a graph of several
    components gets one column for each of the 128 largest, constant on it, so that nodes resemble
    each other within a component only. These columns replace the constant column, which only nodes
    of smaller components keep. They add b to the kernel within a component, or twice the mean
    square length of the rows if that is more. A connected graph gets none.

    Signs and the solver's start are fixed, so the same graph always gives the same rows. Rows of
    graphs above 1,000 nodes are cached on disk (`RowCache`) unless `cached` is false. `progress` is
    called with the fraction done, 0 to 1. Cost: seconds for rank 100 up to 25,000 nodes, minutes
    for 100,000; all rows of n nodes take n^3 and 16 n^2 bytes, so `rank` is needed above 20,000.

    With `tol`, approximate rows of the normalised Laplacian are computed in single precision
    (`smooth_rows`), in seconds for 100,000 nodes and within a minute for a million.

    Examples
    --------
    Two triangles joined by an edge: the first column tells them apart.

    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> np.sign(laplacian(graph, rank=2)[:, 0])
    array([ 1.,  1.,  1., -1., -1., -1.])
    >>> rows = laplacian(graph, rank=None, bias=2.0)
    >>> rows.shape
    (6, 6)
    >>> float(rows[0] @ rows[0]), float(rows[0] @ rows[5])
    (2.694444, 1.527778)
    """
    if rank is not None:
        at_least("rank", rank, 2)
    finite_at_least("bias", bias, 0)
    if tol is None:
        rows = _rows(graph, rank, normalized, cached, progress)
    elif rank is None or not normalized:
        raise InputError("approximate rows (tol) need a rank, and normalized=True")
    else:
        rows = _approximate(graph, rank, tol, cached, progress)
    return completed_rows(graph, rows, bias=bias, components=components, unit_rows=unit_rows)


def completed_rows(
    graph: Graph,
    rows: Array,
    *,
    bias: float = 0.0,
    components: bool = False,
    unit_rows: bool = False,
) -> Array:
    """Return eigenvector rows with the columns of bias or components, scaled if wanted.

    Examples
    --------
    >>> pairs = Graph.from_edges([(0, 1), (2, 3)])
    >>> completed_rows(pairs, np.zeros((4, 1)), components=True, unit_rows=True)[:, 1:]
    array([[1., 0.],
           [1., 0.],
           [0., 1.],
           [0., 1.]])
    """
    if components and graph.n_components > 1:
        rows = np.hstack([rows, _component_columns(graph, rows, bias)])
    elif bias > 0:
        rows = np.hstack([rows, np.full((graph.n_nodes, 1), np.sqrt(bias))])
    return with_unit_rows(rows) if unit_rows else rows


def _rows(
    graph: Graph,
    rank: int | None,
    normalized: bool,
    cached: bool,
    progress: Callable[[float], None] | None,
) -> Array:
    """Return the rows without bias or scaling, from the cache if possible."""
    n = graph.n_nodes
    count = None if rank is None or rank >= n else rank - 1
    if count is None and n > MAX_FULL:
        raise InputError(f"rows of full rank need at most {MAX_FULL} nodes, got {n}: give a rank")

    def make() -> Array:
        values, vectors = low_spectrum(
            graph.adjacency, count, normalized=normalized, progress=progress
        )
        return vectors / np.sqrt(values)

    return kept_rows(
        graph, f"count {count}, normalized {normalized}", make, cached=cached, progress=progress
    )


def _approximate(
    graph: Graph,
    rank: int,
    tol: float,
    cached: bool,
    progress: Callable[[float], None] | None,
) -> Array:
    """Return approximate rows, from the cache if possible."""
    if not 0 < tol < 1:
        raise InputError(f"tol must be above 0 and below 1, got {tol}")

    def make() -> Array:
        return smooth_rows(graph.adjacency, rank - 1, tol=tol, progress=progress)

    return kept_rows(
        graph, f"count {rank - 1}, tol {tol!r}", make, cached=cached, progress=progress
    )


def kept_rows(
    graph: Graph,
    what: str,
    make: Callable[[], Array],
    *,
    cached: bool,
    progress: Callable[[float], None] | None,
) -> Array:
    """Return rows from the cache, or make and store them.

    Examples
    --------
    >>> pair = Graph.from_edges([(0, 1)])
    >>> kept_rows(pair, "ones", lambda: np.ones((2, 1)), cached=True, progress=None).ravel()
    array([1., 1.])
    """
    kept = default_cache() if cached and graph.n_nodes > CACHED_ABOVE else None
    key = f"laplacian 1, graph {graph.hash}, {what}" if kept else ""
    rows = kept.load(key) if kept else None
    if rows is None:
        rows = make()
        if kept:
            kept.store(key, rows)
    if progress is not None:
        progress(1.0)
    return rows


def _component_columns(graph: Graph, rows: Array, bias: float) -> Array:
    """One column for each of the largest components, and the bias of all others."""
    squares = np.square(rows).sum(axis=1)
    mean = float(squares[squares > 0].mean()) if squares.any() else 0.5
    columns: Array = np.sqrt(max(bias, 2.0 * mean)) * component_columns(graph)
    if bias == 0 or graph.n_components <= MOST_COMPONENTS:
        return columns
    others = np.sqrt(bias) * ~columns.any(axis=1)
    return np.hstack([columns, others[:, None]])


def component_columns(graph: Graph, most: int = MOST_COMPONENTS) -> Array:
    """Return one column for each of the `most` largest components: 1 for its nodes, 0 for others.

    Examples
    --------
    >>> component_columns(Graph.from_edges([(0, 1), (2, 3), (3, 4)])).astype(int).tolist()
    [[0, 1], [0, 1], [1, 0], [1, 0], [1, 0]]
    """
    largest = largest_components(graph, most)
    return np.asarray(graph.components[:, None] == largest, dtype=np.float64)


def largest_components(graph: Graph, most: int) -> Nodes:
    """Return the numbers of the `most` largest components, the largest first.

    Examples
    --------
    >>> largest_components(Graph.from_edges([(0, 1), (2, 3), (3, 4)]), 1)
    array([1])
    """
    sizes = np.bincount(graph.components)
    return np.argsort(-sizes, kind="stable")[:most]


def with_unit_rows(rows: Array) -> Array:
    """Divide each row by its length; a row of zeros is kept.

    Examples
    --------
    >>> with_unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(length > 0, length, 1.0)
