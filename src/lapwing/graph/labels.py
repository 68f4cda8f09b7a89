"""The known classes of nodes, in one form from file to classifier."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from lapwing.checks import many_labels
from lapwing.deprecation import warn_former
from lapwing.errors import InputError
from lapwing.types import UNKNOWN, Array, Nodes


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """The classes, and the class index of each node or, for multi-label data, a 0/1 matrix.

    The array holds one class index per node, `UNKNOWN` (-1) where none is known. The matrix is
    sparse, with one row per node and one column per class. Both are read-only.

    Examples
    --------
    >>> known = Labels(np.array([0, 1, UNKNOWN]), ("cat", "dog"))
    >>> known
    Labels(2 of 3 nodes, 2 classes)
    >>> known.pairs(), known.class_sizes().tolist()
    ((array([0, 1]), array([0, 1])), [1, 1])
    >>> known.nodes(), known.rows(np.array([1, 2])).tolist()
    (array([0, 1]), [[0.0, 1.0], [0.0, 0.0]])
    """

    labels: Nodes | sparse.csr_array
    classes: tuple[Hashable, ...]

    def __post_init__(self) -> None:
        frozen = _frozen_matrix if sparse.issparse(self.labels) else _frozen_indices
        object.__setattr__(self, "labels", frozen(self.labels, len(self.classes)))
        object.__setattr__(self, "classes", tuple(self.classes))

    @property
    def multilabel(self) -> bool:
        """Whether a node can have several classes, so that `labels` is a matrix."""
        return bool(sparse.issparse(self.labels))

    @property
    def multi(self) -> bool:
        """The former name of `multilabel`."""
        warn_former("Labels.multi", "Labels.multilabel")
        return self.multilabel

    def pairs(self) -> tuple[Nodes, Nodes]:
        """Return the node and the class of each known label, sorted by node."""
        if self.multilabel:
            rows, cols = sparse.csr_array(self.labels).nonzero()
            order = np.lexsort((cols, rows))
            return rows[order].astype(np.intp), cols[order].astype(np.intp)
        known = np.flatnonzero(self.labels != UNKNOWN)
        return known, np.asarray(self.labels, dtype=np.intp)[known]

    def nodes(self) -> Nodes:
        """Return the nodes that have a label, in increasing order."""
        if self.multilabel:
            return np.flatnonzero(np.diff(sparse.csr_array(self.labels).indptr))
        return np.flatnonzero(self.labels != UNKNOWN)

    def matrix(self) -> sparse.csr_array:
        """Return a sparse 0/1 matrix with one row per node and one column per class."""
        if self.multilabel:
            return sparse.csr_array(self.labels)
        nodes, classes = self.pairs()
        shape = (self.labels.shape[0], len(self.classes))
        return sparse.csr_array((np.ones(len(nodes), np.int64), (nodes, classes)), shape=shape)

    def rows(self, nodes: Nodes) -> Array:
        """Return the dense 0/1 rows of some nodes, one column per class."""
        return np.asarray(self.matrix()[nodes].toarray(), dtype=np.float64)

    def class_sizes(self) -> Nodes:
        """Return the number of nodes of each class."""
        return np.bincount(self.pairs()[1], minlength=len(self.classes))

    def restricted(self, nodes: Nodes) -> Labels:
        """Return the labels of some nodes, in the given order; classes keep their indices."""
        return Labels(self.labels[nodes], self.classes)

    def __repr__(self) -> str:
        labelled, n = len(self.nodes()), self.labels.shape[0]
        kind = ", several per node" if self.multilabel else ""
        return f"Labels({labelled} of {n} nodes, {len(self.classes)} classes{kind})"


def _frozen_indices(labels: Any, n_classes: int) -> Nodes:
    array = np.array(many_labels(labels, n_classes, unknown=True))
    array.flags.writeable = False
    return array


def _frozen_matrix(labels: Any, n_classes: int) -> sparse.csr_array:
    matrix = sparse.csr_array(labels, dtype=np.int64, copy=True)
    matrix.eliminate_zeros()
    matrix.sort_indices()
    if matrix.shape[1] != n_classes:
        raise InputError(
            f"labels must have one column per class, {n_classes} in all, got {matrix.shape[1]}"
        )
    if matrix.nnz and (matrix.data != 1).any():
        raise InputError("a matrix of labels must hold only 0 and 1")
    for array in (matrix.data, matrix.indices, matrix.indptr):
        array.flags.writeable = False
    return matrix
