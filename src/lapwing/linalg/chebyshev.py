"""Diffuse many columns over a graph by compiled passes over the edges."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import sparse

from lapwing.types import Array, Nodes

SINGLE = 1e-6
"""Tolerances from here on use single precision, which halves time and memory."""


def diffused(
    adjacency: sparse.csr_array, right: Array, *, alpha: float, tol: float
) -> NDArray[Any]:
    r"""Solve :math:`(I - \alpha D^{-1} A) x = b` for the columns b of `right`.

    Chebyshev's semi-iteration: D^-1 A has the eigenvalues of a symmetric matrix, all in [-1, 1], so
    the number of passes over the edges that brings the error below `tol` (relative to the solution,
    in the norm weighted by degrees) is known in advance: about log(2 / tol) / sqrt(2 (1 - alpha)).
    An isolated node keeps its b. If `tol` is at least 1e-6, the computation and the result are in
    single precision.

    Examples
    --------
    >>> path = sparse.csr_array(np.array([[0.0, 1.0], [1.0, 0.0]]))
    >>> diffused(path, np.array([[3.0], [0.0]]), alpha=0.5, tol=1e-9).ravel()
    array([4., 2.])
    """
    kind = np.float32 if tol >= SINGLE else np.float64
    weights, start = adjacency.data.astype(kind), np.ascontiguousarray(right, dtype=kind)
    n_columns = start.shape[1]
    rate = alpha / (1.0 + np.sqrt(1.0 - alpha * alpha))
    passes = int(np.ceil(np.log(2.0 / tol) / -np.log(rate)))
    old, now = _in_lines(start.shape, kind), _in_lines(start.shape, kind)
    now[:, :n_columns] = start
    weight = 2.0 / (2.0 - alpha * alpha)
    for _ in range(passes):
        _chebyshev_pass(
            adjacency.indptr, adjacency.indices, weights, start, now, old, kind(alpha), kind(weight)
        )
        old, now = now, old
        weight = 1.0 / (1.0 - alpha * alpha * weight / 4.0)
    return now[:, :n_columns]


def clamped_means(
    adjacency: sparse.csr_array, values: Array, fixed: Nodes, *, rounds: int
) -> NDArray[Any]:
    """Replace each row of values by the mean of its neighbours' rows, `rounds` times.

    The `fixed` nodes keep their rows; an isolated node that is not fixed gets 0. Single precision.

    Examples
    --------
    >>> path = sparse.csr_array(np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    >>> clamped_means(path, np.array([[1.0], [0.0], [0.0]]), np.array([0]), rounds=2).ravel()
    array([1. , 0.5, 0.5], dtype=float32)
    """
    weights = adjacency.data.astype(np.float32)
    held = np.zeros(adjacency.shape[0], dtype=np.bool_)
    held[fixed] = True
    n_columns = values.shape[1]
    now, new = (_in_lines(values.shape, np.float32) for _ in range(2))
    now[:, :n_columns] = values
    for _ in range(rounds):
        _mean_pass(adjacency.indptr, adjacency.indices, weights, held, now, new)
        new, now = now, new
    return now[:, :n_columns]


def _in_lines(shape: tuple[int, ...], kind: type[np.floating[Any]]) -> NDArray[Any]:
    """Return zeros with columns padded so that rows are aligned with cache lines.

    Examples
    --------
    >>> _in_lines((5, 10), np.float32).shape, _in_lines((5, 3), np.float64).shape
    ((5, 16), (5, 4))
    """
    line, size = 64, np.dtype(kind).itemsize
    wide = shape[1] * size
    width = line * -(-wide // line) if wide > line else 1 << max(wide - 1, 0).bit_length()
    raw = np.zeros(shape[0] * width + line, dtype=np.uint8)
    start = -raw.ctypes.data % line
    return raw[start : start + shape[0] * width].view(kind).reshape(shape[0], width // size)


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
        for c in range(right.shape[1]):
            old[i, c] += weight * (share * total[c] + right[i, c] - old[i, c])


@njit(cache=True)
def _mean_pass(
    starts: Nodes, ends: Nodes, weights: Array, held: Array, now: Array, new: Array
) -> None:
    """Write D^-1 A now to `new`, except for the rows that are held."""
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
