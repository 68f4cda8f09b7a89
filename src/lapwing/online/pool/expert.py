"""What every expert of the pool has, and ridge regression on rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import copy
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.graph import Graph
from lapwing.online.near_far.making import Making
from lapwing.online.pool.leave_one_out import best_penalty
from lapwing.types import Array, Mask, Nodes

REFIT = 50
"""An expert is fitted again when one label in this many is new."""
FLOOR = 0.01
"""The smallest probability of a class that has labels, before normalisation."""


class Expert(ABC):
    """One opinion about every node: probabilities, learned label by label.

    `learn` takes in a label and `withdraw` forgets one; the next reading of `chances` fits what
    needs fitting. `follow` continues on a changed graph.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.labels: dict[int, int] = {}
        self._new, self._behind = 0, False

    def learn(self, node: int, label: int) -> None:
        """Take in a node's label."""
        new_class = label not in self.labels.values()
        again = node in self.labels
        self.labels[node] = label
        self._changed(at_once=new_class or again)

    def withdraw(self, node: int) -> None:
        """Forget a node's label, as if it had never been given."""
        if self.labels.pop(node, None) is not None:
            self._changed(at_once=True)

    def chances(self, nodes: Nodes, n_classes: int) -> Array:
        """Return one probability per node and class; even where the expert knows nothing."""
        if self._behind:
            self._behind = False
            self._fit()
        return self._chances(nodes, n_classes)

    def follow(self, graph: Graph) -> None:
        """Continue on a changed graph that keeps the indices of all nodes."""
        self._follow(graph)
        self._changed(at_once=True)

    def _changed(self, *, at_once: bool) -> None:
        self._new += 1
        if at_once or self._new * REFIT >= len(self.labels):
            self._behind, self._new = True, 0

    @abstractmethod
    def _fit(self) -> None:
        """Fit the labels."""

    @abstractmethod
    def _chances(self, nodes: Nodes, n_classes: int) -> Array: ...

    @abstractmethod
    def _follow(self, graph: Graph) -> None: ...


class RowExpert(Expert):
    """Ridge regression of the classes on rows; its fitted values, clipped, are the probabilities.

    `made` makes the rows of a graph, one per node (zeros: nothing is known of it), when they are
    first needed. The penalty is `ridge`; an expert that `adapts` takes another one where labels
    left out one by one speak for it (`best_penalty`). A fit costs :math:`O(t^2 (t + d))` for t
    labels on d columns while t < d, and :math:`O((t + d) d^2)` after.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1)], names=range(3))
    >>> expert = RowExpert("side", graph, lambda graph: np.array([[1.0], [-1.0], [0.0]]), ridge=0.1)
    >>> expert.learn(0, 0)
    >>> expert.learn(1, 1)
    >>> expert.chances(np.arange(3), 2).round(2).tolist()
    [[0.98, 0.02], [0.02, 0.98], [0.5, 0.5]]
    """

    def __init__(
        self,
        name: str,
        graph: Graph,
        made: Callable[[Graph], NDArray[Any]],
        *,
        ridge: float,
        adapts: bool = False,
    ) -> None:
        super().__init__(name)
        self.ridge, self.adapts = ridge, adapts
        self._made = made
        self.making = Making(partial(made, graph))
        self.is_asleep = False
        self.classes = np.empty(0, dtype=np.intp)
        self.weights = np.empty((0, 0))
        self.means = np.empty(0)

    def __deepcopy__(self, memo: dict[int, Any]) -> RowExpert:
        """Copy what was learned; rows are shared, nobody changes them."""
        twin = copy(self)
        twin.labels = dict(self.labels)
        return twin

    @property
    def rows(self) -> NDArray[Any]:
        """One row per node."""
        return self.making.result()

    @cached_property
    def told(self) -> Mask:
        """Which nodes have a row."""
        return np.asarray(self.rows.any(axis=1))

    def _follow(self, graph: Graph) -> None:
        self.making = Making(partial(self._made, graph))
        if self.is_asleep:
            self.making.begin()
        self.__dict__.pop("told", None)

    def sleep(self) -> None:
        """Make the rows in the background and say nothing until `wake`."""
        self.is_asleep = True
        self.making.begin()

    def wake(self) -> None:
        """Use the rows from now on."""
        self.is_asleep = False
        self._changed(at_once=True)

    def _fit(self) -> None:
        if self.is_asleep:
            return
        kinds = set(self.labels.values())
        known = [node for node in self.labels if len(kinds) > 1 and self.told[node]]
        labels = np.array([self.labels[node] for node in known], dtype=np.intp)
        self.classes = np.unique(labels)
        if len(self.classes) < 2:
            return
        rows = self.rows[known].astype(np.float64)
        targets, penalty = labels[:, None] == self.classes, self.ridge
        if self.adapts:
            penalty = best_penalty(rows, targets, usual=self.ridge, floor=FLOOR)
        self.weights, self.means = ridge_fit(rows, targets, penalty)

    def _chances(self, nodes: Nodes, n_classes: int) -> Array:
        even = np.full((len(nodes), n_classes), 1.0 / max(n_classes, 1))
        if self.is_asleep or len(self.classes) < 2:
            return even
        rows = self.rows[nodes]
        found = rows @ self.weights.astype(rows.dtype) + self.means
        return np.where(self.told[nodes][:, None], clipped(found, self.classes, n_classes), even)


def ridge_fit(rows: Array, targets: Mask, ridge: float) -> tuple[Array, Array]:
    """Return the weights and means of ridge regression on one 0/1 target per class.

    Examples
    --------
    >>> weights, means = ridge_fit(np.array([[1.0], [-1.0]]), np.eye(2, dtype=bool), 0.5)
    >>> weights.round(2).tolist(), means.tolist()
    ([[0.4, -0.4]], [0.5, 0.5])
    """
    means = targets.mean(axis=0)
    t, d = rows.shape
    if t < d:
        kernel = rows @ rows.T + ridge * np.eye(t)
        return rows.T @ np.linalg.solve(kernel, targets - means), means
    gram = rows.T @ rows + ridge * np.eye(d)
    return np.linalg.solve(gram, rows.T @ (targets - means)), means


def clipped(values: Array, classes: Nodes, n_classes: int) -> Array:
    """Return fitted values as probabilities; 0 for classes that were not fitted."""
    kept = np.maximum(values, FLOOR)
    chances = np.zeros((len(values), n_classes))
    chances[:, classes] = kept / kept.sum(axis=1, keepdims=True)
    return chances
