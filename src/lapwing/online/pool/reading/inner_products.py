"""Inner products of labelled nodes' rows, kept while labels come one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lapwing.types import Array, Nodes

Rows = NDArray[Any]
ROOM = 32
"""Nodes that there is room for at first."""


class InnerProducts:
    """The inner products of some nodes' rows, which usually are those of last time and a few more.

    Every product is computed by itself in the same way, so that the result does not depend on what
    was asked before.

    Examples
    --------
    >>> inner, rows = InnerProducts(), np.array([[1.0, 0.0], [1.0, 2.0], [0.0, 3.0]])
    >>> inner.of(rows, np.array([0, 1])).tolist()
    [[1.0, 1.0], [1.0, 5.0]]
    >>> inner.of(rows, np.array([0, 1, 2])).tolist()
    [[1.0, 1.0, 0.0], [1.0, 5.0, 6.0], [0.0, 6.0, 9.0]]
    """

    def __init__(self) -> None:
        self._source: Rows | None = None
        self._nodes: Nodes = np.empty(0, dtype=np.intp)
        self._held = np.empty((0, 0))
        self._products = np.empty((0, 0))

    def of(self, rows: Rows, nodes: Nodes) -> Array:
        """Return the products of these nodes; do not change them, nor keep them."""
        if self._source is not rows:
            self.__init__()  # type: ignore[misc]  # nothing is left of other rows
            self._source = rows
        common = min(len(nodes), len(self._nodes))
        same = nodes[:common] == self._nodes[:common]
        kept = common if same.all() else int(np.argmin(same))
        if len(nodes) > len(self._held):
            self._make_room(max(ROOM, len(nodes), 2 * len(self._held)), rows.shape[1])
        if kept < len(nodes):
            self._held[kept : len(nodes)] = rows[nodes[kept:]]
            _multiply(self._held, kept, len(nodes), self._products)
        if kept < len(nodes) or len(nodes) < len(self._nodes):
            self._nodes = nodes.copy() if kept < len(nodes) else self._nodes
        return self._products[: len(nodes), : len(nodes)]

    def _make_room(self, size: int, width: int) -> None:
        held, products, count = self._held, self._products, len(self._nodes)
        self._held, self._products = np.empty((size, width)), np.empty((size, size))
        if count:
            self._held[:count] = held[:count]
            self._products[:count, :count] = products[:count, :count]

    def __deepcopy__(self, memo: object) -> InnerProducts:
        return InnerProducts()

    def __getstate__(self) -> dict[str, Any]:
        """Nothing is saved: all of it can be computed again."""
        return vars(InnerProducts())


@njit(cache=True, fastmath=True)
def _multiply(held: Array, first: int, last: int, products: Array) -> None:
    """Write the products of the rows from `first` on with all rows up to themselves."""
    for i in range(first, last):
        for j in range(i + 1):
            total = 0.0
            for k in range(held.shape[1]):
                total += held[i, k] * held[j, k]
            products[i, j] = products[j, i] = total
