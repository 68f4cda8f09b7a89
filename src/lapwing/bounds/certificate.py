"""One proven bound, its number, and what happened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Quantity = Literal[
    "mistakes", "queries", "updates", "regret", "norm of labelling", "norm of node", "score error"
]
COUNTS = ("mistakes", "queries", "updates")
ROUNDING = 1e-7


@dataclass(frozen=True, kw_only=True)
class Certificate:
    """What a theorem promises about one graph, one labelling and one learner.

    `value` is the promise, an upper bound on `bounds` (mistakes, queries, ...); `actual` is what a
    run did, None without one. When a theorem does not apply, `why` says what it would need, and
    there is no value. `ingredients` are the numbers the value is made of. `note` tells where the
    value differs from the printed formula. `hindsight` marks a bound that sums over the rounds of a
    run itself and so promises nothing before it.

    Examples
    --------
    >>> four = Certificate(
    ...     name="cut and resistance", paper="Herbster and Pontil 2006", theorem="(16)",
    ...     learner="perceptron", bounds="mistakes", value=12.5, actual=4, rounds=100)
    >>> four.applies, four.vacuous, four.holds
    (True, False, True)
    """

    name: str
    paper: str
    theorem: str
    learner: str
    bounds: Quantity
    value: float | None = None
    actual: float | None = None
    why: str = ""
    rounds: int = 0
    says: str = ""
    note: str = ""
    hindsight: bool = False
    ingredients: Mapping[str, float] = field(default_factory=dict)

    @property
    def applies(self) -> bool:
        """Whether the theorem's conditions hold here."""
        return self.value is not None

    @property
    def vacuous(self) -> bool:
        """Whether it promises no more than that nothing happens more often than rounds do."""
        return self.bounds in COUNTS and self.value is not None and self.value >= self.rounds

    @property
    def holds(self) -> bool | None:
        """Whether what happened keeps the promise; None when nothing was promised or happened."""
        if self.value is None or self.actual is None:
            return None
        return self.actual <= self.value + ROUNDING * max(1.0, abs(self.value))

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {
            **vars(self),
            "ingredients": dict(self.ingredients),
            "applies": self.applies,
            "vacuous": self.vacuous,
            "holds": self.holds,
        }
