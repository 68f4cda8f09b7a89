"""The base class of OSLG, MSG and MOLG."""

from __future__ import annotations

import numpy as np

from lapwing.checks import at_least
from lapwing.learner import GrowsWithRows, Learner, Trace
from lapwing.linalg.products import row_products
from lapwing.online.linear import margin_ridge
from lapwing.online.linear.new_classes import n_classes_after, of_named, with_more
from lapwing.types import Array, Index, Nodes


class MarginLearner(Learner, GrowsWithRows):
    """Ridge regression of several classes on rows; see `lapwing.online.linear.margin_ridge`.

    Memory is O(d^2 + K d), with one inverse for all K classes, because an update has the same
    row and weight for all. Without `n_classes`, a class is added when its label appears, with
    weights of zero.
    """

    signed = True

    def __init__(
        self, features: Array, n_classes: int | None, rule: margin_ridge.MarginRule
    ) -> None:
        self.features = np.ascontiguousarray(features, dtype=np.float64)
        self.n_nodes, d = self.features.shape
        self.rule = rule
        self.fixed_classes = n_classes
        self.named = np.zeros(n_classes or 0, dtype=bool)
        self.inverse = np.eye(d) / rule.b
        self.weights = np.zeros((n_classes or 0, d))
        self.dice = np.zeros(1)

    @property
    def n_classes(self) -> int:
        return len(self.weights)

    @property
    def vectors_per_update(self) -> int:
        """The number of weight vectors that one update changes, as counted in the paper."""
        return min(2, self.n_classes) if self.rule.pairs else self.n_classes

    def _take_rows(self, rows: Array) -> None:
        self.features, self.n_nodes = rows, len(rows)

    def _scores(self, nodes: Index) -> Array:
        many = np.atleast_1d(np.asarray(nodes, dtype=np.intp))
        scores = row_products(self.features, many, self.weights)
        return of_named(np.asarray(scores[0] if np.ndim(nodes) == 0 else scores), self.named)

    def _queries(self, node: int) -> bool:
        x, scores = self.features[node], self.weights @ self.features[node]
        return bool(margin_ridge.margin_wants(x, scores, self.dice[0], self._state(), self.rule))

    def _learn(self, node: int, label: int | None) -> None:
        if label is not None:
            self._play(np.array([node]), np.array([label]), self.dice, always=True)
        self.dice = self._drawn(1)

    def _stream(self, nodes: Nodes, labels: Nodes, *, always: bool) -> Trace:
        dice = np.concatenate([self.dice, self._drawn(len(nodes))])
        trace = self._play(nodes, labels, dice[:-1], always=always)
        self.dice = dice[-1:]
        return trace

    def _play(self, nodes: Nodes, labels: Nodes, dice: Array, *, always: bool) -> Trace:
        known, most = self.n_classes, n_classes_after(self.n_classes, labels)
        if most > known:
            new = np.zeros((most - known, self.weights.shape[1]))
            self.weights = np.vstack([self.weights, new])
            self.named = with_more(self.named, most)
        rule = self.rule._replace(h=np.inf) if always else self.rule
        guesses, queried, taught, known = margin_ridge.margin_rounds(
            self.features, nodes, labels, dice, self._state(), rule, known
        )
        self.weights, self.named = self.weights[:known], self.named[:known]
        return Trace(guesses=guesses, queried=queried, updates=taught * self.vectors_per_update)

    def _drawn(self, count: int) -> Array:
        """Draw the dice of the next rounds; only a selective sampler uses them."""
        return np.zeros(count)

    def _state(self) -> margin_ridge.MarginState:
        return margin_ridge.MarginState(
            self.inverse, self.weights, np.empty(self.features.shape[1]), self.named
        )


def checked_margin(phi: float) -> float:
    """Return the margin as a number; raise if it is negative.

    Examples
    --------
    >>> checked_margin(10)
    10.0
    """
    at_least("phi", phi, 0)
    return float(phi)
