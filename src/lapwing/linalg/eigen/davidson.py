"""The smallest eigenpairs of a large sparse matrix, by a preconditioned block Davidson method."""

from __future__ import annotations

import numpy as np
from scipy import linalg, sparse

from lapwing.errors import ConvergenceError
from lapwing.linalg.eigen.lanczos import Progress
from lapwing.linalg.eigen.orthogonal import orthonormal
from lapwing.linalg.solve.conjugate_gradients import Operator
from lapwing.types import Array, Mask, Nodes

MAX_STEPS = 3000


def davidson(
    matrix: sparse.csr_array,
    precondition: Operator,
    without: Array,
    count: int,
    *,
    start: Array,
    tol: float = 2e-7,
    progress: Progress | None = None,
) -> tuple[Array, Array]:
    """Find the `count` smallest eigenpairs orthogonal to the orthonormal columns of `without`.

    Every step takes the lowest Ritz pairs that have not converged, adds their preconditioned
    residuals to an orthonormal basis, and solves the problem projected on it (Davidson 1975; Morgan
    and Scott 1986). A full basis restarts from its lowest Ritz vectors. A pair has converged when
    ``|A v - lambda v|`` is at most `tol` times the largest requested eigenvalue. The basis starts
    with the columns of `start`, and holds ``count + 128`` or more. Each new column costs a product
    with the matrix, a call of `precondition` and ``4 n (columns)`` operations.

    Examples
    --------
    >>> matrix = sparse.csr_array(np.diag(np.arange(100.0)))
    >>> first, start = np.eye(100)[:, :1], np.random.default_rng(0).standard_normal((100, 4))
    >>> values, _ = davidson(matrix, lambda r: r, first, 3, start=start)
    >>> values.round(6)
    array([1., 2., 3.])
    """
    block = min(16, start.shape[1])
    basis = _Basis(matrix, without, max(count, start.shape[1]) + 8 * block)
    basis.add(start)
    found = np.zeros(count, dtype=bool)
    for _ in range(MAX_STEPS):
        values, ritz = basis.ritz_pairs()
        if not basis.has_room(block):
            basis.restart(values, ritz, count + block)
            continue
        limit = tol * values[min(count, len(values)) - 1]
        if found.all():
            vectors, residual = basis.residuals(values, ritz, np.arange(count))
            found = np.linalg.norm(residual, axis=0) <= limit
            if found.all():
                return values[:count], vectors
        wanted = _open(found, len(values), block)
        _, residual = basis.residuals(values, ritz, wanted)
        small = np.linalg.norm(residual, axis=0) <= limit
        if len(values) > count:
            found[wanted[small & (wanted < count)]] = True
        if progress is not None:
            progress(float(found.mean()))
        if not found.all():
            basis.add(precondition(residual if small.all() else residual[:, ~small]))
    raise ConvergenceError(
        f"{count} eigenpairs must converge within {MAX_STEPS} steps, {int(found.sum())} did"
    )


def _open(found: Mask, available: int, block: int) -> Nodes:
    """Return the lowest pairs not yet converged, and a few more to fill the block."""
    inside = np.flatnonzero(~found[:available])
    beyond = np.arange(len(found), available)
    return np.concatenate([inside, beyond])[:block]


class _Basis:
    """An orthonormal basis and the matrix's projection on it."""

    def __init__(self, matrix: sparse.csr_array, without: Array, room: int) -> None:
        self._matrix, self._without = matrix, without
        room = min(room, matrix.shape[0] - without.shape[1])
        self._columns = np.empty((matrix.shape[0], room), order="F")
        self._inner = np.zeros((room, room))
        self._random = np.random.default_rng(1)
        self.width = 0

    def has_room(self, more: int) -> bool:
        """Whether this many more columns would fit."""
        return bool(self.width + more <= self._columns.shape[1])

    def add(self, fresh: Array) -> None:
        """Append the new part of these columns to the basis; noise for columns without one."""
        old = self._columns[:, : self.width]
        for _ in range(3):
            length = np.linalg.norm(fresh, axis=0)
            empty = ~(length > 0)
            fresh = fresh / np.where(empty, 1.0, length)
            fresh[:, empty] = self._random.standard_normal((len(fresh), int(empty.sum())))
            fresh -= self._without @ (self._without.T @ fresh)
            fresh -= old @ (old.T @ fresh)
            fresh, part = orthonormal(fresh)
            if np.abs(np.diagonal(part)).min() > 1e-3:
                break
        stop = self.width + fresh.shape[1]
        self._columns[:, self.width : stop] = fresh
        inner = self._columns[:, :stop].T @ (self._matrix @ fresh)
        self._inner[:stop, self.width : stop] = inner
        self._inner[self.width : stop, :stop] = inner.T
        self.width = stop

    def ritz_pairs(self) -> tuple[Array, Array]:
        """Return all Ritz values in increasing order, and their coordinates in the basis."""
        inner = self._inner[: self.width, : self.width]
        values, ritz = linalg.eigh(inner, check_finite=False)
        return values, ritz

    def vectors(self, ritz: Array) -> Array:
        """Return the Ritz vectors of these coordinates."""
        return np.asarray(self._columns[:, : self.width] @ ritz, dtype=np.float64)

    def residuals(self, values: Array, ritz: Array, pairs: Nodes) -> tuple[Array, Array]:
        """Return these Ritz vectors and their residuals."""
        vectors = self.vectors(ritz[:, pairs])
        return vectors, self._matrix @ vectors - vectors * values[pairs]

    def restart(self, values: Array, ritz: Array, kept: int) -> None:
        """Keep the lowest Ritz vectors only."""
        self._columns[:, :kept] = self.vectors(ritz[:, :kept])
        self._inner[:] = 0.0
        self._inner[:kept, :kept] = np.diag(values[:kept])
        self.width = kept
