"""The largest eigenpairs of a symmetric operator, by block Lanczos with thick restarts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import linalg

from lapwing.errors import ConvergenceError
from lapwing.linalg.eigen.orthogonal import orthonormal
from lapwing.linalg.solve.conjugate_gradients import Operator
from lapwing.types import Array

Progress = Callable[[float], None]


def largest_eigenpairs(
    operator: Operator,
    n: int,
    count: int,
    *,
    block: int = 8,
    tol: float = 1e-9,
    max_columns: int = 10_000,
    progress: Progress | None = None,
) -> tuple[Array, Array]:
    """Find the `count` largest eigenvalues, in decreasing order, and their unit eigenvectors.

    Block Lanczos with full reorthogonalisation: blocks of `block` vectors, so that eigenvalues of
    that multiplicity are found, all products in BLAS 3. A full basis restarts from its best Ritz
    vectors (Wu and Simon 2000). The start is a fixed pseudo-random block, so the same operator
    gives the same vectors. A pair has converged when its residual is at most `tol` of its
    eigenvalue. Each column costs one application and ``4 n (columns)`` operations; the basis has up
    to ``2 count + 200 + 8 block`` columns. Raises ConvergenceError after `max_columns`.

    Examples
    --------
    >>> diagonal = np.arange(1.0, 101.0)
    >>> values, vectors = largest_eigenpairs(lambda x: diagonal[:, None] * x, 100, 3, block=2)
    >>> values.round(6)
    array([100.,  99.,  98.])
    """
    basis = _Basis(operator, n, count, min(block, n))
    used, converged = 0, 0
    while used < max_columns:
        used += basis.grow()
        if not basis.due():
            continue
        values, ritz, error = basis.ritz_pairs()
        converged = int(np.sum(error[:count] <= tol * np.abs(values[:count])))
        if progress is not None:
            progress(converged / count)
        if converged == count or basis.width == n:
            return values[:count], basis.vectors(ritz[:, :count])
        if basis.full():
            basis.restart(values, ritz)
    raise ConvergenceError(
        f"{count} eigenpairs must converge within {max_columns} products, {converged} did"
    )


class _Basis:
    """An orthonormal basis, the operator's projection on it, and the block that comes next."""

    def __init__(self, operator: Operator, n: int, count: int, block: int) -> None:
        self._operator, self._count, self._block = operator, count, block
        self._room = min(n, 2 * count + 200 + 8 * block)
        self._columns = np.empty((n, self._room), order="F")
        self._projected = np.zeros((self._room, self._room))
        start = operator(np.random.default_rng(0).standard_normal((n, block)))
        self._random = np.random.default_rng(1)
        self._following, self._coupling = orthonormal(start)
        self.width = self._old = self._checked = 0

    def grow(self) -> int:
        """Append the next block, apply the operator to it and return its number of columns."""
        old = self._old = self.width
        self.width = width = old + min(self._block, self._room - old)
        basis = self._columns
        basis[:, old:width] = self._following[:, : width - old]
        fresh = self._operator(basis[:, old:width])
        recent = basis[:, max(0, old - self._block) : width]
        near = recent.T @ fresh
        fresh -= recent @ near
        inner = basis[:, :width].T @ fresh
        fresh -= basis[:, :width] @ inner
        inner[width - recent.shape[1] :] += near
        self._projected[:width, old:width] = inner
        self._projected[old:width, :width] = inner.T
        self._following, self._coupling = orthonormal(fresh)
        self._renew(np.abs(np.diagonal(self._coupling)) / np.abs(self._projected).max())
        return width - old

    def _renew(self, strength: Array) -> None:
        """Make the next block orthogonal again; replace columns that vanish by random ones.

        Columns vanish when the Krylov space is complete: an eigenvalue of high multiplicity.
        """
        if strength.min() > 1e-4 or self.full():
            return
        fresh, basis, spent = self._following, self._columns[:, : self.width], strength < 1e-12
        fresh[:, spent] = self._random.standard_normal((len(fresh), int(spent.sum())))
        for _ in range(2):
            fresh -= basis @ (basis.T @ fresh)
            fresh, _ = orthonormal(fresh)
        self._following, self._coupling[spent] = fresh, 0.0

    def due(self) -> bool:
        """Whether the basis has grown enough since its Ritz pairs were last computed."""
        enough = max(2 * self._count, int(1.15 * self._checked))
        return self.width >= enough or self.full()

    def full(self) -> bool:
        """Whether no further block fits."""
        return self.width + self._block > self._room

    def ritz_pairs(self) -> tuple[Array, Array, Array]:
        """Return all Ritz values in decreasing order, their coordinates and their residuals."""
        self._checked = self.width
        inside = self._projected[: self.width, : self.width]
        values, ritz = linalg.eigh(inside, check_finite=False)
        values, ritz = values[::-1], ritz[:, ::-1]
        last = ritz[self._old : self.width]
        return values, ritz, np.linalg.norm(self._coupling @ last, axis=0)

    def vectors(self, ritz: Array) -> Array:
        """Return the Ritz vectors of these coordinates."""
        return np.asarray(self._columns[:, : self.width] @ ritz, dtype=np.float64)

    def restart(self, values: Array, ritz: Array) -> None:
        """Keep the best Ritz vectors only."""
        kept = min(2 * self._count, self.width - 2 * self._block)
        self._columns[:, :kept] = self.vectors(ritz[:, :kept])
        self._projected[:] = 0.0
        self._projected[:kept, :kept] = np.diag(values[:kept])
        self.width, self._checked = kept, 0
