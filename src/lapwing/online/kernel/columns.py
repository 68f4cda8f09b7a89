"""Kernels that are read one column at a time."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from lapwing.errors import InputError
from lapwing.types import Array, Index, Nodes


class KernelColumns(Protocol):
    """A symmetric positive semidefinite matrix K between nodes, available by columns."""

    @property
    def n_nodes(self) -> int:
        """The number of nodes, that is, of rows and columns."""

    def column(self, node: int) -> Array:
        """Return K_{., node}, one number per node; read-only."""

    def combined(self, nodes: Nodes, amounts: Array) -> Array:
        """The sum of some columns, each times its amount."""

    def between(self, some: Nodes, others: Nodes) -> Array:
        """The block of K of some rows and columns."""

    def diagonal(self, nodes: Index) -> Array:
        """Return K_ii for some nodes; an estimate where exact values are too expensive."""


class DenseColumns:
    """A kernel stored as a whole matrix.

    Examples
    --------
    >>> K = DenseColumns(np.array([[2.0, 1.0], [1.0, 3.0]]))
    >>> K.column(1), K.diagonal(np.array([0, 1])), K.combined(np.array([0, 1]), np.array([1, -1]))
    (array([1., 3.]), array([2., 3.]), array([ 1., -2.]))
    """

    def __init__(self, matrix: Array) -> None:
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            raise InputError(f"a kernel must be a square matrix, got shape {matrix.shape}")
        self.matrix = np.ascontiguousarray(matrix, dtype=np.float64)

    @property
    def n_nodes(self) -> int:
        """The number of nodes."""
        return len(self.matrix)

    def column(self, node: int) -> Array:
        """Return one row of the symmetric matrix."""
        return np.asarray(self.matrix[node])

    def combined(self, nodes: Nodes, amounts: Array) -> Array:
        """The sum of some columns, each times its amount."""
        spread = np.zeros(self.n_nodes)
        np.add.at(spread, nodes, amounts)
        return np.asarray(self.matrix @ spread)

    def between(self, some: Nodes, others: Nodes) -> Array:
        """The block of K of some rows and columns."""
        return np.asarray(self.matrix[np.ix_(some, others)])

    def diagonal(self, nodes: Index) -> Array:
        """K_ii for some nodes."""
        return np.asarray(self.matrix[nodes, nodes])
