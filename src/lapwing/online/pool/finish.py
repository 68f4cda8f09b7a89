"""What is done to the mixture of a pool last: its classes are balanced, then a temperature."""

from __future__ import annotations

import numpy as np

from lapwing.learner.slips import Slips
from lapwing.online.near_far.temperature import Temperature, tempered
from lapwing.online.pool.balance import Balance, Shares, balanced
from lapwing.online.pool.worth import CHOSEN, LEAST
from lapwing.types import Array

MODEST, MODESTY = 1.0, 15.0
"""The last temperature before any label drawn at random, and the weight of that in labels."""


class Finish:
    """Balances the classes of a mixture (`Balance`) and sets how sure it is (`Temperature`).

    Both are learned from guesses before their answers: the balance from all of them, those that a
    strategy chose counting half; the temperature from those that no strategy chose.

    Examples
    --------
    >>> finish = Finish()
    >>> shares = Shares.among(np.array([8.0, 2.0]))
    >>> mixed = np.array([0.6, 0.4])
    >>> finish.probabilities(mixed, shares).round(2).tolist()
    [0.49, 0.51]
    """

    def __init__(self) -> None:
        self.balance, self.heat = Balance(), Temperature(prior=MODEST, strength=MODESTY)
        self.power, self.factor = self.balance.value(), 1.0

    def note(
        self, node: int, mixed: Array, shares: Shares, label: int, *, is_chosen: bool = False
    ) -> None:
        """Record what was thought of a node before its answer, and the answer."""
        self.balance.note(node, mixed, shares, label, counts=CHOSEN if is_chosen else 1.0)
        if not is_chosen:
            self.heat.note(node, np.log(self.balanced(mixed, shares) + LEAST), label)

    def forget(self, node: int) -> None:
        """Forget a node's answer."""
        self.balance.forget(node)
        self.heat.forget(node)

    def expect(self, slips: Slips) -> None:
        """Expect answers to be wrong so often."""
        self.balance.slips = self.heat.slips = slips

    def settle(self) -> None:
        """Learn from what was recorded."""
        self.power, self.factor = self.balance.value(), self.heat.value()

    def balanced(self, mixed: Array, shares: Shares) -> Array:
        """Return the mixture with its classes balanced."""
        return balanced(mixed, shares, self.power)

    def probabilities(self, mixed: Array, shares: Shares) -> Array:
        """Return the mixture balanced, and as sure as it may be."""
        return tempered(self.balanced(mixed, shares), self.factor)
