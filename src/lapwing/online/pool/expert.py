"""What every expert of the pool has."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from lapwing.graph import Graph
from lapwing.types import Array, Nodes

REFIT = 25
"""An expert is fitted again when one label in this many is new."""
FLOOR = 0.01
"""The smallest probability of a class that has labels, before normalisation."""


class Expert(ABC):
    """One opinion about every node: probabilities, learned label by label.

    `learn` takes in a label and `withdraw` forgets one; the next reading of `chances` fits what
    needs fitting. `left_out` says what the expert thinks of nodes that have a label, each without
    its own: so experts are judged. `follow` continues on a changed graph.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.labels: dict[int, int] = {}
        self._new, self._behind, self.n_fits = 0, False, 0

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
        self.catch_up()
        return self._chances(nodes, n_classes)

    def left_out(self, nodes: Nodes, n_classes: int) -> Array:
        """Return the probabilities of labelled nodes, each as if its label had not been given.

        For labels that came since the last fit they are those of `chances`.
        """
        self.catch_up()
        return self._left_out(nodes, n_classes)

    def follow(self, graph: Graph) -> None:
        """Continue on a changed graph that keeps the indices of all nodes."""
        self._follow(graph)
        self._changed(at_once=True)

    def _changed(self, *, at_once: bool) -> None:
        self._new += 1
        if at_once or self._new * REFIT >= len(self.labels):
            self._behind, self._new = True, 0

    def catch_up(self) -> None:
        """Fit what needs fitting."""
        if self._behind:
            self._behind = False
            self.n_fits += 1
            self._fit()

    @abstractmethod
    def _fit(self) -> None:
        """Fit the labels."""

    @abstractmethod
    def _chances(self, nodes: Nodes, n_classes: int) -> Array: ...

    @abstractmethod
    def _left_out(self, nodes: Nodes, n_classes: int) -> Array: ...

    @abstractmethod
    def _follow(self, graph: Graph) -> None: ...


def clipped(values: Array, classes: Nodes, n_classes: int) -> Array:
    """Return fitted values as probabilities; 0 for classes that were not fitted.

    Examples
    --------
    >>> clipped(np.array([[1.2, -0.2]]), np.array([0, 2]), 3).round(2).tolist()
    [[0.99, 0.0, 0.01]]
    """
    kept = np.maximum(values, FLOOR)
    chances = np.zeros((len(values), n_classes))
    chances[:, classes] = kept / kept.sum(axis=1, keepdims=True)
    return chances


class Without(NamedTuple):
    """Values of labelled nodes as if each had no label, the nodes in increasing order."""

    nodes: Nodes
    values: Array

    @classmethod
    def of(cls, nodes: Nodes, values: Array) -> Without:
        """Take the values of the last nodes."""
        last = nodes[len(nodes) - len(values) :]
        order = np.argsort(last)
        return cls(last[order], values[order])


NOBODY = Without(np.empty(0, dtype=np.intp), np.empty((0, 0)))


def left_out_chances(
    nodes: Nodes, without: Without, classes: Nodes, n_classes: int, others: Callable[[Nodes], Array]
) -> Array:
    """Return the probabilities of nodes whose values without their own label are known.

    Those of `others` are asked for.

    Examples
    --------
    >>> without = Without.of(np.array([7]), np.array([[0.5, 0.5]]))
    >>> others = lambda nodes: np.array([[0.9, 0.1]] * len(nodes))
    >>> left_out_chances(np.array([4, 7]), without, np.arange(2), 2, others).tolist()
    [[0.9, 0.1], [0.5, 0.5]]
    """
    if not len(without.nodes):
        return others(nodes)
    at = np.minimum(np.searchsorted(without.nodes, nodes), len(without.nodes) - 1)
    judged = without.nodes[at] == nodes
    if judged.all():
        return clipped(without.values[at], classes, n_classes)
    found = np.empty((len(nodes), n_classes))
    found[judged] = clipped(without.values[at[judged]], classes, n_classes)
    found[~judged] = others(nodes[~judged])
    return found


def even_chances(count: int, n_classes: int) -> Array:
    """Return the same probability for every class.

    Examples
    --------
    >>> even_chances(1, 4).tolist()
    [[0.25, 0.25, 0.25, 0.25]]
    """
    return np.full((count, n_classes), 1.0 / max(n_classes, 1))
