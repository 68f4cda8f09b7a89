"""The smoothest eigenvectors of a large graph, by a polynomial filter in single precision."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import sparse

from lapwing.linalg.chebyshev import Factors
from lapwing.linalg.eigen.lanczos import Progress
from lapwing.linalg.eigen.ritz import (
    chunks,
    random_rows,
    ritz_values,
    rotated,
    weighted_products,
    weighted_squares,
)
from lapwing.linalg.laplacian import degrees
from lapwing.linalg.passes import PaddedColumns, Passes, in_lines
from lapwing.linalg.push.changing_matrix import labelled_components
from lapwing.types import Array

GROWTH = 1e3
"""The most by which one sweep may magnify a column: more, and single precision loses the rest."""
KNOWN = 0.01
"""Until the first residual is this small, the largest value is not known: any up to 1 may come."""


class SmoothPairs(NamedTuple):
    """Eigenpairs of the normalised Laplacian and how exact they are."""

    values: Array
    vectors: NDArray[np.float32]
    residuals: Array
    passes: int

    @property
    def supports(self) -> Array:
        """How many nodes each vector is spread over: 1 / sum of v^4 for a unit vector v."""
        squares = np.square(self.vectors, dtype=np.float64)
        return np.asarray(1.0 / np.square(squares).sum(axis=0), dtype=np.float64)


def smooth_eigenpairs(
    adjacency: sparse.csr_array,
    count: int,
    *,
    tol: float = 1e-2,
    most_passes: int = 400,
    seed: int = 0,
    start: Array | None = None,
    progress: Progress | None = None,
) -> SmoothPairs:
    """Find the `count` smallest non-zero eigenpairs of a graph's normalised Laplacian.

    A block of columns is filtered by Chebyshev polynomials of the random walk D^-1 A, which magnify
    what lies above a cut and damp the rest; the Rayleigh-Ritz pairs of the block give the next cut.
    It stops when every wanted residual ``|L v - lambda v|`` is at most `tol`, or after
    `most_passes` passes over the edges: on a graph without a gap in its spectrum the last vectors
    are then any smooth ones. The residuals say what was reached. One constant vector per component
    is left out. Single precision; memory for two blocks of count + 25% columns.

    `start` holds vectors that are close already, those of a graph before it changed, say: fewer
    passes do then, and none but one to see it if they are within `tol`.

    Examples
    --------
    >>> ring = sparse.csr_array(np.roll(np.eye(40), 1, axis=0) + np.roll(np.eye(40), -1, axis=0))
    >>> smooth_eigenpairs(ring, 4, tol=1e-5).values.round(4)
    array([0.0123, 0.0123, 0.0489, 0.0489])
    """
    block = SmoothBlock(adjacency, count, seed, start)
    residuals = iterated(
        block, count, tol=tol, most_passes=most_passes, known=start is not None, progress=progress
    )
    found = block.vectors(count)
    return SmoothPairs(1.0 - block.values[:count], found, residuals[:count], block.passes)


class FilteredBlock(Protocol):
    """Columns that are filtered by the random walk, wherever they are held."""

    values: Array
    passes: int

    def sweep(self, cut: float, top: float) -> None:
        """Filter the columns: magnify what lies above the cut."""

    def rayleigh_ritz(self) -> Array:
        """Replace the columns by their Ritz vectors, smoothest first; return the residuals."""


def iterated(
    block: FilteredBlock,
    count: int,
    *,
    tol: float,
    most_passes: int = 400,
    known: bool = False,
    progress: Progress | None = None,
    given_up: Callable[[], bool] | None = None,
    weights: Callable[[], Array] | None = None,
) -> Array:
    """Filter a block until its first `count` pairs are within `tol`; return all residuals.

    `known` says that the columns are close already. After every sweep, `given_up` is asked whether
    to go on, and `weights` how much each residual counts.
    """
    if not known:
        block.sweep(0.0, 1.0)
    while True:
        residuals = block.rayleigh_ritz()
        counted = residuals[:count] * (1.0 if weights is None else weights())
        worst = float(counted.max(initial=0.0))
        if progress is not None:
            progress(min(max(block.passes / most_passes, tol / max(worst, tol)), 1.0))
        done = worst <= tol or block.passes >= most_passes
        if done or (given_up is not None and given_up()):
            return residuals
        cut = min(max(float(block.values[-1]), -0.5), 1.0 - 1e-7)
        block.sweep(cut, float(block.values[0]) if residuals[0] <= KNOWN else 1.0)


class SmoothBlock:
    """PaddedColumns Z orthonormal by degrees, and the values of Z'DPZ."""

    def __init__(
        self,
        adjacency: sparse.csr_array,
        count: int,
        seed: int,
        near: Array | None,
        constants: Constants | None = None,
    ) -> None:
        self._adjacency, self._degrees = adjacency, degrees(adjacency)
        n, self.wide = adjacency.shape[0], columns_for(count, adjacency.shape[0])
        self.passes, self.values = 0, np.empty(0)
        self._all, self._spare = (in_lines((n, self.wide), np.float32) for _ in range(2))
        self.damp(0.0)
        self._constants = Constants(adjacency) if constants is None else constants
        known = None if near is None else near[:, near.any(axis=0)][:, : self.wide]
        self.renew(seed, known)

    def damp(self, damping: float) -> None:
        """Walk by degrees that are larger by so many edges of mean weight; 0 is the walk itself."""
        present = self._degrees > 0
        unit = float(self._degrees.sum()) / max(self._adjacency.nnz, 1)
        mass = np.where(present, self._degrees + damping * unit, 0.0)
        self.mass, self.damping = mass / mass.sum(), damping
        self._passes = Passes(self._adjacency, np.float32, damping=damping)

    def renew(self, seed: int, known: Array | None = None) -> None:
        """Begin again with random columns, or some that are known."""
        n, mass = len(self.mass), self.mass
        for rows in chunks(n):
            start = random_rows(seed, rows.start, min(rows.stop, n), self.wide)
            if known is not None:
                start[:, : known.shape[1]] = known[rows]
            roots = np.sqrt(np.where(mass[rows] > 0, n * mass[rows], 1.0), dtype=np.float32)
            self.columns[rows] = start / roots[:, None]

    def row_squares(self, which: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Return the squared length of each row of some columns; its mean by degrees is 1 each."""
        blocks = [
            np.square(self.columns[rows, which]).sum(axis=1) for rows in chunks(len(self.mass))
        ]
        return np.asarray(np.concatenate(blocks), dtype=np.float32)

    def evenness(self, count: int) -> Array:
        """How much of each of the first vectors is constant on components: from 0 to 1."""
        return self._constants.shares_in(self.columns[:, :count], self.mass)

    @property
    def columns(self) -> PaddedColumns:
        """The columns without padding."""
        return self._all[:, : self.wide]

    def vectors(self, count: int) -> NDArray[np.float32]:
        """Return the first columns as unit vectors of the normalised Laplacian; the last call."""
        self._spare = self._all
        first = self.columns[:, :count]
        lengths = np.sqrt(weighted_squares(first, self.mass)).astype(np.float32)
        found = first * np.sqrt(self.mass, dtype=np.float32)[:, None]
        found /= np.where(lengths > 0, lengths, 1.0)
        return np.asarray(found, dtype=np.float32)

    def sweep(self, cut: float, top: float) -> None:
        """Filter the columns: magnify what lies above the cut, at most by `GROWTH` at the top."""
        for factors in filter_factors(cut, top):
            self._passes.step(self._all, self._spare, **factors._asdict())
            self._all, self._spare = self._spare, self._all
            self.passes += 1

    def rayleigh_ritz(self) -> Array:
        """Replace the columns by their Ritz vectors, smoothest first; return the residuals."""
        if self.damping == 0:  # otherwise they are no eigenvectors
            self._constants.take_out(self._all, self.mass)
        self._scale()
        self._passes.step(self._all, self._spare, a=1.0)
        self.passes += 1
        walked = self._spare[:, : self.wide]
        gram, inner = self._products(self.columns), self._products(walked)
        self.values, mixing = ritz_values(gram, inner)
        return np.sqrt(rotated(self.columns, walked, self.mass, mixing, self.values))

    def _scale(self) -> None:
        """Give every column the length 1."""
        squares = weighted_squares(self.columns, self.mass)
        self.columns[...] /= np.sqrt(np.where(squares > 0, squares, 1.0)).astype(np.float32)

    def _products(self, other: PaddedColumns) -> Array:
        """Return Z'D times these columns."""
        return weighted_products(self.columns, other, self.mass)


class Constants:
    """The trivial eigenvectors: constant on one component, zero elsewhere."""

    def __init__(self, adjacency: sparse.csr_array) -> None:
        starts = adjacency.indptr
        count, labels = labelled_components(starts[:-1], starts[1:], adjacency.indices)
        self.labels = labels.astype(adjacency.indices.dtype)
        self.sizes = np.bincount(self.labels, minlength=count)

    def shares_in(self, columns: PaddedColumns, mass: Array) -> Array:
        """Return the part of each column's squared length that is constant on components."""
        means, weights = self._means(columns, mass)
        return np.asarray((means**2 * weights).sum(axis=0))

    def take_out(self, columns: PaddedColumns, mass: Array) -> None:
        """Subtract each component's mean, weighted by degrees, in place."""
        means, _ = self._means(columns, mass)
        _subtract_rows(columns, self.labels, means.astype(np.float32))

    def _means(self, columns: PaddedColumns, mass: Array) -> tuple[Array, Array]:
        """Return the mean of each component, weighted by degrees, and its weight."""
        sums = np.zeros((len(self.sizes), columns.shape[1]))
        _add_rows(columns, self.labels, mass, sums)
        counts = np.bincount(self.labels, weights=mass, minlength=len(sums))
        weights = np.asarray(counts[:, None], dtype=np.float64)
        return np.divide(sums, weights, out=np.zeros_like(sums), where=weights > 0), weights


@njit(cache=True, nogil=True)
def _add_rows(columns: Any, places: Any, factors: Any, sums: Any) -> None:
    """Add rows, times their factors, to the sums at their places, in double precision."""
    for i in range(len(places)):
        for k in range(columns.shape[1]):
            sums[places[i], k] += factors[i] * columns[i, k]


@njit(cache=True, nogil=True)
def _subtract_rows(columns: Any, places: Any, means: Any) -> None:
    """Subtract from every row the one at its place."""
    for i in range(len(places)):
        for k in range(columns.shape[1]):
            columns[i, k] -= means[places[i], k]


def columns_for(count: int, n: int) -> int:
    """Return how many columns are filtered to find so many pairs.

    Examples
    --------
    >>> columns_for(100, 10**6), columns_for(4, 6)
    (125, 5)
    """
    return min(count + max(8, count // 4), n - 1)


def filter_factors(cut: float, top: float) -> Iterator[Factors]:
    """Yield the passes of one sweep, which magnifies at most by `GROWTH` at the top."""
    half, middle = (1.0 + cut) / 2.0, (cut - 1.0) / 2.0
    reach = max((top - middle) / half, 1.0 + 1e-9)
    degree = int(np.clip(np.arccosh(GROWTH) / np.arccosh(reach), 2, 100))
    yield Factors(1.0 / half, -middle / half)
    for _ in range(degree - 1):
        yield Factors(2.0 / half, -2.0 * middle / half, -1.0)
