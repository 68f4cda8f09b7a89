"""What rows, such as attributes or a node's position, say about a node being positive."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

import numpy as np

from lapwing.linalg.logistic import logistic_coefficients
from lapwing.types import Array, Index, Mask, Nodes

SHARE = 20
"""The regression is fitted again when one label in twenty has changed, or more seldom."""
UNSEEN, UNSEEN_WEIGHT = 200, 5.0
"""Random unlabelled nodes that stand for the rest of the graph, and their weight in labels."""
PENALTY = 0.1


class RowOdds(ABC):
    """Log odds of being positive by logistic regression on rows.

    It is fitted again after `every` changes of labels (from 20 times as many labels on, after one
    in twenty). With one positive node there is nothing to compare it with, so 200 unlabelled nodes
    drawn at random count as negative, together as much as five labels. Odds are relative to those
    of the labels fitted. Without rows, all odds are 0.
    """

    def __init__(self, n_nodes: int, *, every: int, seed: int = 0) -> None:
        self.n_nodes, self.every, self.seed = n_nodes, every, seed
        self._changes = self._fitted_at = 0
        self._to_fit: dict[int, bool] | None = None
        self._odds = np.zeros(n_nodes)

    @property
    @abstractmethod
    def has_rows(self) -> bool:
        """Whether there are rows at all."""

    @abstractmethod
    def _rows(self, nodes: Nodes) -> Array:
        """The rows of these nodes."""

    @abstractmethod
    def _fitted(self, weights: Array) -> tuple[Array, Mask]:
        """The products of all rows with these weights, and which nodes have a row."""

    def follow(self, labels: Mapping[int, bool]) -> None:
        """Note one change: these are the labels now, true where positive."""
        self._changes += 1
        wait = max(self.every, len(labels) // SHARE) if self._fitted_at else 1
        if self._changes - self._fitted_at >= wait and any(labels.values()):
            self._to_fit, self._fitted_at = dict(labels), self._changes

    def at(self, nodes: Index) -> Array:
        """Return the log odds of one node or several."""
        if self._to_fit is not None:
            labels, self._to_fit = self._to_fit, None
            if self.has_rows:
                self._fit(labels)
        return np.asarray(self._odds[nodes])

    def _fit(self, labels: Mapping[int, bool]) -> None:
        known = np.fromiter(labels, np.intp, len(labels))
        unseen = self._unseen(known)
        truth = np.array([*labels.values(), *[False] * len(unseen)])
        if truth.all():
            return
        weight = np.ones(len(truth))
        weight[len(known) :] = UNSEEN_WEIGHT / max(len(unseen), 1)
        rows = self._rows(np.concatenate([known, unseen]))
        fit = logistic_coefficients(rows, truth, weight, penalty=PENALTY)
        found, told = self._fitted(fit[:-1])
        share = float(weight[truth].sum() / weight.sum())
        offset = float(fit[-1]) - float(np.log(share / (1.0 - share)))
        self._odds = np.where(told, found + offset, 0.0)

    def _unseen(self, known: Nodes) -> Nodes:
        """Nodes without a label, drawn by the seed and the number of changes."""
        free = np.ones(self.n_nodes, dtype=bool)
        free[known] = False
        left = np.flatnonzero(free)
        rng = np.random.default_rng([self.seed, self._fitted_at])
        return np.sort(rng.choice(left, min(UNSEEN, len(left)), replace=False))
