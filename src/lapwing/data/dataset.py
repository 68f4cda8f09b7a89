"""A graph with labels and a record of where both come from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from numpy.typing import NDArray
from scipy import sparse

from lapwing.errors import InputError
from lapwing.graph import Graph, Labels
from lapwing.types import Nodes


@dataclass(frozen=True, eq=False)
class Dataset:
    """A graph with one class per node, or several.

    `labels` is an array of class indices (`UNKNOWN`, -1, where none is known) or, if a node can
    have several classes, a 0/1 CSR matrix with one row per node. `points` and `images`, if present,
    hold one row per node: the data that the graph was made from. `notes` says what was changed in
    the raw files, beyond `graph.notes`. A data set is read-only.

    Examples
    --------
    >>> import numpy as np
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
        object.__setattr__(self, "labels", Labels(self.labels, self.classes).labels)
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
        """The number of classes."""
        return len(self.classes)

    @property
    def multilabel(self) -> bool:
        """Whether a node can have several classes, so that `labels` is a matrix."""
        return bool(sparse.issparse(self.labels))

    @property
    def known(self) -> Labels:
        """The labels with their classes, in the form that `lapwing.io` reads and writes."""
        return Labels(self.labels, self.classes)

    def class_sizes(self) -> Nodes:
        """Return the number of nodes of each class."""
        return self.known.class_sizes()

    def restricted(self, nodes: Nodes) -> Dataset:
        """Return the data set on some nodes, in the given order; classes keep their indices."""
        kept = self.graph.checked(nodes)
        return replace(
            self,
            graph=self.graph.subgraph(kept),
            labels=self.labels[kept],
            points=None if self.points is None else self.points[kept],
            images=None if self.images is None else self.images[kept],
        )

    def largest_component(self) -> Dataset:
        """Return the data set on the largest component of the graph."""
        if self.graph.n_components <= 1:
            return self
        return self.restricted(self.graph.largest_component_nodes())

    def __repr__(self) -> str:
        counts = f"{self.graph.n_nodes:,} nodes, {self.graph.n_edges:,} edges"
        kind = "classes, multi-label" if self.multilabel else "classes"
        return f"Dataset({self.name}: {counts}, {self.n_classes} {kind})"
