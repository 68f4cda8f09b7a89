"""Orthonormalise the columns of tall arrays quickly."""

from __future__ import annotations

import numpy as np
from scipy import linalg

from lapwing.types import Array


def orthonormal(tall: Array) -> tuple[Array, Array]:
    """Q with orthonormal columns and R with Q R = tall, by Cholesky of the Gram matrix, twice.

    Falls back to Householder's QR if the columns are nearly dependent.

    Examples
    --------
    >>> q, r = orthonormal(np.array([[3.0, 1.0], [4.0, 2.0], [0.0, 2.0]]))
    >>> np.allclose(q @ r, [[3, 1], [4, 2], [0, 2]]), np.allclose(q.T @ q, np.eye(2))
    (True, True)
    """
    q, r = tall, np.eye(tall.shape[1])
    for _ in range(2):
        try:
            factor = linalg.cholesky(q.T @ q, check_finite=False)
        except linalg.LinAlgError:
            return _by_reflections(tall)
        diagonal = np.diagonal(factor)
        if diagonal.min() < 1e-6 * diagonal.max():
            return _by_reflections(tall)
        inverse = linalg.solve_triangular(factor, np.eye(len(factor)), check_finite=False)
        q, r = q @ inverse, factor @ r
    return q, r


def _by_reflections(tall: Array) -> tuple[Array, Array]:
    """Householder's QR, for columns that are nearly dependent."""
    q, r = linalg.qr(tall, mode="economic", check_finite=False)
    return q, r
