"""Diffusions of labels over a changing graph, always solved up to a known residual."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from scipy import sparse

from lapwing.linalg.push.changing_matrix import ChangingRows
from lapwing.linalg.push.residuals import Diffusion, queue_arrays, settle, tell, wake
from lapwing.types import Array, Index, Nodes

PARALLEL_ABOVE = 200_000
"""Size of the solution from which two threads are used."""
FEWEST, MOST = 2_500, 50_000
"""Limits to which the number of nodes is clipped (`mean_mass`)."""


class Diffusions:
    """Several diffusions (members, each with its alpha and ridge) of several classes on one graph.

    Member m's scores x of class c solve ``(D - alpha_m A + ridge_m G) x + r = b``: with ridge 0, G
    is left out and b holds sqrt(D) times the targets, so that sqrt(D) x is Zhou et al.'s
    ``(I - alpha S)^-1 Y``; with ridge above 0, b = ridge G times the targets. Column
    ``m * room + c``.

    Parameters
    ----------
    adjacency
        Symmetric weights without self-loops.
    alpha, ridge, tolerance
        One value per member; pushing stops at residuals of at most tolerance times D.
    lazy
        How much more residual is allowed, as a share of the lead of the node's best class.
    n_classes
        Classes known from the start.

    Examples
    --------
    >>> path = sparse.csr_array(np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    >>> state = Diffusions(path, alpha=[0.9], ridge=[1.0], tolerance=[1e-9], n_classes=2)
    >>> state.tell(0, np.array([1.0, 0.0]), 1.0)
    >>> state.tell(2, np.array([0.0, 1.0]), 1.0)
    >>> state.of(np.arange(3), 0).round(3)
    array([[0.67 , 0.17 ],
           [0.378, 0.378],
           [0.17 , 0.67 ]])
    """

    def __init__(
        self,
        adjacency: sparse.csr_array,
        *,
        alpha: Sequence[float],
        ridge: Sequence[float],
        tolerance: Sequence[float],
        lazy: float = 0.0,
        n_classes: int = 0,
    ) -> None:
        self.rows = ChangingRows(adjacency)
        n = adjacency.shape[0]
        sums = np.asarray(adjacency.sum(axis=1), dtype=np.float64).ravel()
        self.diagonal: Array = np.where(np.diff(adjacency.indptr) > 0, sums, 1.0)
        every = [lazy] * len(alpha)
        self.members = np.array([alpha, ridge, tolerance, every], dtype=np.float64)
        self.room = max(n_classes, 2)
        self.n_classes = n_classes
        self.label_weight: Array = np.zeros(n)
        self.targets: Array = np.zeros((n, self.room))
        self.solution: Array = np.zeros((n, len(alpha) * self.room))
        self.residual: Array = np.zeros_like(self.solution)
        self.queue, self.waiting, self.counts = queue_arrays(n)
        count, self.component = self.rows.components()
        self.component_sums: Array = np.zeros((count, self.room))
        self.component_stale = False
        self._bind()

    @property
    def n_members(self) -> int:
        """The number of members."""
        return int(self.members.shape[1])

    def __getstate__(self) -> dict[str, Any]:
        return {name: part for name, part in vars(self).items() if name != "system"}

    def __setstate__(self, parts: dict[str, Any]) -> None:
        vars(self).update(parts)
        self._bind()

    def _bind(self) -> None:
        """Collect the arrays for the compiled steps after one of them was replaced."""
        alpha, ridge, tolerance, lazy = (np.repeat(row, self.room) for row in self.members)
        self.system = Diffusion(
            self.rows.start, self.rows.stop, self.rows.neighbors, self.rows.weights,
            self.diagonal, self.label_weight, alpha, ridge, tolerance, lazy, self.room,
            self.solution, self.residual, self.queue, self.waiting, self.counts,
        )  # fmt: skip

    def make_room(self, n_classes: int) -> None:
        """Make columns for this many classes, known or not."""
        if n_classes <= self.room:
            return
        before, self.room = self.room, max(2 * self.room, n_classes)
        self.targets = widened(self.targets, self.room)
        self.component_sums = widened(self.component_sums, self.room)
        for name in ("solution", "residual"):
            cube = getattr(self, name).reshape(len(self.diagonal), self.n_members, before)
            setattr(self, name, widened(cube, self.room).reshape(len(cube), -1))
        self._bind()

    def tell(self, node: int, target: Array, weight: float) -> None:
        """Set a node's targets (one per class) and its label's weight (0: no label); push."""
        after = np.zeros(self.room)
        after[: len(target)] = target
        before = self.targets[node].copy()
        tell(self.system, node, before, after, weight)
        self.targets[node] = after
        self.component_sums[self.component[node]] += after - before
        settle(self.system)

    def load(self, nodes: Nodes, targets: Array, weight: float) -> None:
        """Set many labels at once, each node once; two threads push the columns."""
        for node, target in zip(nodes.tolist(), targets, strict=True):
            after = np.zeros(self.room)
            after[: len(target)] = target
            tell(self.system, node, self.targets[node], after, weight)
            self.component_sums[self.component[node]] += after - self.targets[node]
            self.targets[node] = after
        columns = self.solution.shape[1]
        if len(self.diagonal) * columns < PARALLEL_ABOVE or columns < 2:
            settle(self.system)
        else:
            parts = np.array_split(np.arange(columns), self.n_members if self.n_members > 1 else 2)
            with ThreadPoolExecutor(2) as pool:
                list(pool.map(self._settle_columns, parts))
            self.counts[:2] = 0
            self.waiting[:] = False

    def _settle_columns(self, columns: Nodes) -> None:
        """Push some columns of one member in a separate copy, none of them lazily."""
        first, last = int(columns[0]), int(columns[-1]) + 1
        part = self.system._replace(
            alpha=self.system.alpha[first:last],
            ridge=self.system.ridge[first:last],
            tolerance=self.system.tolerance[first:last],
            lazy=np.zeros(last - first),
            room=last - first,
            solution=self.solution[:, first:last].copy(),
            residual=self.residual[:, first:last].copy(),
            queue=self.queue.copy(),
            waiting=self.waiting.copy(),
            counts=self.counts.copy(),
        )
        settle(part)
        self.solution[:, first:last] = part.solution
        self.residual[:, first:last] = part.residual

    def set_edge(self, u: int, v: int, weight: float) -> float:
        """Set the weight of an edge (0 removes it) and return the old weight.

        Only the residuals of the two ends change.
        """
        old = self.rows.set_weight(u, v, weight)
        self._bind()
        change = weight - old
        was = self.diagonal[[u, v]].copy()
        for node in (u, v):
            alone = self.rows.stop[node] == self.rows.start[node]
            self.diagonal[node] = 1.0 if alone else self.rows.sum(node)
        sources = self.system.ridge == 0.0
        for node, other, before in ((u, v, was[0]), (v, u, was[1])):
            now = self.diagonal[node]
            step = (before - now) * self.solution[node]
            step += self.system.alpha * change * self.solution[other]
            told = np.tile(self.targets[node], self.n_members)
            step[sources] += (np.sqrt(now) - np.sqrt(before)) * told[sources]
            self.residual[node] += step
        self._rejoin(u, v, weight)
        for node in (u, v):
            wake(self.system, node)
        settle(self.system)
        return old

    def _rejoin(self, u: int, v: int, weight: float) -> None:
        """Update the components: a new edge can join two, a removed one can split one."""
        if weight == 0.0:
            self.component_stale = True
        if self.component_stale:
            return
        a, b = self.component[u], self.component[v]
        if a != b:
            self.component[self.component == b] = a
            self.component_sums[a] += self.component_sums[b]
            self.component_sums[b] = 0.0

    def components(self) -> tuple[Nodes, Array]:
        """Return the component of each node, and the sum of targets per component."""
        if self.component_stale:
            count, self.component = self.rows.components()
            self.component_sums = np.zeros((count, self.room))
            np.add.at(self.component_sums, self.component, self.targets)
            self.component_stale = False
        return self.component, self.component_sums

    def of(self, nodes: Index, member: int) -> Array:
        """Return the scores x of some nodes by one member, one column per class."""
        first = member * self.room
        return self.solution[nodes, first : first + self.n_classes]

    def bound(self, member: int) -> float:
        """Return a bound on the error of this member's scores x.

        (D - alpha A + G)^-1 is non-negative and maps D to at most 1 / (1 - alpha), so the error
        is at most the largest |r| / D over 1 - alpha.
        """
        first = member * self.room
        left = np.abs(self.residual[:, first : first + self.room]).max(axis=1, initial=0.0)
        return float((left / self.diagonal).max(initial=0.0) / (1.0 - self.members[0, member]))


def mean_mass(n_nodes: int) -> float:
    """Return the mean mass that a label leaves on a node, 1 / nodes, as a unit for masses.

    The number of nodes is clipped to 2,500 .. 50,000: on smaller graphs a label says no less about
    a node's neighbours, and on larger ones smaller masses are not kept.

    Examples
    --------
    >>> mean_mass(34), mean_mass(10_000), mean_mass(1_000_000)
    (0.0004, 0.0001, 2e-05)
    """
    return 1.0 / min(max(n_nodes, FEWEST), MOST)


def widened(array: Array, width: int) -> Array:
    """Return the array padded with zeros to this width in its last axis; only used rows are copied.

    The new memory is written from end to end here. Otherwise the first writes, scattered over the
    graph, would touch its pages in random order, which is several times slower.

    Examples
    --------
    >>> widened(np.array([[0.0, 1.0], [0.0, 0.0]]), 3)
    array([[0., 1., 0.],
           [0., 0., 0.]])
    """
    wide = np.empty((*array.shape[:-1], width), dtype=array.dtype)
    wide.fill(0)
    used = np.flatnonzero(array.reshape(len(array), -1).any(axis=1))
    wide[used, ..., : array.shape[-1]] = array[used]
    return wide
