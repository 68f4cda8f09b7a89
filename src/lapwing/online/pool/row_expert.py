"""Ridge regression on rows of one or more sources."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy, deepcopy
from functools import partial
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
    left_out_chances,
)
from lapwing.online.pool.leave_one_out import MOST, RidgeFit, fit_by_products, judged_ridge_fit
from lapwing.online.pool.reading.inner_products import Rows
from lapwing.online.pool.sources import Source
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
        self.means = np.empty(0)
        self._found: tuple[Nodes, RidgeFit] | None = None
        self._weights: Array | None = None
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
        labels = np.array(list(self.labels.values()), dtype=np.intp)
        told = self.told(nodes)
        if not told.all():
            nodes, labels = nodes[told], labels[told]
        classes = np.unique(labels)
        if len(classes) < 2:
            return
        kept = self._keeps_penalty()
        fit = self._fitted(nodes, labels[:, None] == classes, self.penalty if kept else None)
        if not kept:
            self.penalty, self._chosen_on = fit.penalty, len(self.labels)
        self.classes, self.means, self._found, self._weights = (
            classes,
            fit.means,
            (nodes, fit),
            None,
        )
        self._without = Without.of(nodes, fit.left_out)

    def _fitted(self, nodes: Nodes, targets: Mask, penalty: float | None) -> RidgeFit:
        """The regression on these nodes, from inner products where there are fewer than columns."""
        width = sum(source.rows.shape[1] for source, _ in self._used)
        if len(nodes) > min(width, MOST):
            rows = self._gathered(nodes).astype(np.float64)
            return judged_ridge_fit(rows, targets, usual=self.ridge, floor=FLOOR, penalty=penalty)
        products = np.zeros((len(nodes), len(nodes)))
        for source, _ in self._used:
            products += self.parts[source] * source.products(nodes)
        return fit_by_products(products, targets, usual=self.ridge, floor=FLOOR, penalty=penalty)

    def told(self, nodes: Nodes) -> Mask:
        """Return which nodes have a row that says something."""
        told = np.zeros(len(nodes), dtype=bool)
        for source, _ in self._used:
            if source.tells_all:
                return np.ones(len(nodes), dtype=bool)
            told |= source.told[nodes]
        return told

    @property
    def weights(self) -> Array:
        """The weights of columns, computed when they are first asked for after a fit."""
        if self._found is None:
            return np.empty((0, 0))
        if self._weights is None:
            nodes, fit = self._found
            rows = self._gathered(nodes).astype(np.float64) if fit.by_label else np.empty((0, 0))
            self._weights = fit.weights(rows)
        return self._weights

    def _keeps_penalty(self) -> bool:
        """Whether the penalty stays until more labels have come."""
        return MANY <= len(self.labels) < LONGER * self._chosen_on

    def _chances(self, nodes: Nodes, n_classes: int) -> Array:
        even = even_chances(len(nodes), n_classes)
        if len(self.classes) < 2:
            return even
        found = self.means
        for source, weights in self.weights_by_source():
            found = found + product(source.rows, nodes, weights)
        told = self.told(nodes)
        return np.where(told[:, None], clipped(found, self.classes, n_classes), even)

    def weights_by_source(self) -> list[tuple[Source, Array]]:
        """The weights of each source's columns, which are scaled."""
        found, at, weights = [], 0, self.weights
        for source, scale in self._used:
            width = source.rows.shape[1]
            found.append((source, scale * weights[at : at + width]))
            at += width
        return found

    def _left_out(self, nodes: Nodes, n_classes: int) -> Array:
        others = partial(self._chances, n_classes=n_classes)
        return left_out_chances(nodes, self._without, self.classes, n_classes, others)


def product(rows: Rows, nodes: Nodes, weights: Rows) -> Array:
    """Return the products of these nodes' rows with weights.

    For most of the nodes, no row is copied.

    Examples
    --------
    >>> rows, weights = np.arange(8.0).reshape(4, 2), np.ones((2, 1))
    >>> product(rows, np.array([3]), weights).tolist()
    [[13.0]]
    """
    weights = weights.astype(rows.dtype, copy=False)
    return np.asarray(
        (rows @ weights)[nodes] if 2 * len(nodes) > len(rows) else rows[nodes] @ weights
    )
