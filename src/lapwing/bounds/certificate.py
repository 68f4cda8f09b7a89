"""One proven bound, its value, and the result of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from lapwing.card import bars, card, html_table

Quantity = Literal[
    "mistakes",
    "queries",
    "updates",
    "projections",
    "regret",
    "norm of labelling",
    "norm of node",
    "score error",
]
Knowledge = Literal["labels", "order", "run"]
"""What a value is computed from: the graph and its labels, the order of the nodes too, or the run
itself."""
KNOWLEDGE: tuple[Knowledge, ...] = ("labels", "order", "run")
COUNTS = ("mistakes", "queries", "updates")
ROUNDING = 1e-7


@dataclass(frozen=True, kw_only=True)
class Certificate:
    """The value of a theorem's bound for one graph, one labelling and one learner.

    `value` is an upper bound on `bounds` (mistakes, queries, ...); `actual` is what a run did, None
    without one. `knows` says what the value is computed from: the graph and its labels ("labels"),
    which makes it a promise for every order of the nodes; the order as well ("order"); or what
    happened in the run ("run"), which explains that run and promises nothing about another. If a
    theorem does not apply, `why` says what is missing, and there is no value. `printed` is the
    value of the formula as the paper prints it, and `correction` says why `value` is not the same.
    `ingredients` are the numbers from which the value is computed; `note` adds remarks. `version`
    says which settings of the learner the theorem speaks of, where the catalog has others.

    Examples
    --------
    >>> four = Certificate(
    ...     name="cut and resistance", paper="Herbster and Pontil 2006", theorem="(16)",
    ...     learner="perceptron", bounds="mistakes", value=12.5, actual=4, rounds=100)
    >>> four.applies, four.vacuous, four.holds
    (True, False, True)
    >>> four.any_order, four.verdict
    (True, 'kept')
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
    knows: Knowledge = "labels"
    printed: float | None = None
    correction: str = ""
    version: str = ""
    ingredients: Mapping[str, float] = field(default_factory=dict)

    @property
    def subject(self) -> str:
        """The learner that the bound is about, with its version where that must be said."""
        return f"{self.learner} ({self.version})" if self.version else self.learner

    @property
    def applies(self) -> bool:
        """Whether the theorem's conditions hold here."""
        return self.value is not None

    @property
    def any_order(self) -> bool:
        """Whether the value needs neither an order nor a run."""
        return self.knows == "labels"

    @property
    def hindsight(self) -> bool:
        """Whether the value is computed from the run that it bounds."""
        return self.knows == "run"

    @property
    def vacuous(self) -> bool:
        """Whether the bound is at least the number of rounds, and so says nothing."""
        return self.bounds in COUNTS and self.value is not None and self.value >= self.rounds

    @property
    def holds(self) -> bool | None:
        """Whether the run stayed within the bound; None without a bound or a run."""
        if self.value is None or self.actual is None:
            return None
        return self.actual <= self.value + ROUNDING * max(1.0, abs(self.value))

    def as_dict(self) -> dict[str, Any]:
        """Return everything as a dict for JSON."""
        return {
            **vars(self),
            "ingredients": dict(self.ingredients),
            "applies": self.applies,
            "any_order": self.any_order,
            "hindsight": self.hindsight,
            "vacuous": self.vacuous,
            "holds": self.holds,
        }

    @property
    def verdict(self) -> str:
        """Return a short verdict on this certificate."""
        if not self.applies:
            return f"no promise: {self.why}"
        if self.holds is False:
            return "broken!"
        kept = "a promise" if self.holds is None else "kept"
        limits = {
            "vacuous: no less than the rounds": self.vacuous,
            "for this order": self.knows == "order",
            "hindsight": self.hindsight,
        }
        return ", ".join([kept, *(words for words, true in limits.items() if true)])

    def _repr_html_(self) -> str:
        """The HTML that a notebook shows."""
        rows = [
            ("theorem", f"{self.theorem}, {self.paper}"),
            ("in words", self.says),
            ("verdict", self.verdict),
            ("rounds", f"{self.rounds:,}" if self.rounds else ""),
            ("made of", ", ".join(f"{name} = {v:.4g}" for name, v in self.ingredients.items())),
            ("as printed", "" if self.printed is None else f"{self.printed:,.4g}"),
            ("corrected", self.correction),
            ("note", self.note),
        ]
        known = {"at most": self.value, "happened": self.actual}
        drawn = bars({name: value for name, value in known.items() if value is not None})
        title = f"{self.subject}: {self.bounds}"
        return card(title, [row for row in rows if row[1]], drawn=drawn)


class Certificates(list[Certificate]):
    """A list of certificates that a notebook shows as one table.

    Examples
    --------
    >>> Certificates()._repr_html_().count("<tr")
    1
    """

    def _repr_html_(self) -> str:
        columns = ("learner", "bounded", "at most", "happened", "rounds", "verdict", "theorem")
        return html_table(columns, [_line(each) for each in self])


def _line(each: Certificate) -> tuple[str, ...]:
    value, actual = (
        "" if number is None else f"{number:,.4g}" for number in (each.value, each.actual)
    )
    rounds = f"{each.rounds:,}" if each.rounds else ""
    source = f"{each.theorem}, {each.paper}"
    return each.learner, each.bounds, value, actual, rounds, each.verdict, source
