"""Rows whose inner products are the Laplacian's pseudoinverse."""

from __future__ import annotations

import numpy as np

from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.linalg import low_spectrum
from lapwing.types import Array


def laplacian(
    graph: Graph,
    *,
    rank: int | None = 100,
    normalized: bool = False,
    bias: float = 0.0,
    unit_rows: bool = False,
) -> Array:
    """One row a node: eigenvectors 2..rank of the Laplacian over the roots of their eigenvalues.

    With every eigenvector (``rank=None``, or at least the number of nodes) the inner products
    of the rows are the pseudoinverse L+ (Herbster, Pontil and Wainer 2005); fewer give its best
    approximation of that rank (Gu et al. 2013, Eq. 28; note that rank d has d - 1 columns). With
    `bias` b > 0 one constant column sqrt(b) follows, so that the kernel is L+ + b 11'
    (Herbster and Pontil 2006). `unit_rows` scales each whole row to length 1 at the end; a row
    of zeros stays.

    A graph of c components has c zero eigenvalues: all are left out, and the rank - 1
    smallest others are taken, so that the kernel is L+, zero between components.

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
    if rank is not None and rank < 2:
        raise InputError(f"rank must be at least 2, got {rank}")
    if not (np.isfinite(bias) and bias >= 0):
        raise InputError(f"bias must be finite and at least 0, got {bias}")
    full = rank is None or rank >= graph.n_nodes
    values, vectors = low_spectrum(
        graph.adjacency, None if full or rank is None else rank - 1, normalized=normalized
    )
    rows = vectors / np.sqrt(values)
    if bias > 0:
        rows = np.hstack([rows, np.full((graph.n_nodes, 1), np.sqrt(bias))])
    return with_unit_rows(rows) if unit_rows else rows


def with_unit_rows(rows: Array) -> Array:
    """Each row over its length; a row of zeros stays.

    Examples
    --------
    >>> with_unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(length > 0, length, 1.0)
