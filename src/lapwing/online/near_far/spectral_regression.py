"""Logistic regression on the smoothest eigenvectors of the graph."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, partial

import numpy as np

from lapwing.graph import Graph
from lapwing.linalg.softmax import softmax_coefficients
from lapwing.online.near_far.making import Making
from lapwing.online.near_far.spectral_rows import SpectralRows
from lapwing.types import Array, Index, Mask

PENALTY, TOLERANCE = 0.1, 1e-5
"""Of the regression; between two classes, the penalty is on half the difference of both."""


class Far:
    """Class probabilities from rows, one per node, fitted to the known labels.

    A node without a row (zeros) gets uniform probabilities, and so do all nodes while fewer than
    two classes are known. Rows are made when a second class is known, so that nobody waits for
    eigenvalues before the first question.

    Examples
    --------
    >>> two = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)]
    >>> far = Far(SpectralRows(Graph.from_edges(two, names=range(7)), 2))
    >>> far.fit({0: 1, 5: 0})
    >>> far.chances(np.array([1, 4, 6]), 2).round(1).tolist()
    [[0.2, 0.8], [0.8, 0.2], [0.5, 0.5]]
    """

    def __init__(self, domain: SpectralRows) -> None:
        self.domain = domain
        self._making: Making | None = None
        self._seen = np.empty(0, dtype=np.intp)
        self._weights = np.empty((0, 0))
        self._bias = np.empty(0)

    def grow(self, graph: Graph, *, keep: bool) -> None:
        """Follow a changed graph; rows are kept, or made when they are next needed."""
        self.domain = self.domain.grown(graph) if keep else self.domain.anew(graph)
        self._forget()

    def begin(self, graph: Graph) -> None:
        """Begin to make the rows of a graph in the background, from nothing."""
        self.domain = self.domain.anew(graph)
        self._forget()
        self._making = Making(partial(_rows_of, self.domain))
        self._making.begin()

    def _forget(self) -> None:
        for name in ("_told", "_any"):
            vars(self).pop(name, None)

    @property
    def rows(self) -> Array:
        """One row per node; zeros for a node without."""
        return self.domain.rows if self._making is None else self._made()

    def _made(self) -> Array:
        """The rows once the thread that makes them is done."""
        assert self._making is not None
        self._making.result()
        return self.domain.rows

    @cached_property
    def _told(self) -> Mask:
        return np.asarray(self.rows.any(axis=1))

    @property
    def sees(self) -> bool:
        """Whether any node has a row; taken for granted until rows are made."""
        return not self.domain.is_empty and (not self.domain.made or self._any)

    @property
    def is_made(self) -> bool:
        """Whether rows begun in the background are there, or an error instead."""
        return self._making is not None and self._making.is_done

    @cached_property
    def _any(self) -> bool:
        return bool(self._told.any())

    def fit(self, labels: Mapping[int, int]) -> None:
        """Learn from these labels, forgetting any before."""
        self._seen = np.unique(np.array(list(labels.values()), dtype=np.intp))
        if len(self._seen) < 2:
            return
        known = [node for node in labels if self._told[node]]
        classes = np.array([labels[node] for node in known], dtype=np.intp)
        self._seen = np.unique(classes)
        if len(self._seen) < 2:
            return
        found = softmax_coefficients(
            self.rows[known].astype(np.float64),
            np.searchsorted(self._seen, classes),
            len(self._seen),
            PENALTY * (2.0 if len(self._seen) == 2 else 1.0),
            TOLERANCE,
        )
        self._weights, self._bias = found[:, :-1].T, found[:, -1]

    def chances(self, nodes: Index, n_classes: int) -> Array:
        """Return one probability per class; 0 for classes without labels."""
        even = np.full((*np.shape(nodes), n_classes), 1.0 / max(n_classes, 1))
        if len(self._seen) < 2:
            return even
        rows = self.rows[nodes]
        found = rows @ self._weights.astype(rows.dtype) + self._bias
        found = np.exp(found - found.max(axis=-1, keepdims=True))
        chances = np.zeros(even.shape)
        chances[..., self._seen] = found / found.sum(axis=-1, keepdims=True)
        return np.where(self._told[nodes][..., None], chances, even)


def _rows_of(domain: SpectralRows) -> Array:
    return domain.rows
