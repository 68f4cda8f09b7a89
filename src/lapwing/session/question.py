"""Questions: a node by name, with the information that helps to answer."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from lapwing.card import card, html_table
from lapwing.pictures import image_html


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
    most eight; `n_neighbors` counts all). `attributes` is what is known of the node otherwise. On
    an `audit`, the learner's guess is hidden until the answer is given: people tend to confirm what
    they see, and the error estimate would be too low.
    """

    node: Hashable
    reason: str
    audit: bool
    attributes: Mapping[str, Any]
    neighbors: tuple[Neighbor, ...]
    n_neighbors: int
    by: str
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
        return not self.audit or self._answered()

    def _repr_html_(self) -> str:
        """The question as a card."""
        guess = "" if self.guess is None else f"{self.guess} ({self.confidence:.0%})"
        rows = [("why", self.reason), ("guess", guess or "hidden" * self.audit or "none yet")]
        images = {name: image_html(value) for name, value in self.attributes.items()}
        rows += [(str(n), str(v)) for n, v in self.attributes.items() if not images[n]]
        near = [
            (str(each.node), each.label or (f"{each.guess}?" if each.guess else ""))
            for each in self.neighbors
        ]
        drawn = "".join(images.values()) + html_table(["neighbour", "label"], near)
        return card(f"Node {self.node}", rows, drawn=drawn)
