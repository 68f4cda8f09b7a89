"""The base class of Banditron and SOBA."""

from __future__ import annotations

import numpy as np

from lapwing.bandit.rows import exploring_perceptron as exploring
from lapwing.bandit.rows.guesses import Tally
from lapwing.bandit.rows.row_bandit import RowBandit
from lapwing.errors import InputError
from lapwing.types import Array, Nodes


class ExploringBandit(RowBandit):
    """Weights of all classes, with occasional random guesses."""

    def __init__(
        self, features: Array, n_classes: int | None, *, exploration: float, seed: int
    ) -> None:
        super().__init__(features, n_classes, seed=seed)
        if not 0 < exploration <= 1:
            raise InputError(f"exploration must be more than 0 and at most 1, got {exploration}")
        self.exploration = float(exploration)
        self.inverse = np.empty((0, 0))
        self.total = np.zeros(1)

    def _guess(self, node: int) -> int:
        return int(exploring.explorer_guess(self.features[node], node, self.dice, self._state())[0])

    def _learned(self, node: int, guess: int, correct: bool) -> bool:
        x = self.features[node]
        return bool(exploring.explorer_learn(x, node, guess, correct, self._state()))

    def _rounds(self, nodes: Nodes, labels: Nodes, tries: int, dice: Array, tally: Tally) -> None:
        exploring.explorer_rounds(self.features, nodes, labels, tries, dice, tally, self._state())

    def _drawn(self, count: int) -> Array:
        return self.rng.random((count, 2))

    def _state(self) -> exploring.ExplorerState:
        return exploring.ExplorerState(
            self.weights,
            self.feedback,
            self.tie_order,
            self.exploration,
            self.inverse,
            self.total,
            np.empty(self.n_classes),
        )
