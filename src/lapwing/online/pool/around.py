"""Experts on the labels around a node, and on the labels at large."""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy import sparse

from lapwing.graph import Graph
from lapwing.online.near_far.near_far import NearFar
from lapwing.online.pool.expert import (
    FLOOR,
    NOBODY,
    Expert,
    Without,
    clipped,
    even_chances,
    left_out_chances,
)
from lapwing.online.pool.leave_one_out import judged_ridge_fit
from lapwing.types import Array, Nodes

RIDGE = 1.0


class ClassesAround(Expert):
    """Ridge regression on the shares of the classes one and two steps away.

    It learns what neighbours of each class mean, so it serves where neighbours differ in a regular
    way. A label costs the walks of two steps from its node.

    Examples
    --------
    A ring on which every node differs from both neighbours:

    >>> ring = Graph.from_edges([(i, (i + 1) % 12) for i in range(12)])
    >>> expert = ClassesAround(ring)
    >>> for node in range(8):
    ...     expert.learn(node, node % 2)
    >>> expert.chances(np.array([8, 11]), 2).argmax(axis=1).tolist()
    [0, 1]
    """

    def __init__(self, graph: Graph) -> None:
        super().__init__("classes around")
        self.classes = np.empty(0, dtype=np.intp)
        self.weights, self.means = np.empty((0, 0)), np.empty(0)
        self._without = NOBODY
        self._follow(graph)

    def _follow(self, graph: Graph) -> None:
        self._walk = _steps(graph)
        self._degrees = np.diff(self._walk.indptr)
        self._one = np.zeros((graph.n_nodes, 0))
        self._two = np.zeros((graph.n_nodes, 0))
        for node, label in self.labels.items():
            self._count(node, label, 1.0)

    def learn(self, node: int, label: int) -> None:
        before = self.labels.get(node)
        if before is not None:
            self._count(node, before, -1.0)
        self._count(node, label, 1.0)
        super().learn(node, label)

    def withdraw(self, node: int) -> None:
        if node in self.labels:
            self._count(node, self.labels[node], -1.0)
        super().withdraw(node)

    def _count(self, node: int, label: int, sign: float) -> None:
        """Add one label to the counts of nodes one and two steps away."""
        lacking = label + 1 - self._one.shape[1]
        if lacking > 0:
            room = np.zeros((len(self._one), lacking))
            self._one, self._two = np.hstack([self._one, room]), np.hstack([self._two, room])
        near = self._walk.indices[self._walk.indptr[node] : self._walk.indptr[node + 1]]
        self._one[near, label] += sign
        further = self._walk[near].indices
        np.add.at(self._two[:, label], further, sign)
        self._two[node, label] -= sign * len(near)

    def _rows(self, nodes: Nodes) -> Array:
        one, two = self._one[nodes], self._two[nodes]
        return np.hstack([part / (part.sum(axis=1, keepdims=True) + 1.0) for part in (one, two)])

    def _fit(self) -> None:
        nodes = np.array(list(self.labels), dtype=np.intp)
        labels = np.array(list(self.labels.values()), dtype=np.intp)
        self.classes, self._without = np.unique(labels), NOBODY
        if len(self.classes) < 2:
            return
        rows = self._rows(nodes)
        fit = judged_ridge_fit(
            rows, labels[:, None] == self.classes, usual=RIDGE, floor=FLOOR,
            penalty=RIDGE,
        )  # fmt: skip
        self.weights, self.means = fit.weights(rows), fit.means
        self._without = Without.of(nodes, fit.left_out)

    def _chances(self, nodes: Nodes, n_classes: int) -> Array:
        if len(self.classes) < 2:
            return even_chances(len(nodes), n_classes)
        rows = self._rows(nodes)[:, : len(self.weights)]
        return clipped(rows @ self.weights + self.means, self.classes, n_classes)

    def _left_out(self, nodes: Nodes, n_classes: int) -> Array:
        others = partial(self._chances, n_classes=n_classes)
        return left_out_chances(nodes, self._without, self.classes, n_classes, others)


class ClassShares(Expert):
    """The share of each class among the labels, whatever the node.

    Examples
    --------
    >>> shares = ClassShares()
    >>> shares.learn(0, 1)
    >>> shares.chances(np.array([5]), 2).round(2).tolist()
    [[0.33, 0.67]]
    """

    def __init__(self) -> None:
        super().__init__("class shares")

    def _fit(self) -> None:
        """Nothing to fit: the shares are counted."""

    def _follow(self, graph: Graph) -> None:
        """Labels stay the same on any graph."""

    def _chances(self, nodes: Nodes, n_classes: int) -> Array:
        counts = np.bincount(
            np.array(list(self.labels.values()), dtype=np.intp), minlength=n_classes
        )
        share = (counts + 1.0) / (counts.sum() + n_classes)
        return np.tile(share, (len(nodes), 1))

    def _left_out(self, nodes: Nodes, n_classes: int) -> Array:
        own = np.array([self.labels[node] for node in nodes.tolist()], dtype=np.intp)
        found = self._chances(nodes, n_classes) * (len(self.labels) + n_classes)
        found[np.arange(len(nodes)), own] -= 1.0
        return np.asarray(found / found.sum(axis=1, keepdims=True))


class NearLabels(Expert):
    """The near half of near-far: the mass of labels nearby."""

    def __init__(self, inner: NearFar) -> None:
        super().__init__("labels nearby")
        self._inner = inner

    def _fit(self) -> None:
        """near-far learns by itself."""

    def _follow(self, graph: Graph) -> None:
        """near-far follows by itself."""

    def _chances(self, nodes: Nodes, n_classes: int) -> Array:  # noqa: ARG002 - as near-far knows
        return self._inner.near_chances(nodes)

    def _left_out(self, nodes: Nodes, n_classes: int) -> Array:  # noqa: ARG002 - as near-far knows
        return self._inner.near_chances_without(nodes)


def _steps(graph: Graph) -> sparse.csr_array:
    """The edges without weights and loops."""
    edges = sparse.csr_array(graph.adjacency, copy=True)
    edges.data = np.ones_like(edges.data)
    edges.setdiag(0)
    edges.eliminate_zeros()
    return sparse.csr_array(edges)
