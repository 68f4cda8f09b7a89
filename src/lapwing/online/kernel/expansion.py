"""A function on the nodes as a sum of kernel columns."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from typing import Self

import numpy as np

from lapwing.checks import finite_at_least
from lapwing.errors import InputError
from lapwing.online.kernel.columns import KernelColumns
from lapwing.types import Array, Index, Nodes


class Span(ABC):
    """The hypothesis of a kernel method: g = start + sum of amounts times kernel columns.

    The kernel is the given one plus c on its diagonal, Herbster and Pontil's (2006) K + cI: the one
    part of their kernel that has no thin rows. `g` is kept either as a vector that meets the rows
    (`RowSpan`) or as one number per node (`ColumnSpan`). The kernel is shared by copies, the
    hypothesis is not.
    """

    n_nodes: int

    @abstractmethod
    def values(self, nodes: Index) -> Array:
        """Return g at some nodes."""

    @abstractmethod
    def start_values(self, nodes: Index) -> Array:
        """Return the start function at some nodes."""

    @abstractmethod
    def norms(self, nodes: Index) -> Array:
        """Return K_ii, the squared norm of each node's column."""

    @abstractmethod
    def inner(self, node: int, nodes: Nodes) -> Array:
        """Return K between one node and some others."""

    @abstractmethod
    def between(self, some: Nodes, others: Nodes) -> Array:
        """Return K between some nodes and others."""

    @abstractmethod
    def add(self, node: int, amount: float) -> None:
        """Add an amount times one node's column to g."""

    @abstractmethod
    def assign(self, nodes: Nodes, amounts: Array) -> None:
        """Replace g by the start function plus a sum of columns."""


class RowSpan(Span):
    """On rows X with K = XX' + cI: one vector w, and g = Xw + what c adds at updated nodes.

    Examples
    --------
    >>> g = RowSpan(np.array([[1.0, 0.0], [1.0, 1.0]]), c=0.5)
    >>> g.add(1, 2.0)
    >>> g.values(np.arange(2)), g.norms(np.arange(2))
    (array([2., 5.]), array([1.5, 2.5]))
    """

    def __init__(self, features: Array, *, c: float = 0.0, start: Array | None = None) -> None:
        self.features, self.n_nodes, self.c = features, len(features), c
        self.start = _checked_start(start, features.shape[1], "column of the rows")
        self.w = self.start.copy()
        self.on_diagonal = np.zeros(len(features)) if c else None

    def values(self, nodes: Index) -> Array:
        smooth = self.features[nodes] @ self.w
        return np.asarray(smooth if self.on_diagonal is None else smooth + self.on_diagonal[nodes])

    def start_values(self, nodes: Index) -> Array:
        return np.asarray(self.features[nodes] @ self.start)

    def norms(self, nodes: Index) -> Array:
        return np.asarray(np.square(self.features[nodes]).sum(axis=-1) + self.c)

    def inner(self, node: int, nodes: Nodes) -> Array:
        return np.asarray(self.features[nodes] @ self.features[node] + self.c * (nodes == node))

    def between(self, some: Nodes, others: Nodes) -> Array:
        same = some[:, None] == others
        return np.asarray(self.features[some] @ self.features[others].T + self.c * same)

    def add(self, node: int, amount: float) -> None:
        self.w += amount * self.features[node]
        if self.on_diagonal is not None:
            self.on_diagonal[node] += amount * self.c

    def assign(self, nodes: Nodes, amounts: Array) -> None:
        self.w = self.start + amounts @ self.features[nodes]
        if self.on_diagonal is not None:
            self.on_diagonal[:] = 0.0
            np.add.at(self.on_diagonal, nodes, self.c * amounts)

    def __deepcopy__(self, memo: object) -> Self:
        twin = copy.copy(self)
        twin.w = self.w.copy()
        twin.on_diagonal = None if self.on_diagonal is None else self.on_diagonal.copy()
        return twin


class ColumnSpan(Span):
    """On columns of K, whole or solved on demand: g is stored as one number per node.

    Examples
    --------
    >>> from lapwing.online.kernel.columns import DenseColumns
    >>> g = ColumnSpan(DenseColumns(np.array([[1.0, 1.0], [1.0, 2.0]])), c=0.5)
    >>> g.add(1, 2.0)
    >>> g.values(np.arange(2)), g.norms(np.arange(2))
    (array([2., 5.]), array([1.5, 2.5]))
    """

    def __init__(
        self, columns: KernelColumns, *, c: float = 0.0, start: Array | None = None
    ) -> None:
        self.columns, self.n_nodes, self.c = columns, columns.n_nodes, c
        self.start = _checked_start(start, columns.n_nodes, "node")
        self.g = self.start.copy()

    def values(self, nodes: Index) -> Array:
        return np.asarray(self.g[nodes])

    def start_values(self, nodes: Index) -> Array:
        return np.asarray(self.start[nodes])

    def norms(self, nodes: Index) -> Array:
        return np.asarray(self.columns.diagonal(nodes) + self.c)

    def inner(self, node: int, nodes: Nodes) -> Array:
        return np.asarray(self.columns.column(node)[nodes] + self.c * (nodes == node))

    def between(self, some: Nodes, others: Nodes) -> Array:
        same = some[:, None] == others
        return np.asarray(self.columns.between(some, others) + self.c * same)

    def add(self, node: int, amount: float) -> None:
        self.g += amount * self.columns.column(node)
        self.g[node] += amount * self.c

    def assign(self, nodes: Nodes, amounts: Array) -> None:
        self.g = self.start + self.columns.combined(nodes, amounts)
        np.add.at(self.g, nodes, self.c * amounts)

    def __deepcopy__(self, memo: object) -> Self:
        twin = copy.copy(self)
        twin.g = self.g.copy()
        return twin


def span_of(kernel: Array | KernelColumns, *, c: float = 0.0, start: Array | None = None) -> Span:
    """Return the span for rows (an array) or for columns."""
    finite_at_least("c", c, 0)
    if isinstance(kernel, np.ndarray):
        if kernel.ndim != 2:
            raise InputError(f"rows must be an array, one row per node, got shape {kernel.shape}")
        return RowSpan(kernel, c=c, start=start)
    return ColumnSpan(kernel, c=c, start=start)


def _checked_start(start: Array | None, size: int, what: str) -> Array:
    if start is None:
        return np.zeros(size)
    array = np.array(start, dtype=np.float64)
    if array.shape != (size,) or not np.isfinite(array).all():
        raise InputError(
            f"start must be {size} finite numbers, one per {what}, got shape {array.shape}"
        )
    return array
