"""Rows from the smoothest eigenvectors, for graphs of any size."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from scipy import sparse

from lapwing.linalg.eigen.filtered import smooth_eigenpairs
from lapwing.linalg.eigen.hanging_trees import hanging_trees, inside
from lapwing.linalg.eigen.lanczos import Progress
from lapwing.types import Array

SHARE = 4
"""Trees smaller than this part of what a column describes on average are taken off first."""


def smooth_rows(
    adjacency: sparse.csr_array,
    count: int,
    *,
    tol: float,
    start: Array | None = None,
    progress: Progress | None = None,
) -> Array:
    """Return `count` columns, eigenvectors over the roots of their eigenvalues, within `tol`.

    Small hanging trees (`hanging_trees`, fewer than n / (4 count) nodes) are taken off before and
    get the row of the node that holds them, because otherwise the smoothest vectors are those of
    single trees. A graph that has fewer eigenvectors than asked for gets fewer columns. `start`
    holds columns that are close already.

    Examples
    --------
    >>> ring = sparse.csr_array(np.roll(np.eye(40), 1, axis=0) + np.roll(np.eye(40), -1, axis=0))
    >>> smooth_rows(ring, 2, tol=1e-4).shape
    (40, 2)
    """
    find = partial(scaled_vectors, count=count, tol=tol, progress=progress)
    return rows_of_core(adjacency, count, find, start)


def rows_of_core(
    adjacency: sparse.csr_array, count: int, find: Callable[..., Array], start: Array | None
) -> Array:
    """Return what `find` finds without small hanging trees, whose rows are their holders'.

    Examples
    --------
    >>> path = sparse.csr_array(np.diag(np.ones(8), 1) + np.diag(np.ones(8), -1))
    >>> rows_of_core(path, 1, lambda core, start: np.eye(core.shape[0])[:, :1], None).ravel()
    array([1., 1., 0., 0., 0., 0., 0., 0., 0.])
    """
    n = adjacency.shape[0]
    trees = hanging_trees(adjacency, smaller_than=n // (SHARE * max(count, 1)))
    if trees.kept.all():
        return np.asarray(find(adjacency, start=start))
    near = None if start is None else start[trees.kept]
    rows = find(inside(adjacency, trees.kept), start=near)
    place = np.cumsum(trees.kept) - 1
    return np.asarray(rows[place[trees.holders]])


def scaled_vectors(
    adjacency: sparse.csr_array,
    count: int,
    *,
    tol: float,
    start: Array | None = None,
    progress: Progress | None = None,
) -> Array:
    """Return the columns of a graph from which nothing is taken off.

    Examples
    --------
    >>> ring = sparse.csr_array(np.roll(np.eye(40), 1, axis=0) + np.roll(np.eye(40), -1, axis=0))
    >>> scaled_vectors(ring, 2, tol=1e-4).shape
    (40, 2)
    """
    if adjacency.nnz == 0:
        return np.zeros((adjacency.shape[0], 0), dtype=np.float32)
    pairs = smooth_eigenpairs(
        adjacency, min(count, adjacency.shape[0] - 1), tol=tol, start=start, progress=progress
    )
    sound = pairs.values > 1e-7
    vectors = pairs.vectors if sound.all() else pairs.vectors[:, sound]
    vectors /= np.sqrt(pairs.values[sound]).astype(np.float32)
    return np.asarray(vectors)
