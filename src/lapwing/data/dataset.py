"""A graph, what is known about its nodes, and where both come from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.types import UNKNOWN, Nodes


@dataclass(frozen=True, eq=False)
class Dataset:
    """A graph with one class a node, or several.

    `labels` is an array of class indices (`UNKNOWN`, -1, where none is known) or, where a node
    may have several classes, a 0/1 CSR matrix with one row a node. `points` and `images`, if
    any, hold one row a node: what the graph was made from. `notes` says what was done to the
    raw files beyond what `graph.notes` says. Nothing in it can be written to.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (3, 4)])
    >>> pair = Dataset("pair", graph, np.array([0, 0, 1, 1, -1]), ("left", "right"))
    >>> pair
    Dataset(pair: 5 nodes, 3 edges, 2 classes)
    >>> pair.largest_component().labels
    array([0, 0, 1])
    """

    name: str
    graph: Graph
    labels: Nodes | sparse.csr_array
    classes: tuple[str, ...]
    description: str = ""
    source: str = ""
    notes: str = ""
    points: NDArray[Any] | None = None
    images: NDArray[Any] | None = None

    def __post_init__(self) -> None:
        frozen = _frozen_matrix if sparse.issparse(self.labels) else _frozen_indices
        object.__setattr__(self, "labels", frozen(self.labels, len(self.classes)))
        for field in ("labels", "points", "images"):
            rows = getattr(self, field)
            if rows is None:
                continue
            if rows.shape[0] != self.graph.n_nodes:
                raise InputError(
                    f"{self.name}: {field} must have one row for each of "
                    f"{self.graph.n_nodes} nodes, got {rows.shape[0]}"
                )
            if not sparse.issparse(rows):
                view = rows.view()
                view.flags.writeable = False
                object.__setattr__(self, field, view)

    @property
    def n_classes(self) -> int:
        """How many classes there are."""
        return len(self.classes)

    @property
    def multilabel(self) -> bool:
        """Whether a node may have several classes, so that `labels` is a matrix."""
        return bool(sparse.issparse(self.labels))

    def class_sizes(self) -> Nodes:
        """How many nodes each class has."""
        if self.multilabel:
            return np.asarray(self.labels.sum(axis=0), dtype=np.intp).ravel()
        return np.bincount(self.labels[self.labels != UNKNOWN], minlength=self.n_classes)

    def restricted(self, nodes: Nodes) -> Dataset:
        """The data set on some nodes, in the order given; classes keep their indices."""
        kept = self.graph.checked(nodes)
        return replace(
            self,
            graph=self.graph.subgraph(kept),
            labels=self.labels[kept],
            points=None if self.points is None else self.points[kept],
            images=None if self.images is None else self.images[kept],
        )

    def largest_component(self) -> Dataset:
        """The data set on the graph's largest component."""
        if self.graph.n_components <= 1:
            return self
        return self.restricted(self.graph.largest_component_nodes())

    def __repr__(self) -> str:
        counts = f"{self.graph.n_nodes:,} nodes, {self.graph.n_edges:,} edges"
        kind = "classes, multi-label" if self.multilabel else "classes"
        return f"Dataset({self.name}: {counts}, {self.n_classes} {kind})"


def _frozen_indices(labels: Any, n_classes: int) -> Nodes:
    array = np.array(labels, dtype=np.intp)
    if array.ndim != 1:
        raise InputError(f"labels must be one class index a node, got shape {array.shape}")
    wrong = (array < UNKNOWN) | (array >= n_classes)
    if wrong.any():
        raise InputError(
            f"labels must lie in -1..{n_classes - 1}, node {np.argmax(wrong)} "
            f"has {array[np.argmax(wrong)]}"
        )
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
