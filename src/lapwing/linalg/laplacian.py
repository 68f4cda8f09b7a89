"""The two Laplacians of a weight matrix."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from lapwing.linalg.stored_weights import stored_weights
from lapwing.types import Array


def combinatorial_laplacian(adjacency: sparse.csr_array) -> sparse.csr_array:
    """L = D - A, the matrix of the energy u'Lu = sum over edges of w_ij (u_i - u_j)^2.

    Examples
    --------
    >>> path = sparse.csr_array(np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    >>> combinatorial_laplacian(path).toarray()
    array([[ 1., -1.,  0.],
           [-1.,  2., -1.],
           [ 0., -1.,  1.]])
    """
    return _slim(sparse.diags_array(degrees(adjacency), format="csr") - adjacency)


def normalized_laplacian(adjacency: sparse.csr_array) -> sparse.csr_array:
    """D^-1/2 (D - A) D^-1/2, spectrum in [0, 2]; an isolated node's row and column are zero.

    Examples
    --------
    >>> path = sparse.csr_array(np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    >>> normalized_laplacian(path).toarray().round(4)
    array([[ 1.    , -0.7071,  0.    ],
           [-0.7071,  1.    , -0.7071],
           [ 0.    , -0.7071,  1.    ]])
    """
    degree = degrees(adjacency)
    connected = degree > 0
    scale = np.zeros_like(degree)
    scale[connected] = 1.0 / np.sqrt(degree[connected])
    scaling = sparse.diags_array(scale, format="csr")
    unit = sparse.diags_array(connected.astype(np.float64), format="csr")
    return _slim(unit - scaling @ adjacency @ scaling)


def degrees(adjacency: sparse.csr_array) -> Array:
    """Return the sum of each row's weights."""
    weights = stored_weights(adjacency)
    if len(weights) == 1:
        return np.asarray(np.diff(adjacency.indptr) * weights[0])
    return np.asarray(adjacency.sum(axis=1), dtype=np.float64).ravel()


def _slim(matrix: sparse.sparray) -> sparse.csr_array:
    """Return CSR with 32-bit indices where possible: products read a third less memory."""
    result = sparse.csr_array(matrix)
    if max(result.nnz, *result.shape) < 2**31:
        result.indices = result.indices.astype(np.int32, copy=False)
        result.indptr = result.indptr.astype(np.int32, copy=False)
    return result
