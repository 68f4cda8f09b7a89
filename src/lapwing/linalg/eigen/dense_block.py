"""All eigenvectors of a small graph's walk, where a filter would find some."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lapwing.linalg.eigen.filtered import Constants
from lapwing.linalg.eigen.spectrum import with_fixed_signs
from lapwing.linalg.laplacian import degrees
from lapwing.linalg.stored_weights import stored_weights
from lapwing.types import Array, Mask


class DenseBlock:
    """The eigenvectors of the walk (D + tau)^-1 A, exact, in double precision.

    It reads like a block of filtered columns (`SmoothBlock`) that has converged. Without damping,
    the constant vectors of components are left out, and nodes without edges are always zero.

    Examples
    --------
    >>> ring = sparse.csr_array(np.roll(np.eye(6), 1, axis=0) + np.roll(np.eye(6), -1, axis=0))
    >>> DenseBlock(ring, Constants(ring)).values.round(2)
    array([ 0.5,  0.5, -0.5, -0.5, -1. ])
    """

    def __init__(self, adjacency: sparse.csr_array, constants: Constants) -> None:
        self._weights = _dense(adjacency)
        self._degrees, self._constants = degrees(adjacency), constants
        self._unit = float(self._degrees.sum()) / max(adjacency.nnz, 1)
        self.passes = 0
        self.damp(0.0)

    def damp(self, damping: float) -> None:
        """Walk by degrees that are larger by so many edges of mean weight; 0 is the walk itself."""
        present = self._degrees > 0
        mass = np.where(present, self._degrees + damping * self._unit, 1.0)
        roots = np.sqrt(mass)
        matrix = self._weights / np.outer(roots, roots)
        self.mass, self.damping = np.where(present, mass, 0.0) / mass[present].sum(), damping
        nodes, kept = np.flatnonzero(present), int(present.sum())
        if damping == 0:  # the constant vectors come last, below all others
            inside = self._constants.labels[nodes]
            constant = np.sqrt(self.mass[nodes])[:, None] * (inside[:, None] == np.unique(inside))
            constant /= np.linalg.norm(constant, axis=0)
            matrix[np.ix_(nodes, nodes)] -= 3.0 * constant @ constant.T
            kept -= constant.shape[1]
        values, vectors = np.linalg.eigh(matrix[np.ix_(nodes, nodes)])
        self.values, self.wide = values[::-1][:kept], kept
        self._vectors = np.zeros((len(present), kept))
        self._vectors[nodes] = with_fixed_signs(vectors[:, ::-1][:, :kept])

    def renew(self, seed: int) -> None:
        """Nothing is random here."""

    def sweep(self, cut: float, top: float) -> None:
        """Nothing is left to magnify."""

    def rayleigh_ritz(self) -> Array:
        """The columns are exact."""
        return np.zeros(self.wide)

    @property
    def columns(self) -> Array:
        """The eigenvectors of the walk itself; their squares have the mean 1 by degrees."""
        return self._vectors / np.sqrt(np.where(self.mass > 0, self.mass, 1.0))[:, None]

    def row_squares(self, which: Mask) -> Array:
        """Return the squared length of each row of some columns; its mean by degrees is 1 each."""
        return np.asarray(np.square(self.columns[:, which]).sum(axis=1))

    def evenness(self, count: int) -> Array:
        """How much of each of the first vectors is constant on components: from 0 to 1."""
        return self._constants.shares_in(self.columns[:, :count], self.mass)

    def vectors(self, count: int) -> NDArray[np.float64]:
        """Return the first unit eigenvectors."""
        return np.array(self._vectors[:, :count])


def _dense(adjacency: sparse.csr_array) -> Array:
    """The weights of a graph as a dense matrix, whether or not equal ones are stored once."""
    n, held = adjacency.shape[0], stored_weights(adjacency)
    found = np.zeros((n, n))
    rows = np.repeat(np.arange(n), np.diff(adjacency.indptr))
    found[rows, adjacency.indices] = held if len(held) > 1 else held[0] if len(held) else 0.0
    return found
