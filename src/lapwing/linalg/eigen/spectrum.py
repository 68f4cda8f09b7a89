"""The smallest eigenpairs of a Laplacian, one component at a time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from lapwing.linalg.eigen.lanczos import Progress
from lapwing.linalg.eigen.small_components import Part, pieces_eigenpairs
from lapwing.linalg.eigen.smallest import smallest_eigenpairs
from lapwing.types import Array, Nodes

SMALL = 32
"""Components of up to this many nodes are solved together, size by size."""


def low_spectrum(
    adjacency: sparse.csr_array,
    count: int | None,
    *,
    normalized: bool = False,
    progress: Progress | None = None,
) -> tuple[Array, Array]:
    """Return the `count` smallest non-zero eigenvalues in increasing order, and unit eigenvectors.

    Each component's Laplacian has exactly one zero eigenvalue, which is left out; the eigenpairs of
    all components are merged. `None` returns all of them. Signs are fixed, so the same matrix gives
    the same vectors. `progress` is called for a component that holds most nodes.

    Examples
    --------
    >>> pair_and_path = sparse.csr_array(
    ...     np.array([[0.0, 1, 0, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 1, 0],
    ...               [0, 0, 1, 0, 1], [0, 0, 0, 1, 0]]))
    >>> low_spectrum(pair_and_path, None)[0].round(6)
    array([1., 2., 3.])
    """
    n = adjacency.shape[0]
    wanted = n if count is None else count
    parts: list[Part] = []
    for pieces in components(adjacency):
        if pieces.shape[1] <= SMALL:
            parts += pieces_eigenpairs(adjacency, pieces, wanted, normalized=normalized)
            continue
        for nodes in pieces:
            block = adjacency if len(nodes) == n else sparse.csr_array(adjacency[nodes][:, nodes])
            told = progress if 2 * len(nodes) > n else None
            pairs = smallest_eigenpairs(block, wanted, normalized=normalized, progress=told)
            parts.append((nodes, *pairs))
    return _merged(parts, n, wanted)


def _merged(parts: list[Part], n: int, wanted: int) -> tuple[Array, Array]:
    """Return the smallest eigenpairs of all parts as vectors over all nodes."""
    every = np.concatenate([np.empty(0), *(values for _, values, _ in parts)])
    kept = np.argsort(every, kind="stable")[:wanted]
    place = np.full(len(every), -1)
    place[kept] = np.arange(len(kept))
    rows = np.zeros((n, len(kept)))
    offset = 0
    for nodes, values, vectors in parts:
        columns = place[offset : offset + len(values)]
        offset += len(values)
        rows[np.ix_(nodes, columns[columns >= 0])] = vectors[:, columns >= 0]
    return every[kept], with_fixed_signs(rows)


def components(adjacency: sparse.csr_array) -> Iterator[Nodes]:
    """Return the components of two nodes or more, by size, one per row."""
    _, label = csgraph.connected_components(adjacency, directed=False)
    size = np.bincount(label)
    order = np.argsort(label, kind="stable")
    start = np.cumsum(size) - size
    for nodes in np.unique(size[size > 1]).tolist():
        yield order[start[size == nodes][:, None] + np.arange(nodes)]


def with_fixed_signs(vectors: Array) -> Array:
    """Flip the sign of each column so that its first large entry is positive.

    Examples
    --------
    >>> with_fixed_signs(np.array([[-0.6, 0.1], [0.8, -0.9]])).tolist()
    [[-0.6, -0.1], [0.8, 0.9]]
    """
    if vectors.size == 0:
        return vectors
    size = np.abs(vectors)
    first = np.argmax(size >= 0.9 * size.max(axis=0), axis=0)
    negative = vectors[first, np.arange(vectors.shape[1])] < 0
    return np.where(negative, -vectors, vectors)
