"""The labels a batch method learns from, checked and laid out once."""

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
    """Labelled nodes, each once, and the 0/1 `indicator`: a row per node, a column per class."""

    nodes: Nodes
    indicator: Array
    n_nodes: int

    @property
    def n_classes(self) -> int:
        """How many classes there are, seen or not."""
        return int(self.indicator.shape[1])

    @property
    def signs(self) -> Array:
        """The indicator as one-vs-rest targets -1 and +1."""
        return 2.0 * self.indicator - 1.0

    @property
    def counts(self) -> Nodes:
        """How many classes each labelled node has."""
        return np.asarray(self.indicator.sum(axis=1), dtype=np.intp)

    @property
    def seen(self) -> Mask:
        """Which classes have a labelled node."""
        return np.asarray(self.indicator.any(axis=0))

    def of_seen_classes(self) -> KnownLabels:
        """The same labels without the classes nobody has."""
        return KnownLabels(self.nodes, self.indicator[:, self.seen], self.n_nodes)

    def scaled(self, factor: float = 1.0, *, per_class: bool = False) -> KnownLabels:
        """The same labels times a factor; with `per_class`, over the number of labels per class."""
        counts = self.indicator.sum(axis=0) if per_class else 1.0
        return KnownLabels(self.nodes, factor * self.indicator / counts, self.n_nodes)

    def taken(self, positions: Nodes) -> KnownLabels:
        """Some of the labelled nodes, by their position in `nodes`."""
        return KnownLabels(self.nodes[positions], self.indicator[positions], self.n_nodes)

    def verdicts(self, graph: Graph) -> Array:
        """The classes of each node in a component whose labels all agree; 0 elsewhere.

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

    def spread(self) -> Array:
        """The indicator over all nodes of the graph: a row of zeros where no label is known."""
        everywhere = np.zeros((self.n_nodes, self.n_classes))
        everywhere[self.nodes] = self.indicator
        return everywhere


def known_labels(graph: Graph, nodes: Any, labels: Any, n_classes: int | None) -> KnownLabels:
    """Class indices, or a 0/1 matrix with one row per node, checked; unlabelled nodes dropped.

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
        raise InputError(f"{len(checked)} nodes need {len(checked)} labels, got {given.shape[0]}")
    counts = np.bincount(checked, minlength=1)
    if counts.max() > 1:
        raise InputError(f"a node's label must come once, node {np.argmax(counts)} came twice")
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
        raise InputError(f"labels must lie in -1..{width - 1}, got {wrong}")
    labelled = np.flatnonzero(labels != UNKNOWN)
    indicator = np.zeros((len(labelled), width))
    indicator[np.arange(len(labelled)), labels[labelled].astype(np.intp)] = 1.0
    return labelled, indicator


def _from_matrix(labels: Any, n_classes: int | None) -> tuple[Nodes, Array]:
    """The positions that have a label, and their 0/1 rows; no other row is made dense."""
    if n_classes is not None and labels.shape[1] != n_classes:
        raise InputError(f"{n_classes} classes need {n_classes} columns, got {labels.shape[1]}")
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
