"""The smallest non-zero eigenpairs of a connected graph's Laplacian."""

from __future__ import annotations

import numpy as np
from scipy import linalg, sparse

from lapwing.errors import ConvergenceError
from lapwing.linalg.eigen.davidson import davidson
from lapwing.linalg.eigen.lanczos import Progress, largest_eigenpairs
from lapwing.linalg.eigen.orthogonal import orthonormal
from lapwing.linalg.eigen.small_components import check_above_zero
from lapwing.linalg.laplacian import combinatorial_laplacian, degrees, normalized_laplacian
from lapwing.linalg.solve.approximate_elimination import ApproximateElimination
from lapwing.linalg.solve.conjugate_gradients import Operator
from lapwing.linalg.solve.direct import DirectSolver, eigenvalues_below
from lapwing.types import Array

DENSE_BELOW = 2000
"""Up to this many nodes, or for more than a sixth of all eigenpairs, LAPACK is used."""
MAX_CORE = 6000
"""The largest dense core that is factorised; above it, the Davidson method is used."""
MAX_DIRECT = 200_000
"""The largest graph on which a factorisation is tried."""
TOLERANCE = 1e-6
"""The largest residual allowed, relative to the largest requested eigenvalue."""


def smallest_eigenpairs(
    adjacency: sparse.csr_array,
    count: int,
    *,
    normalized: bool = False,
    progress: Progress | None = None,
) -> tuple[Array, Array]:
    """Find the `count` smallest non-zero eigenpairs of a connected component's Laplacian.

    Small graphs are solved by LAPACK. Larger ones are solved by block Lanczos on L+, applied
    through a factorisation (`DirectSolver`); counting the negative pivots of the factor proves that
    no eigenpair was missed. If a factorisation would be too large, a Davidson method preconditioned
    with `ApproximateElimination` is used; a second search from another start, orthogonal to
    everything found, then checks that none was missed. Residuals ``|L v - lambda v|`` are checked.

    Examples
    --------
    >>> path = sparse.csr_array(np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    >>> smallest_eigenpairs(path, 2)[0].round(6)
    array([1., 3.])
    """
    problem = _Eigenproblem(adjacency, normalized, progress)
    count = min(count, problem.n - 1)
    if problem.n <= DENSE_BELOW or 6 * count > problem.n:
        values, vectors = linalg.eigh(
            problem.matrix.toarray(), subset_by_index=(1, count), overwrite_a=True
        )
    else:
        factorisable = problem.n <= MAX_DIRECT
        solver = DirectSolver.of(adjacency, max_core=MAX_CORE) if factorisable else None
        values, vectors = problem.factorised(solver, count) if solver else problem.iterated(count)
    problem.check(values, vectors)
    return values, vectors


class _Eigenproblem:
    """The problem L v = lambda v, or its normalised form, without the null vector."""

    def __init__(
        self, adjacency: sparse.csr_array, normalized: bool, progress: Progress | None
    ) -> None:
        self.n = int(adjacency.shape[0])
        self.matrix = (normalized_laplacian if normalized else combinatorial_laplacian)(adjacency)
        self.mass = degrees(adjacency) if normalized else np.ones(self.n)
        self._adjacency, self._progress = adjacency, progress
        self._root = np.sqrt(self.mass)[:, None]
        self._null = self._root / np.linalg.norm(self._root)

    def inverse(self, solve: Operator) -> Operator:
        """Apply the pseudoinverse by solves with the combinatorial Laplacian."""

        def apply(x: Array) -> Array:
            y = self._root * solve(self._root * self._projected(x))
            return self._projected(y)

        return apply

    def _projected(self, x: Array) -> Array:
        return np.asarray(x - self._null @ (self._null.T @ x), dtype=np.float64)

    def factorised(self, solver: Operator, count: int) -> tuple[Array, Array]:
        """Solve by block Lanczos on the inverse, in larger blocks if multiplicity demands it."""
        operator = self.inverse(solver)
        for block in (8, 32, 128):
            values, vectors = largest_eigenpairs(
                operator, self.n, count, block=block, progress=self._progress
            )
            values, vectors = self._polished(operator(vectors))
            if self._complete(values, vectors, operator):
                return values, vectors
        raise ConvergenceError(f"{count} smallest eigenvalues must all be found, some were missed")

    def _polished(self, vectors: Array) -> tuple[Array, Array]:
        """Return the Ritz pairs of the matrix in the span of these vectors."""
        basis, _ = orthonormal(vectors)
        values, ritz = linalg.eigh(basis.T @ (self.matrix @ basis), check_finite=False)
        return values, basis @ ritz

    def _complete(self, values: Array, vectors: Array, operator: Operator) -> bool:
        """Whether no eigenvalue below the largest was missed, by inertia."""
        for margin in (1e-6, 1e-5, 1e-4):
            shift = float(values[-1]) * (1.0 - margin)
            below = eigenvalues_below(self._adjacency, shift, self.mass, max_core=MAX_CORE)
            if below is not None:
                return below == 1 + int(np.sum(values < shift))
        return self._missed(values, vectors, operator) is None

    def iterated(self, count: int) -> tuple[Array, Array]:
        """Solve by the Davidson method; add smaller pairs that a second search finds."""
        operator = self.inverse(ApproximateElimination(self._adjacency))
        start = operator(np.random.default_rng(0).standard_normal((self.n, 16)))
        for _ in range(8):
            values, vectors = davidson(
                self.matrix, operator, self._null, count, start=start, progress=self._progress
            )
            missed = self._missed(values, vectors, operator)
            if missed is None:
                return values, vectors
            start = np.hstack([vectors, missed])
        raise ConvergenceError(f"{count} smallest eigenvalues must all be found, some were missed")

    def _missed(self, values: Array, vectors: Array, operator: Operator) -> Array | None:
        """Search for vectors orthogonal to those found and below the largest eigenvalue."""
        start = operator(np.random.default_rng(1).standard_normal((self.n, 16)))
        found = np.hstack([self._null, vectors])
        others, missed = davidson(self.matrix, operator, found, 1, start=start, tol=1e-2)
        return missed if others[0] < values[-1] * (1.0 - 1e-4) else None

    def check(self, values: Array, vectors: Array) -> None:
        """Raise unless every pair is an eigenpair and every eigenvalue is above zero."""
        if values.size == 0:
            return
        residual = np.linalg.norm(self.matrix @ vectors - vectors * values, axis=0).max()
        largest = float(values[-1])
        noise = 1e-14 * self.n * float(self.matrix.diagonal().max())
        if not residual <= max(TOLERANCE * largest, noise):
            raise ConvergenceError(
                f"eigenpairs must have residual at most {TOLERANCE * largest:.2g}, "
                f"got {residual:.2g}"
            )
        check_above_zero(float(values[0]), float(self.matrix.diagonal().max()))
