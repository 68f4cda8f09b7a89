"""Eigenpairs of many small components, computed together for each size."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from lapwing.errors import ConvergenceError
from lapwing.types import Array, Nodes

Part = tuple[Nodes, Array, Array]
"""Some nodes, and eigenvalues and eigenvectors on them."""


def pieces_eigenpairs(
    adjacency: sparse.csr_array, pieces: Nodes, count: int, *, normalized: bool
) -> list[Part]:
    """Return the `count` smallest non-zero eigenpairs among components of the same size.

    `pieces` lists the nodes of one component per row. LAPACK is called once for the whole batch, so
    a hundred thousand components of two nodes take a moment.

    Examples
    --------
    >>> pairs = sparse.csr_array(np.kron(np.diag([1.0, 3.0]), [[0.0, 1.0], [1.0, 0.0]]))
    >>> parts = pieces_eigenpairs(pairs, np.array([[0, 1], [2, 3]]), 2, normalized=False)
    >>> [(nodes.tolist(), values.tolist()) for nodes, values, _ in parts]
    [([0, 1], [2.0]), ([2, 3], [6.0])]
    """
    size = pieces.shape[1]
    weights = _dense(adjacency, pieces)
    degree = weights.sum(axis=2)
    matrices = -weights
    matrices[:, np.arange(size), np.arange(size)] = degree
    if normalized:
        root = np.sqrt(degree)
        matrices /= root[:, :, None] * root[:, None, :]
    values, vectors = np.linalg.eigh(matrices)
    weakest = int(np.argmin(values[:, 1] / values[:, -1]))
    check_above_zero(float(values[weakest, 1]), float(values[weakest, -1]))
    above = values[:, 1:].ravel()
    kept = np.argsort(above, kind="stable")[:count]
    piece, pair = np.divmod(kept, size - 1)
    return [
        (pieces[p], values[p, k + 1 : k + 2], vectors[p][:, k + 1 : k + 2])
        for p, k in zip(piece.tolist(), pair.tolist(), strict=True)
    ]


def check_above_zero(second: float, scale: float) -> None:
    """Raise if a component's second eigenvalue is lost in rounding errors.

    Examples
    --------
    >>> check_above_zero(1e-18, 1.0)
    Traceback (most recent call last):
        ...
    lapwing.errors.ConvergenceError: the second eigenvalue must be above zero, got 1e-18:
    weights span more orders of magnitude than 64-bit floats resolve together
    """
    if not second > 1e-14 * scale:
        raise ConvergenceError(
            f"the second eigenvalue must be above zero, got {second:.2g}: "
            "weights span more orders of magnitude than 64-bit floats resolve together"
        )


def _dense(adjacency: sparse.csr_array, pieces: Nodes) -> Array:
    """Return the weight matrix of each component, ``(number, size, size)``."""
    number, size = pieces.shape
    place = np.empty(adjacency.shape[0], dtype=np.intp)
    place[pieces] = np.arange(size)
    rows = sparse.coo_array(adjacency[pieces.ravel()])
    weights = np.zeros((number, size, size))
    row, column = rows.coords
    weights[row // size, row % size, place[column]] = rows.data
    return weights
