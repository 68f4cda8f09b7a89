"""The whole pseudoinverse of a small graph's Laplacian."""

from __future__ import annotations

import numpy as np
from scipy import linalg, sparse
from scipy.sparse import csgraph

from lapwing.errors import ConvergenceError, InputError
from lapwing.linalg.laplacian import combinatorial_laplacian, degrees
from lapwing.types import Array, Nodes

MAX_NODES = 20_000
TOLERANCE = 1e-6
"""The largest relative error of L L+ v allowed for a vector v."""


def pseudoinverse(adjacency: sparse.csr_array, *, normalized: bool = False) -> Array:
    """Return L+ as a dense matrix: zero between components, each row sums to zero.

    With P the projection on the null space (for each component, its normalised indicator) and any
    t > 0, L + t P is regular and L+ = (L + t P)^-1 - P / t. One Cholesky factorisation: n^3
    operations, 16 n^2 bytes, checked on random vectors. The normalised one follows from
    D^1/2 L+ D^1/2.

    Examples
    --------
    >>> pair = sparse.csr_array(np.array([[0.0, 2.0], [2.0, 0.0]]))
    >>> pseudoinverse(pair)
    array([[ 0.125, -0.125],
           [-0.125,  0.125]])
    """
    n = adjacency.shape[0]
    if n > MAX_NODES:
        raise InputError(
            f"the whole pseudoinverse needs at most {MAX_NODES} nodes, got {n}: take columns"
        )
    _, part = csgraph.connected_components(adjacency, directed=False)
    result = _inverse(adjacency, part)
    _check(adjacency, part, result)
    if not normalized:
        return result
    root = np.sqrt(degrees(adjacency))
    result = root[:, None] * result * root
    length = np.sqrt(np.bincount(part, weights=root**2))[part]
    null = np.divide(root, length, out=np.zeros(n), where=length > 0)
    member = sparse.csr_array((null, (np.arange(n), part)))
    result -= member @ (member.T @ result)
    return np.asarray(result - (result @ member) @ member.T, dtype=np.float64)


def _inverse(adjacency: sparse.csr_array, part: Nodes) -> Array:
    n = adjacency.shape[0]
    degree = degrees(adjacency)
    typical = float(np.where(degree > 0, degree, 1.0).mean())
    matrix = adjacency.toarray(order="F")
    np.negative(matrix, out=matrix)
    matrix[np.diag_indices(n)] = degree
    _shift_null_space(matrix, part, typical)
    try:
        factor = linalg.cholesky(matrix, lower=True, overwrite_a=True, check_finite=False)
    except linalg.LinAlgError as failed:
        raise ConvergenceError(
            f"weights must lie within what 64-bit floats can resolve together: {failed}"
        ) from None
    inverse, _ = linalg.lapack.dpotri(factor, lower=1, overwrite_c=True)
    for row in range(n - 1):
        inverse[row, row + 1 :] = inverse[row + 1 :, row]
    _shift_null_space(inverse, part, -1.0 / typical)
    return np.asarray(inverse, dtype=np.float64)


def _check(adjacency: sparse.csr_array, part: Nodes, inverse: Array) -> None:
    """Raise unless L times the inverse reproduces a few random vectors without their means."""
    if not part.size:
        return
    vectors = np.random.default_rng(0).standard_normal((len(part), 4))
    means = np.stack([np.bincount(part, weights=v) for v in vectors.T], axis=1)
    vectors -= (means / np.bincount(part)[:, None])[part]
    back = combinatorial_laplacian(adjacency) @ (inverse @ vectors)
    size = np.linalg.norm(vectors, axis=0)
    error = float((np.linalg.norm(back - vectors, axis=0) / np.where(size > 0, size, 1.0)).max())
    if not error <= TOLERANCE:
        raise ConvergenceError(
            f"the pseudoinverse must be right to {TOLERANCE:g}, got {error:.2g}: weights span more "
            "orders of magnitude than 64-bit floats resolve together"
        )


def _shift_null_space(matrix: Array, part: Nodes, amount: float) -> None:
    """Add `amount` times the projection on the components' indicators, in place."""
    if part.max(initial=0) == 0:
        matrix += amount / max(len(part), 1)
        return
    order = np.argsort(part, kind="stable")
    for nodes in np.split(order, np.cumsum(np.bincount(part))[:-1]):
        matrix[np.ix_(nodes, nodes)] += amount / len(nodes)
