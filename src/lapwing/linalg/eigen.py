"""The smallest non-zero eigenpairs of a connected graph's Laplacian."""

from __future__ import annotations

import numpy as np
from scipy import linalg, sparse
from scipy.sparse.linalg import eigsh

from lapwing.errors import ConvergenceError
from lapwing.types import Array

DENSE_BELOW = 2000


def smallest_eigenpairs(laplacian: sparse.csr_array, count: int) -> tuple[Array, Array]:
    """The `count` smallest eigenpairs above zero of one connected component's Laplacian."""
    n = laplacian.shape[0]
    count = min(count, n - 1)
    if n <= DENSE_BELOW or count > n // 5:
        values, vectors = linalg.eigh(laplacian.toarray(), subset_by_index=(1, count))
        return values, vectors
    start = np.random.default_rng(0).standard_normal(n)
    scale = float(laplacian.diagonal().max())
    values, vectors = eigsh(
        laplacian.tocsc(), count + 1, sigma=-1e-3 * scale / 100, which="LM", v0=start
    )
    order = np.argsort(values)[1:]
    values, vectors = values[order], vectors[:, order]
    residual = np.linalg.norm(laplacian @ vectors - vectors * values, axis=0).max()
    if residual > 1e-6 * max(1.0, scale):
        raise ConvergenceError(f"eigenpairs must have residual at most 1e-6, got {residual:.2g}")
    return values, vectors
