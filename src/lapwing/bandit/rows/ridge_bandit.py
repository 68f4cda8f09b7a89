"""The base class of the five bandits with one ridge regression per class."""

from __future__ import annotations

import numpy as np

from lapwing.bandit.rows import ridge_arms
from lapwing.bandit.rows.guesses import Tally
from lapwing.bandit.rows.row_bandit import RowBandit
from lapwing.errors import InputError
from lapwing.linalg.ridge.inverse import checked_ridge
from lapwing.types import Array, Nodes


class RidgeBandit(RowBandit):
    """One ridge regression per class, optimistic guesses; see `lapwing.bandit.rows.ridge_arms`.

    Each class learns only from the rows it was guessed for, so each has its own A_k^-1: K d^2
    numbers. A round costs O(K d), and O(d^2) for each class that can be the best.
    """

    def __init__(
        self, features: Array, n_classes: int | None, rule: ridge_arms.ArmRule, *, seed: int
    ) -> None:
        super().__init__(features, n_classes, seed=seed)
        checked_rule(rule)
        checked_ridge(self.features, rule.b, weighted=rule.weight == 0.0)
        self.rule = rule
        d = self.features.shape[1]
        self.inverses = np.repeat(np.eye(d)[None] / rule.b, self.n_classes, axis=0)

    def _guess(self, node: int) -> int:
        x = self.features[node]
        return int(ridge_arms.arm_guess(x, node, self.dice, self._arms(), self.rule))

    def _learned(self, node: int, guess: int, correct: bool) -> bool:
        x = self.features[node]
        return bool(ridge_arms.arm_learn(x, guess, correct, self._arms(), self.rule))

    def _rounds(self, nodes: Nodes, labels: Nodes, tries: int, dice: Array, tally: Tally) -> None:
        ridge_arms.arm_rounds(
            self.features, nodes, labels, tries, dice, tally, self._arms(), self.rule
        )

    def _arms(self) -> ridge_arms.Arms:
        return ridge_arms.Arms(
            self.inverses,
            self.weights,
            self.feedback,
            self.tie_order,
            np.empty((2, self.n_classes)),
            np.empty_like(self.weights),
            np.zeros(self.n_classes, dtype=bool),
        )


def checked_rule(rule: ridge_arms.ArmRule) -> None:
    """Raise unless exploration and margin are in range.

    Examples
    --------
    >>> checked_rule(ridge_arms.ArmRule(1.0, 1.0, False, -2.0, np.inf, -1.0, np.inf))
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: exploration must be finite and at least 0, got -2.0
    """
    if not (np.isfinite(rule.width) and rule.width >= 0):
        raise InputError(f"exploration must be finite and at least 0, got {rule.width}")
    if not rule.phi >= 0:
        raise InputError(f"phi must be at least 0, got {rule.phi}")
