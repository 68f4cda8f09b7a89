"""What is known of the nodes' classes: one shape, from the file to the classifier."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from lapwing.checks import many_labels
from lapwing.errors import InputError
from lapwing.types import UNKNOWN, Nodes


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """The classes, and each node's: an index array, or a 0/1 matrix if a node may have several.

    The array holds one class index per node, `UNKNOWN` (-1) where none is known; the matrix is
    sparse, with one row per node and one column per class. Neither can be written to.

    Examples
    --------
    >>> known = Labels(np.array([0, 1, UNKNOWN]), ("cat", "dog"))
    >>> known
    Labels(2 of 3 nodes, 2 classes)
    >>> known.pairs(), known.class_sizes().tolist()
    ((array([0, 1]), array([0, 1])), [1, 1])
    """

    labels: Nodes | sparse.csr_array
    classes: tuple[Hashable, ...]

    def __post_init__(self) -> None:
        frozen = _frozen_matrix if sparse.issparse(self.labels) else _frozen_indices
        object.__setattr__(self, "labels", frozen(self.labels, len(self.classes)))
        object.__setattr__(self, "classes", tuple(self.classes))

    @property
    def multilabel(self) -> bool:
        """Whether a node may have several classes, so that `labels` is a matrix."""
        return bool(sparse.issparse(self.labels))

    def pairs(self) -> tuple[Nodes, Nodes]:
        """Each label given: its node and its class, by node."""
        if self.multilabel:
            rows, cols = sparse.csr_array(self.labels).nonzero()
            order = np.lexsort((cols, rows))
            return rows[order].astype(np.intp), cols[order].astype(np.intp)
        known = np.flatnonzero(self.labels != UNKNOWN)
        return known, np.asarray(self.labels, dtype=np.intp)[known]

    def class_sizes(self) -> Nodes:
        """How many nodes each class has."""
        return np.bincount(self.pairs()[1], minlength=len(self.classes))

    def restricted(self, nodes: Nodes) -> Labels:
        """The labels of some nodes, in the order given; classes keep their indices."""
        return Labels(self.labels[nodes], self.classes)

    def __repr__(self) -> str:
        labelled, n = len(np.unique(self.pairs()[0])), self.labels.shape[0]
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
        raise InputError(f"{n_classes} classes need {n_classes} columns, got {matrix.shape[1]}")
    if matrix.nnz and (matrix.data != 1).any():
        raise InputError("a matrix of labels must hold only 0 and 1")
    for array in (matrix.data, matrix.indices, matrix.indptr):
        array.flags.writeable = False
    return matrix
