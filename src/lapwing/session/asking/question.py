"""Questions: a node by name, with the information that helps to answer."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lapwing.card import card, html_table
from lapwing.pictures import image_html

LONGEST = 400
"""Characters of a text that are shown."""


def value_text(value: Any) -> str:
    """A value of the node table in words; empty where it is missing.

    Examples
    --------
    >>> value_text(0.5), value_text(None), value_text(np.array([0.0, 2.0]))
    ('0.5', '', '2 numbers, 1 of them not 0')
    """
    if value is None or value != value if not isinstance(value, np.ndarray) else False:
        return ""
    if isinstance(value, np.ndarray):
        return f"{value.size:,} numbers, {np.count_nonzero(value):,} of them not 0"
    if isinstance(value, bytes):
        return f"{len(value):,} bytes"
    text = str(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


@dataclass(frozen=True, slots=True)
class Neighbor:
    """A neighbour of the node in question: its label, or else what is predicted for it."""

    node: Hashable
    label: str | None
    guess: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A node to ask about.

    `reason` says why it was picked. `neighbors` are its neighbours, those with labels first (at
    most eight; `n_neighbors` counts all). `attributes` is the node's row of the node table; `shown`
    names the columns that cards show, `giveaways` those among them whose values are the classes
    under other names. On an `audit`, the learner's guess is hidden until the answer is given:
    people tend to confirm what they see, and the error estimate would be too low. It stays hidden
    (`blind`) if the node is asked about `again`.
    """

    node: Hashable
    reason: str
    audit: bool
    attributes: Mapping[str, Any]
    neighbors: tuple[Neighbor, ...]
    n_neighbors: int
    by: str
    shown: tuple[str, ...] = ()
    giveaways: frozenset[str] = frozenset()
    blind: bool = False
    again: bool = False
    _guess: str | None = field(repr=False, default=None)
    _confidence: float | None = field(repr=False, default=None)
    _answered: Callable[[], bool] = field(repr=False, compare=False, default=bool)

    @property
    def guess(self) -> str | None:
        """The learner's guess; None if it has none, or while an audit is open."""
        return self._guess if self._shown else None

    @property
    def confidence(self) -> float | None:
        """The probability of the guess; None where there is none to show."""
        return self._confidence if self._shown and self._guess is not None else None

    @property
    def _shown(self) -> bool:
        return not self.blind or self._answered()

    def heading(self, column: str) -> str:
        """A column's name, with a remark if its values give the label away."""
        return f"{column} (gives the label away)" if column in self.giveaways else column

    def _repr_html_(self) -> str:
        """The question as a card."""
        guess = "" if self.guess is None else f"{self.guess} ({self.confidence:.0%})"
        rows = [("why", self.reason), ("guess", guess or "hidden" * self.blind or "none yet")]
        images = {name: image_html(self.attributes[name]) for name in self.shown}
        rows += [
            (self.heading(name), value_text(self.attributes[name]))
            for name in self.shown
            if not images[name] and value_text(self.attributes[name])
        ]
        near = [
            (str(each.node), each.label or (f"{each.guess}?" if each.guess else ""))
            for each in self.neighbors
        ]
        drawn = "".join(images.values()) + html_table(["neighbour", "label"], near)
        return card(f"Node {self.node}", rows, drawn=drawn)
