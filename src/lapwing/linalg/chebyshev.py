"""Diffusion of many columns over a graph: compiled passes over the edges, no inner products."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import sparse

from lapwing.types import Array, Nodes

SINGLE = 1e-6
"""Tolerances from here on are met in single precision, which halves time and memory."""


def diffused(
    adjacency: sparse.csr_array, right: Array, *, alpha: float, tol: float
) -> NDArray[Any]:
    r"""The solution x of :math:`(I - \alpha D^{-1} A) x = b` for the columns b of `right`.

    Chebyshev's semi-iteration: D^-1 A has the eigenvalues of a symmetric matrix, all in [-1, 1],
    so the number of passes over the edges that brings the error below `tol` (of the solution,
    in the norm weighted by degrees) is known beforehand: about
    log(2 / tol) / sqrt(2 (1 - alpha)). An isolated node keeps its b. In single precision, and
    returned so, if `tol` is at least 1e-6.

    Examples
    --------
    >>> path = sparse.csr_array(np.array([[0.0, 1.0], [1.0, 0.0]]))
    >>> diffused(path, np.array([[3.0], [0.0]]), alpha=0.5, tol=1e-9).ravel()
    array([4., 2.])
    """
    kind = np.float32 if tol >= SINGLE else np.float64
    weights, start = adjacency.data.astype(kind), np.ascontiguousarray(right, dtype=kind)
    rate = alpha / (1.0 + np.sqrt(1.0 - alpha * alpha))
    passes = int(np.ceil(np.log(2.0 / tol) / -np.log(rate)))
    old, now = np.zeros_like(start), start.copy()
    weight = 2.0 / (2.0 - alpha * alpha)
    for _ in range(passes):
        _chebyshev_pass(
            adjacency.indptr, adjacency.indices, weights, start, now, old, kind(alpha), kind(weight)
        )
        old, now = now, old
        weight = 1.0 / (1.0 - alpha * alpha * weight / 4.0)
    return now


def averaged(
    adjacency: sparse.csr_array, values: Array, fixed: Nodes, *, rounds: int
) -> NDArray[np.float32]:
    """Each row of values replaced by the mean of its neighbours' rows, `rounds` times.

    The `fixed` nodes keep theirs; an isolated node that is not fixed gets 0. Single precision.

    Examples
    --------
    >>> path = sparse.csr_array(np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    >>> averaged(path, np.array([[1.0], [0.0], [0.0]]), np.array([0]), rounds=2).ravel()
    array([1. , 0.5, 0.5], dtype=float32)
    """
    weights = adjacency.data.astype(np.float32)
    held = np.zeros(adjacency.shape[0], dtype=np.bool_)
    held[fixed] = True
    now = np.ascontiguousarray(values, dtype=np.float32)
    new = np.empty_like(now)
    for _ in range(rounds):
        _mean_pass(adjacency.indptr, adjacency.indices, weights, held, now, new)
        new, now = now, new
    return now


@njit(cache=True)
def _chebyshev_pass(
    starts: Nodes,
    ends: Nodes,
    weights: Array,
    right: Array,
    now: Array,
    old: Array,
    alpha: float,
    weight: float,
) -> None:
    """Add weight * (alpha D^-1 A now + right - old) to `old`, row by row."""
    n_columns = now.shape[1]
    total = np.empty(n_columns, dtype=now.dtype)
    for i in range(now.shape[0]):
        total[:] = 0
        degree = weights.dtype.type(0)
        for e in range(starts[i], starts[i + 1]):
            w, j = weights[e], ends[e]
            degree += w
            for c in range(n_columns):
                total[c] += w * now[j, c]
        share = alpha / degree if degree > 0 else degree
        for c in range(n_columns):
            old[i, c] += weight * (share * total[c] + right[i, c] - old[i, c])


@njit(cache=True)
def _mean_pass(
    starts: Nodes, ends: Nodes, weights: Array, held: Array, now: Array, new: Array
) -> None:
    """Write D^-1 A now to `new`, but for the rows that are held."""
    n_columns = now.shape[1]
    total = np.empty(n_columns, dtype=now.dtype)
    for i in range(now.shape[0]):
        if held[i]:
            new[i] = now[i]
            continue
        total[:] = 0
        degree = weights.dtype.type(0)
        for e in range(starts[i], starts[i + 1]):
            w, j = weights[e], ends[e]
            degree += w
            for c in range(n_columns):
                total[c] += w * now[j, c]
        share = weights.dtype.type(1) / degree if degree > 0 else degree
        for c in range(n_columns):
            new[i, c] = share * total[c]
