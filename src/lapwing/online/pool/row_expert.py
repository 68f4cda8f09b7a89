"""Ridge regression on rows of one or more sources."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy, deepcopy
from typing import Any

import numpy as np

from lapwing.graph import Graph
from lapwing.online.pool.expert import (
    FLOOR,
    NOBODY,
    Expert,
    Without,
    clipped,
    even_chances,
    put_in,
)
from lapwing.online.pool.leave_one_out import judged_ridge_fit
from lapwing.online.pool.sources import Rows, Source
from lapwing.types import Array, Mask, Nodes

MANY, LONGER = 30, 1.25
"""From this many labels on, a penalty is chosen again when their number has grown by this factor.

Or when a class is new, or a label is changed or withdrawn.
"""


class RowExpert(Expert):
    """Ridge regression of the classes on rows; its fitted values, clipped, are the probabilities.

    `parts` are the sources of rows and their shares: the inner products of two nodes' rows add up,
    each times its share. Sources that are asleep do not count. The penalty is `ridge`; another one
    is taken where labels left out one by one speak for it (`judged_ridge_fit`), at every fit up to
    30 labels and then whenever there are a quarter more. A fit costs :math:`O(t^2 (t + d))` for t
    labels on d columns while t < d, and :math:`O((t + d) d^2)` after.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1)], names=range(3))
    >>> side = Source(graph, lambda graph: np.array([[1.0], [-1.0], [0.0]]))
    >>> expert = RowExpert("side", {side: 1.0}, ridge=0.1)
    >>> expert.learn(0, 0)
    >>> expert.learn(1, 1)
    >>> expert.chances(np.arange(3), 2).round(2).tolist()
    [[0.98, 0.02], [0.02, 0.98], [0.5, 0.5]]
    """

    def __init__(self, name: str, parts: Mapping[Source, float], *, ridge: float) -> None:
        super().__init__(name)
        self.parts, self.ridge, self.penalty = dict(parts), ridge, ridge
        self._chosen_on = 0
        self._used: list[tuple[Source, float]] = []
        self.classes = np.empty(0, dtype=np.intp)
        self.weights = np.empty((0, 0))
        self.means = np.empty(0)
        self._without = NOBODY

    def __deepcopy__(self, memo: dict[int, Any]) -> RowExpert:
        """Copy what was learned; what was fitted is shared, nobody changes it."""
        twin = copy(self)
        twin.labels = dict(self.labels)
        twin.parts = {deepcopy(source, memo): share for source, share in self.parts.items()}
        places = dict(zip(self.parts, twin.parts, strict=True))
        twin._used = [(places[source], scale) for source, scale in self._used]
        return twin

    def _follow(self, graph: Graph) -> None:
        """Sources follow by themselves."""

    def _changed(self, *, at_once: bool) -> None:
        if at_once:
            self._chosen_on = 0
        super()._changed(at_once=at_once)

    def wake(self) -> None:
        """Fit again: a source is used from now on."""
        self._changed(at_once=True)

    def _gathered(self, nodes: Nodes) -> Rows:
        parts = [np.asarray(source.rows[nodes]) * scale for source, scale in self._used]
        return parts[0] if len(parts) == 1 else np.hstack(parts)

    def _fit(self) -> None:
        self.classes, self._without = np.empty(0, dtype=np.intp), NOBODY
        kinds = set(self.labels.values())
        if len(kinds) < 2:
            return
        self._used = [
            (source, float(np.sqrt(share)))
            for source, share in self.parts.items()
            if not source.is_asleep
        ]
        if not self._used:
            return
        nodes = np.array(list(self.labels), dtype=np.intp)
        rows = self._gathered(nodes).astype(np.float64)
        told: Mask = np.asarray(rows.any(axis=1))
        nodes, rows = nodes[told], rows[told]
        labels = np.array([self.labels[node] for node in nodes.tolist()], dtype=np.intp)
        classes = np.unique(labels)
        if len(classes) < 2:
            return
        fit = judged_ridge_fit(
            rows, labels[:, None] == classes, usual=self.ridge, floor=FLOOR,
            penalty=self.penalty if self._keeps_penalty() else None,
        )  # fmt: skip
        if not self._keeps_penalty():
            self.penalty, self._chosen_on = fit.penalty, len(self.labels)
        self.classes, self.weights, self.means = classes, fit.weights, fit.means
        self._without = Without.of(nodes, fit.left_out)

    def _keeps_penalty(self) -> bool:
        """Whether the penalty stays until more labels have come."""
        return MANY <= len(self.labels) < LONGER * self._chosen_on

    def _chances(self, nodes: Nodes, n_classes: int) -> Array:
        even = even_chances(len(nodes), n_classes)
        if len(self.classes) < 2:
            return even
        found, told = self.means, np.zeros(len(nodes), dtype=bool)
        for source, weights in self._weights_by_source():
            found = found + _product(source.rows, nodes, weights)
            told |= source.told[nodes]
        return np.where(told[:, None], clipped(found, self.classes, n_classes), even)

    def _weights_by_source(self) -> list[tuple[Source, Array]]:
        """The weights of each source's columns, which are scaled."""
        found, at = [], 0
        for source, scale in self._used:
            width = source.rows.shape[1]
            found.append((source, scale * self.weights[at : at + width]))
            at += width
        return found

    def _left_out(self, nodes: Nodes, n_classes: int) -> Array:
        return put_in(self._chances(nodes, n_classes), nodes, self._without, self.classes)


def _product(rows: Rows, nodes: Nodes, weights: Array) -> Array:
    """The products of these nodes' rows; for most of the nodes, no row is copied."""
    weights = weights.astype(rows.dtype)
    return np.asarray(
        (rows @ weights)[nodes] if 2 * len(nodes) > len(rows) else rows[nodes] @ weights
    )
