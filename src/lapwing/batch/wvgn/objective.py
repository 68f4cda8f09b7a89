"""Objective (9) of Ye et al. 2017 for all classes at once, and its gradient."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapwing.batch.known_labels import KnownLabels
from lapwing.batch.wvgn.rows import GeometricRows
from lapwing.types import Array


@dataclass(frozen=True)
class Objective:
    """F(w) = ridge/2 |w * d|^2 + 1/l sum_q max(1 - y_q x_q w, 0)^2, one w per column.

    `rows` are the labelled x_q, each ending in a 1 for the bias, and `penalty` is d^2, also of
    n + 1 entries. Convex: the text's "local optima" are places where its searches stop early.
    The text prints the penalty's gradient as ridge w * d in (10) and (13); (9) implies d^2.
    """

    rows: Array
    signs: Array
    penalty: Array
    ridge: float

    @classmethod
    def of(cls, rows: GeometricRows, known: KnownLabels, *, ridge: float) -> Objective:
        """Make the objective of some labelled nodes; stores their rows, l x (n + 1)."""
        held = np.empty((len(known.nodes), known.n_nodes + 1), order="F")
        held[:, :-1] = rows.rows(known.nodes)
        held[:, -1] = 1.0
        penalty = np.append(1.0 / rows.metric, 1.0)
        return cls(held, known.signs, penalty, ridge)

    @property
    def cost(self) -> float:
        """The text's alpha / l, with alpha = 1 (only ridge / alpha matters)."""
        return 1.0 / len(self.signs)

    def slack(self, weights: Array) -> Array:
        """b_q = 1 - y_q x_q w, for each labelled node and class."""
        return 1.0 - self.signs * (self.rows @ weights)

    def value(self, weights: Array, slack: Array) -> Array:
        """F of each column, given its slack."""
        penalty = self.penalty @ weights**2
        return np.asarray(
            self.ridge / 2 * penalty + self.cost * (np.maximum(slack, 0.0) ** 2).sum(axis=0)
        )

    def gradient(self, weights: Array, slack: Array) -> Array:
        """F' of each column: (10), with d^2."""
        pull = self.rows.T @ (self.signs * np.maximum(slack, 0.0))
        return np.asarray(self.ridge * self.penalty[:, None] * weights - 2 * self.cost * pull)
