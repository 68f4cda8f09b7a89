"""The labels that a batch method learns from, checked once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.types import UNKNOWN, Array, Mask, Nodes


@dataclass(frozen=True, slots=True)
class KnownLabels:
    """The labelled nodes and their 0/1 `indicator` with one row per node, one column per class."""

    nodes: Nodes
    indicator: Array
    n_nodes: int

    @property
    def n_classes(self) -> int:
        """The number of classes, seen or not."""
        return int(self.indicator.shape[1])

    @property
    def signs(self) -> Array:
        """Return the indicator as one-vs-rest targets -1 and +1."""
        return 2.0 * self.indicator - 1.0

    @property
    def counts(self) -> Nodes:
        """Return the number of classes of each labelled node."""
        return np.asarray(self.indicator.sum(axis=1), dtype=np.intp)

    @property
    def seen(self) -> Mask:
        """Return the classes that have a labelled node."""
        return np.asarray(self.indicator.any(axis=0))

    def of_seen_classes(self) -> KnownLabels:
        """Return the same labels without the classes that have no node."""
        return KnownLabels(self.nodes, self.indicator[:, self.seen], self.n_nodes)

    def scaled(self, factor: float = 1.0, *, per_class: bool = False) -> KnownLabels:
        """Scale the labels by a factor; with `per_class`, over the number of labels per class."""
        counts = self.indicator.sum(axis=0) if per_class else 1.0
        return KnownLabels(self.nodes, factor * self.indicator / counts, self.n_nodes)

    def taken(self, positions: Nodes) -> KnownLabels:
        """Select some of the labelled nodes by their position in `nodes`."""
        return KnownLabels(self.nodes[positions], self.indicator[positions], self.n_nodes)

    def verdicts(self, graph: Graph) -> Array:
        """Return the classes of nodes in components whose labels all agree; 0 elsewhere.

        Labels say nothing about other components, so these classes are all that is known there.

        Examples
        --------
        >>> graph = Graph.from_edges([(0, 1), (2, 3)])
        >>> known = KnownLabels(np.array([0, 2, 3]), np.eye(2)[[1, 0, 1]], n_nodes=4)
        >>> known.verdicts(graph).tolist()
        [[0.0, 1.0], [0.0, 1.0], [0.0, 0.0], [0.0, 0.0]]
        """
        places = graph.components[self.nodes]
        shape = (max(graph.n_components, 1), self.n_classes)
        least, most = np.ones(shape), np.zeros(shape)
        np.minimum.at(least, places, self.indicator)
        np.maximum.at(most, places, self.indicator)
        agreed = most * (least == most).all(axis=1, keepdims=True)
        return np.asarray(agreed[graph.components])

    def disputed(self, graph: Graph) -> KnownLabels:
        """Return the labels of components whose labels differ; the others' classes are settled.

        Examples
        --------
        >>> graph = Graph.from_edges([(0, 1), (2, 3)])
        >>> known = KnownLabels(np.array([0, 2, 3]), np.eye(2)[[1, 0, 1]], n_nodes=4)
        >>> known.disputed(graph).nodes
        array([2, 3])
        """
        settled: Mask = np.asarray(self.verdicts(graph).any(axis=1))
        return self.taken(np.flatnonzero(~settled[self.nodes]))

    def spread(self) -> Array:
        """Return the indicator over all nodes; a row of zeros where no label is known."""
        everywhere = np.zeros((self.n_nodes, self.n_classes))
        everywhere[self.nodes] = self.indicator
        return everywhere


def known_labels(graph: Graph, nodes: Any, labels: Any, n_classes: int | None) -> KnownLabels:
    """Check class indices, or a 0/1 matrix with one row per node, and drop unlabelled nodes.

    Examples
    --------
    >>> path = Graph.from_edges([(0, 1), (1, 2)])
    >>> known_labels(path, [0, 2], [1, 0], None).indicator.tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    >>> known_labels(path, [0, 2], [[1, 1], [0, 0]], None).nodes
    array([0])
    """
    checked = graph.checked(nodes)
    given = labels if sparse.issparse(labels) else np.asarray(labels)
    if given.shape[0] != len(checked):
        raise InputError(
            f"labels must have one entry per node, {len(checked)} in all, got {given.shape[0]}"
        )
    counts = np.bincount(checked, minlength=1)
    if counts.max() > 1:
        raise InputError(f"nodes must be distinct, node {np.argmax(counts)} is repeated")
    matrix = _from_matrix if given.ndim == 2 else _from_indices
    labelled, indicator = matrix(given, n_classes)
    return KnownLabels(checked[labelled], indicator, graph.n_nodes)


def _from_indices(labels: Any, n_classes: int | None) -> tuple[Nodes, Array]:
    """The positions that have a label, and their 0/1 rows."""
    if labels.size and labels.dtype.kind not in "iu":
        raise InputError(f"labels must be class indices or a 0/1 matrix, got {labels.dtype}")
    highest = int(labels.max(initial=UNKNOWN))
    width = highest + 1 if n_classes is None else n_classes
    if highest >= width or labels.min(initial=0) < UNKNOWN:
        wrong = highest if highest >= width else int(labels.min())
        raise InputError(f"labels must be in -1..{width - 1}, got {wrong}")
    labelled = np.flatnonzero(labels != UNKNOWN)
    indicator = np.zeros((len(labelled), width))
    indicator[np.arange(len(labelled)), labels[labelled].astype(np.intp)] = 1.0
    return labelled, indicator


def _from_matrix(labels: Any, n_classes: int | None) -> tuple[Nodes, Array]:
    """The positions that have a label, and their 0/1 rows; no other row is made dense."""
    if n_classes is not None and labels.shape[1] != n_classes:
        raise InputError(
            f"labels must have one column per class, {n_classes} in all, got {labels.shape[1]}"
        )
    if sparse.issparse(labels):
        held = sparse.csr_array(labels, dtype=float, copy=True)
        held.sum_duplicates()
        values = held.data
    else:
        held = values = np.asarray(labels, dtype=float)
    if not np.isin(values, (0.0, 1.0)).all():
        raise InputError("a matrix of labels must hold only 0 and 1")
    labelled = np.flatnonzero(np.asarray(held.sum(axis=1)))
    rows = held[labelled]
    return labelled, np.asarray(rows.toarray() if sparse.issparse(rows) else rows)
