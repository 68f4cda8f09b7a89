"""Connected components of a changing graph, repaired locally."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lapwing.linalg.push.changing_matrix import ChangingRows
from lapwing.linalg.push.spare_space import lengthened
from lapwing.types import Array, Mask, Nodes

RowArrays = tuple[Nodes, Nodes, NDArray[np.int32]]
MANY = 64
"""From this many removed edges on, components are found again in one pass."""


class ChangingComponents:
    """The component of each node, and a sum per component of what its nodes hold.

    When an edge joins two components, the nodes of the smaller one are renumbered. When an edge is
    removed, two searches start from its ends, in turns, and stop when they meet or when one of them
    has seen a whole component: its cost is that of the smaller part, or of a short way around.
    `label` are the components at the beginning, if they are known.

    Examples
    --------
    >>> from scipy import sparse
    >>> rows = ChangingRows(sparse.csr_array(np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, 0]])))
    >>> parts = ChangingComponents(rows, np.array([[1.0], [0.0], [5.0]]))
    >>> parts.label, parts.sums[:2].ravel()
    (array([0, 0, 1]), array([1., 5.]))
    >>> _ = rows.set_weight(1, 2, 1.0)
    >>> parts.add(rows, np.array([1]), np.array([2]))
    >>> parts.label, parts.sums[0]
    (array([0, 0, 0]), array([6.]))
    """

    def __init__(self, rows: ChangingRows, held: Array, label: Nodes | None = None) -> None:
        self.held = held
        if label is None:
            self.find_again(rows)
        else:
            self._number(label.copy(), int(label.max(initial=-1)) + 1)

    def find_again(self, rows: ChangingRows) -> None:
        """Number all components anew, in one pass over the graph."""
        count, label = rows.components()
        self._number(label, count)

    def _number(self, label: Nodes, count: int) -> None:
        """Take over the component of each node."""
        self.label = label
        self.size: Nodes = np.bincount(self.label, minlength=count)
        self.sums: Array = np.zeros((count, self.held.shape[1]))
        np.add.at(self.sums, self.label, self.held)
        self.free: list[int] = []

    def add_nodes(self, held: Array) -> None:
        """Add nodes at the end, each a component of its own; `held` is what all nodes hold."""
        self.held, before = held, len(self.label)
        self.label = lengthened(self.label, len(held))
        places = self._new_places(len(held) - before)
        self.label[before:], self.size[places], self.sums[places] = places, 1, held[before:]

    def remove(self, rows: ChangingRows, sources: Nodes, targets: Nodes) -> Array:
        """Remove edges from the rows and follow; return the weights they had.

        They are removed one after the other, since a search must still see the later ones.
        """
        if len(sources) >= MANY:
            old = rows.set_weights(sources, targets, np.zeros(len(sources)))
            self.find_again(rows)
            return old
        old = np.zeros(len(sources))
        for k, (u, v) in enumerate(zip(sources.tolist(), targets.tolist(), strict=True)):
            old[k] = rows.set_weight(u, v, 0.0)
            self._split((rows.start, rows.stop, rows.neighbors), u, v)
        return old

    def add(self, rows: ChangingRows, sources: Nodes, targets: Nodes) -> None:
        """Follow edges that were just added to the rows."""
        apart = np.flatnonzero(self.label[sources] != self.label[targets])
        if len(apart):
            graph = (rows.start, rows.stop, rows.neighbors)
            ends = sources[apart], targets[apart]
            self.free += _join(*graph, *ends, self.label, self.size, self.sums).tolist()

    def follow(self, rows: ChangingRows, sources: Nodes, targets: Nodes, gone: Mask) -> None:
        """Follow many edges at once, already set in the rows; some of them are gone."""
        if gone.any():
            self.find_again(rows)
        else:
            self.add(rows, sources, targets)

    def _split(self, graph: RowArrays, u: int, v: int) -> None:
        if self.label[u] != self.label[v]:
            return
        part = _cut_off(*graph, u, v)
        if not len(part):
            return
        place, old = self._new_place(), self.label[part[0]]
        self.label[part] = place
        self.size[place], self.sums[place] = len(part), self.held[part].sum(axis=0)
        self.size[old] -= len(part)
        self.sums[old] -= self.sums[place]

    def _new_place(self) -> int:
        return int(self._new_places(1)[0])

    def _new_places(self, wanted: int) -> Nodes:
        """Numbers for new components: those that are free, then new ones."""
        taken = [self.free.pop() for _ in range(min(wanted, len(self.free)))]
        count, more = len(self.size), wanted - len(taken)
        self.size = lengthened(self.size, count + more)
        self.sums = lengthened(self.sums, count + more)
        return np.array([*taken, *range(count, count + more)], dtype=np.intp)


@njit(cache=True)
def _join(
    start: Nodes,
    stop: Nodes,
    neighbors: NDArray[np.int32],
    sources: Nodes,
    targets: Nodes,
    label: Nodes,
    size: Nodes,
    sums: Array,
) -> Nodes:
    """Join the components at both ends of edges; return the numbers that nobody has any more."""
    free = np.empty(sources.size, dtype=np.intp)
    count = 0
    for k in range(sources.size):
        u, v = sources[k], targets[k]
        if label[u] == label[v]:
            continue
        if size[label[u]] < size[label[v]]:
            u, v = v, u
        kept, gone = label[u], label[v]
        _renumber(start, stop, neighbors, label, v, kept, size[gone])
        size[kept] += size[gone]
        size[gone] = 0
        for c in range(sums.shape[1]):
            sums[kept, c] += sums[gone, c]
            sums[gone, c] = 0.0
        free[count] = gone
        count += 1
    return free[:count]


@njit(cache=True)
def _renumber(
    start: Nodes,
    stop: Nodes,
    neighbors: NDArray[np.int32],
    label: Nodes,
    first: int,
    kept: int,
    size: int,
) -> None:
    """Give the component of one node another number; it has this many nodes."""
    gone = label[first]
    waiting = np.empty(size, dtype=np.intp)
    label[first], waiting[0], waits = kept, first, 1
    while waits > 0:
        waits -= 1
        i = waiting[waits]
        for at in range(start[i], stop[i]):
            j = neighbors[at]
            if label[j] == gone:
                label[j] = kept
                waiting[waits] = j
                waits += 1


@njit(cache=True)
def _cut_off(start: Nodes, stop: Nodes, neighbors: NDArray[np.int32], u: int, v: int) -> Nodes:
    """Return the nodes of the smaller part after an edge u, v was removed; none if it holds."""
    seen = {u: 0, v: 1}
    lists = [[u], [v]]
    reads = [0, 0]
    work = [0, 0]
    empty = np.empty(0, dtype=np.intp)
    while True:
        side = 0 if work[0] <= work[1] else 1
        if reads[side] == len(lists[side]):
            return np.array(lists[side], dtype=np.intp)
        i = lists[side][reads[side]]
        reads[side] += 1
        for at in range(start[i], stop[i]):
            j = int(neighbors[at])
            work[side] += 1
            if j not in seen:
                seen[j] = side
                lists[side].append(j)
            elif seen[j] != side:
                return empty
        work[side] += 1
