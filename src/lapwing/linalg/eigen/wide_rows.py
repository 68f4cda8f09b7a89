"""Rows to learn from, on graphs whose smoothest eigenvectors may lie on a few nodes each."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

import numpy as np
from scipy import sparse

from lapwing.linalg.eigen.dense_block import DenseBlock
from lapwing.linalg.eigen.filtered import Constants, SmoothBlock, iterated
from lapwing.linalg.eigen.lanczos import Progress
from lapwing.linalg.eigen.smooth_rows import rows_of_core
from lapwing.types import Array

DAMPINGS = (0.0, 2.0, 4.0, 8.0)
"""How many edges a degree counts more, tried one after the other."""
DENSE = 400
"""Up to this many nodes, all eigenvectors are computed."""
NARROW = 16
"""A component of less than this part of what a column describes on average has no rows."""
LEAST_MEDIAN, LEAST_DAMPED = 0.5, 2 / 3
"""If the vectors say less than this about the median node, beside the mean, they are localised;
damping, which blurs what is near, must make them say more."""
FLOOR = 0.3
"""This part of the next vector's eigenvalue is added to all before they are weighed."""
EVEN = 0.5
"""A vector of which more than this part is constant on components says nothing about them."""
MOST_LARGE, MOST_PASSES, SEED = 32, 400, 0


def wide_rows(
    adjacency: sparse.csr_array,
    count: int,
    *,
    tol: float,
    start: Array | None = None,
    progress: Progress | None = None,
) -> Array:
    r"""Return `count` columns: smooth vectors that are spread over the graph at large, weighed.

    On a large sparse graph chains and small pieces that few edges hold are so many that the
    smoothest eigenvectors of the normalised Laplacian lie on one of them each, over a dozen nodes,
    and say nothing about the rest: the median of the rows' squared lengths (of eigenvectors of the
    random walk, whose mean by degrees is `count`) is then far below `count`. Below a half, every
    degree is taken for larger by 2 edges, then 4 and 8: the largest eigenvalues of the walk
    (D + tau)^-1 A belong to wide vectors then, since a chain loses more than a community does.
    Small hanging trees are taken off first, as for `smooth_rows`, and components of fewer than
    n / (16 count) nodes, too small to hold a wide vector, have rows of zeros. If the median does
    not reach two thirds, the graph consists of many small communities, which are what there is to
    learn: the vectors are then those of the graph as it is, with its trees and all its components.

    A column is weighed by :math:`(\lambda + \delta)^{-1/2}`, nearly as in the pseudoinverse, less
    the same of the next vector, which is not wanted: vectors at the edge of the bulk of the
    spectrum, which are noise, count little, and those that change places there make no difference.
    :math:`\delta` is 0.3 times the eigenvalue of that next vector, lest a part of the graph that
    hardly hangs together with the rest outweighs all else. `tol` holds for residuals times these
    weights, whose largest is 1. Up to 400 nodes, all is exact.

    References
    ----------
    Qin, Rohe. *Regularized spectral clustering under the degree-corrected stochastic blockmodel.*
    2013. Dall'Amico, Couillet, Tremblay. *A unified framework for spectral clustering in sparse
    graphs.* 2021: tau of one over the squared value of the signal, less one.

    Examples
    --------
    >>> ring = sparse.csr_array(np.roll(np.eye(40), 1, axis=0) + np.roll(np.eye(40), -1, axis=0))
    >>> wide_rows(ring, 2, tol=1e-4).shape
    (40, 2)
    """
    told = _Rising(progress)
    find = partial(_wide, count=count, tol=tol, progress=told)
    with suppress(_LocalisedError):  # the columns that were tried are gone before others are made
        return rows_of_core(adjacency, count, find, start)
    plain = _Search(adjacency, count, tol, start, told, picky=False)
    plain.run(0.0, known=start is not None)
    return plain.rows()


class _LocalisedError(Exception):
    """No damping makes the vectors of a graph wide."""


def _wide(
    adjacency: sparse.csr_array,
    *,
    count: int,
    tol: float,
    start: Array | None,
    progress: Progress,
) -> Array:
    """Return the columns of a graph without hanging trees, if they are wide."""
    if adjacency.nnz == 0:
        return np.zeros((adjacency.shape[0], 0), dtype=np.float32)
    search = _Search(adjacency, count, tol, start, progress)
    for damping in search.dampings() if start is not None else DAMPINGS:
        search.run(damping, known=start is not None)
        if not search.is_localised():
            return search.rows()
    raise _LocalisedError


class _Rising:
    """Passes on how much is done, which never goes back."""

    def __init__(self, progress: Progress | None) -> None:
        self._done, self._progress = 0.0, progress

    def __call__(self, fraction: float) -> None:
        if self._progress is not None and fraction > self._done:
            self._done = fraction
            self._progress(fraction)


class _Search:
    """A block of columns under one damping after the other.

    A walk with damping has one more vector for every large component: nearly constant, of no use.
    """

    def __init__(
        self,
        adjacency: sparse.csr_array,
        count: int,
        tol: float,
        start: Array | None,
        progress: Progress,
        *,
        picky: bool = True,
    ) -> None:
        n, pieces = int(adjacency.shape[0]), Constants(adjacency)
        self.count, self.tol = min(count, n - 1), tol
        limit = n / (NARROW * max(self.count, 1))
        self._large = pieces.sizes[pieces.labels] >= limit
        large = int((pieces.sizes >= limit).sum())
        self._needed = min(self.count + min(large, MOST_LARGE), n - 1)
        self.block: SmoothBlock | DenseBlock = (
            DenseBlock(adjacency, pieces)
            if n <= DENSE
            else SmoothBlock(adjacency, self._needed, SEED, start, pieces)
        )
        self._progress = progress
        self._picky = picky and bool(self._large.any())

    def dampings(self) -> tuple[float, ...]:
        """The damping under which columns that are given are closest to eigenvectors, and more."""
        residuals = []
        for damping in DAMPINGS:
            self.block.damp(damping)
            residuals.append(float(np.median(self.block.rayleigh_ritz()[: self.count])))
        best = int(np.argmin(residuals))
        self.block.damp(DAMPINGS[best])
        return DAMPINGS[best:]

    def run(self, damping: float, *, known: bool) -> None:
        """Find the vectors under a damping, unless they turn out to be localised."""
        block = self.block
        if damping != block.damping:
            block.damp(damping)
            block.renew(SEED)
            known = False
        iterated(
            block, self._wanted, tol=self.tol, most_passes=block.passes + MOST_PASSES,
            known=known, progress=self._progress,
            given_up=self.is_localised, weights=self._weights,
        )  # fmt: skip

    @property
    def _wanted(self) -> int:
        return self._needed if self.block.damping else self.count

    def is_localised(self) -> bool:
        """Whether the vectors say little about the median node of components that can hold them."""
        useful = np.arange(self.block.wide) < self._wanted
        if self.block.damping:
            useful &= self.block.evenness(self.block.wide) < EVEN
        if not self._picky or not useful.any():
            return False
        squares = self.block.row_squares(useful)[self._large]
        least = LEAST_DAMPED if self.block.damping else LEAST_MEDIAN
        return bool(np.median(squares) < least * useful.sum())

    def _weights(self) -> Array:
        """How much each vector counts: 1 for the first, next to nothing for the last."""
        block, values = self.block, self.block.values
        useful = values < 1.0 - 1e-7
        if block.damping:
            useful &= block.evenness(block.wide) < EVEN
        kept = np.flatnonzero(useful)
        chosen = kept[kept < self._wanted][: self.count]
        after = kept[len(chosen) : len(chosen) + 1]
        weights = np.zeros(min(self._wanted, block.wide))
        weights[chosen] = _heights(values[chosen], values[after])
        return weights

    def rows(self) -> Array:
        """Return the vectors that are asked for, weighed; the last call."""
        weights = self._weights()
        found = self.block.vectors(self._wanted)
        if not weights.all():
            found, weights = found[:, weights > 0], weights[weights > 0]
        found *= weights.astype(found.dtype)
        if self._picky:
            found[~self._large] = 0.0
        return np.asarray(found)


def _heights(values: Array, after: Array) -> Array:
    """Return how far each root of 1 / (lambda + delta) lies above the next one's; at most 1."""
    floor = FLOOR * (1.0 - float(after[0])) if len(after) else 0.0
    roots = 1.0 / np.sqrt(np.maximum(1.0 - values, 1e-7) + floor)
    heights = roots - 1.0 / np.sqrt(1.0 - after[0] + floor) if len(after) else roots
    highest = float(heights.max(initial=0.0))
    return np.asarray(np.maximum(heights, 0.0) / highest if highest > 1e-5 else np.ones(len(roots)))
