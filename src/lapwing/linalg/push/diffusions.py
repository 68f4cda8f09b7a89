"""Diffusions of labels over a changing graph, always solved up to a known residual."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from scipy import sparse

from lapwing.linalg.laplacian import degrees
from lapwing.linalg.push.changing_components import ChangingComponents
from lapwing.linalg.push.changing_matrix import ChangingRows, are_many
from lapwing.linalg.push.exact_residual import exact_residual
from lapwing.linalg.push.nearest import nearest_answer, visits_for
from lapwing.linalg.push.residuals import (
    PUSHES,
    Diffusion,
    follow_degrees,
    follow_edges,
    queue_arrays,
    scale_label_weights,
    settle,
    tell,
    tell_faded,
    wake_all,
)
from lapwing.linalg.push.spare_space import lengthened, widened
from lapwing.types import Array, Index, Nodes

PARALLEL_ABOVE = 200_000
"""Size of the solution from which two threads are used."""
SINGLE = 1e-5
"""Tolerances from here on can do with single precision."""


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
    single
        Keep solution and residual in single precision, which takes half the memory: for tolerances
        of `SINGLE` and more. A smaller one later (`set_tolerance`) ends this.
    components
        The component of each node, numbered from 0, if it is known.

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
        single: bool = False,
        components: Nodes | None = None,
    ) -> None:
        self.rows = ChangingRows(adjacency)
        n = adjacency.shape[0]
        self.diagonal: Array = np.where(np.diff(adjacency.indptr) > 0, degrees(adjacency), 1.0)
        every = [lazy] * len(alpha)
        self.members = np.array([alpha, ridge, tolerance, every], dtype=np.float64)
        self.room = max(n_classes, 2)
        self.n_classes = n_classes
        self.total_weight, self.n_weights = float(adjacency.data.sum()), int(adjacency.nnz)
        self.lightest = float(adjacency.data.min(initial=np.inf))
        self.heaviest = float(adjacency.data.max(initial=0.0))
        self.label_weight: Array = np.zeros(n)
        self.strength: Array = np.ones(n)
        self.targets: Array = np.zeros((n, self.room))
        kind = np.float32 if single and min(tolerance) >= SINGLE else np.float64
        self.solution: Array = np.zeros((n, len(alpha) * self.room), dtype=kind)
        self.residual: Array = np.zeros_like(self.solution)
        self.queue, self.waiting, self.counts = queue_arrays(n)
        self.parts = ChangingComponents(self.rows, self.targets, components)
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
            self.diagonal, self.label_weight, self.strength, alpha, ridge, tolerance, lazy,
            self.room, self.solution, self.residual, self.queue, self.waiting, self.counts,
        )  # fmt: skip

    def make_room(self, n_classes: int) -> None:
        """Make columns for this many classes, known or not."""
        if n_classes <= self.room:
            return
        before, self.room = self.room, max(2 * self.room, n_classes)
        self.targets = widened(self.targets, self.room, touched=False)
        self.parts.held = self.targets
        self.parts.sums = widened(self.parts.sums, self.room)
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
        self.parts.sums[self.parts.label[node]] += after - before
        settle(self.system)

    def load(self, nodes: Nodes, targets: Array, weight: float) -> None:
        """Set many labels at once, each node once; two threads push the columns."""
        for node, target in zip(nodes.tolist(), targets, strict=True):
            after = np.zeros(self.room)
            after[: len(target)] = target
            tell(self.system, node, self.targets[node], after, weight)
            self.parts.sums[self.parts.label[node]] += after - self.targets[node]
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

    def fade(self, node: int, weight: float, strength: float) -> None:
        """Change how much a node's label counts: its weight, and its strength as a source."""
        target = self.targets[node].copy()
        tell_faded(self.system, node, target, target, weight, strength)

    def settle(self) -> None:
        """Push until every residual is within its tolerance."""
        settle(self.system)

    def set_edge(self, u: int, v: int, weight: float) -> float:
        """Set the weight of an edge (0 removes it) and return the old weight."""
        old = self.rows.weight(u, v)
        self.set_edges(np.array([u]), np.array([v]), np.array([weight]))
        return old

    def set_edges(
        self,
        sources: Nodes,
        ends: Nodes,
        weights: Array,
        matrix: Callable[[], sparse.csr_array] | None = None,
    ) -> None:
        """Set the weights of several edges, each given once; 0 removes an edge.

        Only the residuals of their ends change. If many edges change, `matrix` is asked for all
        weights after the change, which are then shared instead of changed row by row.
        """
        gone = weights == 0.0
        if matrix is not None and are_many(len(weights), self.n_weights):
            old = self.rows.weights_of(sources, ends)
            self.rows = ChangingRows(matrix())
            self.parts.follow(self.rows, sources, ends, gone)
        else:
            old = np.zeros(len(weights))
            if gone.any():
                old[gone] = self.parts.remove(self.rows, sources[gone], ends[gone])
            kept = ~gone
            old[kept] = self.rows.set_weights(sources[kept], ends[kept], weights[kept])
            self.parts.add(self.rows, sources[kept], ends[kept])
        self.lightest = min(self.lightest, float(weights[~gone].min(initial=np.inf)))
        self.heaviest = max(self.heaviest, float(weights[~gone].max(initial=0.0)))
        self._bind()
        self.total_weight += 2.0 * float((weights - old).sum())
        self.n_weights += 2 * int(((old == 0.0) & ~gone).sum() - ((old != 0.0) & gone).sum())
        follow_edges(self.system, sources, ends, weights - old)
        follow_degrees(self.system, self.targets, np.unique(np.concatenate([sources, ends])))
        settle(self.system)

    def add_nodes(self, count: int) -> None:
        """Add nodes without edges at the end; arrays have spare room for later ones."""
        n = len(self.diagonal) + count
        self.rows.add_rows(count)
        for name in ("diagonal", "label_weight", "strength", "targets", "solution", "residual"):
            setattr(self, name, lengthened(getattr(self, name), n))
        self.diagonal[n - count :] = self.strength[n - count :] = 1.0
        self.queue, self.waiting = lengthened(self.queue, n + 1), lengthened(self.waiting, n)
        self.counts[:2] = 0  # nothing waits between changes
        self.parts.add_nodes(self.targets)
        self._bind()

    @property
    def mean_weight(self) -> float:
        """The mean weight of the edges; 1 if there are none."""
        return self.total_weight / self.n_weights if self.n_weights else 1.0

    def scale_labels(self, factor: float) -> None:
        """Multiply the weights of all labels by a factor."""
        scale_label_weights(self.system, self.targets, factor)
        settle(self.system)

    def set_tolerance(self, tolerance: Sequence[float], lazy: float) -> None:
        """Change when pushing stops, for each member, and push what is above it now."""
        self.members[2], self.members[3] = tolerance, lazy
        if self.solution.dtype == np.float32 and min(tolerance) < SINGLE:
            self.solution = self.solution.astype(np.float64)
            self._bind()
            self.residual = exact_residual(self.system, self.rows.matrix(), self.targets)
        self._bind()
        if self.system.counts[PUSHES] or self.label_weight.any():  # else all residuals are zeros
            wake_all(self.system)
            settle(self.system)

    def components(self) -> tuple[Nodes, Array]:
        """Return the component of each node, and the sum of targets per component."""
        return self.parts.label, self.parts.sums

    def of(self, nodes: Index, member: int) -> Array:
        """Return the scores x of some nodes by one member, one column per class."""
        first = member * self.room
        return self.solution[nodes, first : first + self.n_classes]

    @property
    def visits(self) -> int:
        """How many nodes to look at for mass around one without; 0 for ordinary weights."""
        return visits_for(self.lightest, self.heaviest)

    def nearby(self, nodes: Index, member: int) -> Array:
        """Return the scores of some nodes or, without mass, of the nearest answer."""
        wanted = np.atleast_1d(np.asarray(nodes, dtype=np.intp)).copy()
        for at in np.flatnonzero(~self.of(wanted, member).any(axis=-1)):
            wanted[at] = nearest_answer(self.system, wanted[at], self.visits)
        scores, told = self.of(wanted, member), self.targets[wanted, : self.n_classes]
        found = np.where(scores.any(axis=-1, keepdims=True), scores, told)
        return np.asarray(found.reshape(*np.shape(nodes), self.n_classes))

    def bound(self, member: int) -> float:
        """Return a bound on the error of this member's scores x.

        (D - alpha A + G)^-1 is non-negative and maps D to at most 1 / (1 - alpha), so the error
        is at most the largest |r| / D over 1 - alpha.
        """
        first = member * self.room
        left = np.abs(self.residual[:, first : first + self.room]).max(axis=1, initial=0.0)
        return float((left / self.diagonal).max(initial=0.0) / (1.0 - self.members[0, member]))
