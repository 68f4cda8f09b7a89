"""Play one learner on several orders of a labelled graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from lapwing.catalog.entry import Entry
from lapwing.catalog.make import make, named
from lapwing.checks import at_least
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.play import Game, Teacher, Tuning, play, shuffled, tuned
from lapwing.types import UNKNOWN, Nodes

HELD_OUT = 8
"""Number of orders for tuning; the paper uses one, too few to separate close values."""


@dataclass(frozen=True)
class Experiment:
    """A learner by name, a labelled graph, and random orders of its nodes.

    Order i uses ``seed + i``, and so does the learner itself, unless `parameters` sets its seed.
    Nodes without a label (`UNKNOWN`) are not played.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> experiment = Experiment("gpa", graph, np.array([0, 0, 0, 1, 1, 1]), shuffles=2)
    >>> [game.summary().rounds for game in experiment.games()]
    [6, 6]
    """

    learner: str
    graph: Graph
    labels: Nodes
    n_classes: int | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    shuffles: int = 1
    seed: int = 0
    teacher: Teacher | str | None = None
    tries: int = 1

    def __post_init__(self) -> None:
        at_least("shuffles", self.shuffles, 1)
        if self.entry.kind == "batch":
            raise InputError(f"{self.learner} learns all labels at once; only online learners play")
        if len(self.nodes) == 0:
            raise InputError("the graph has no labelled node to play")

    @property
    def entry(self) -> Entry:
        """The learner's entry in the catalog."""
        return named(self.learner)

    @property
    def nodes(self) -> Nodes:
        """The nodes with a label."""
        return np.flatnonzero(self.labels != UNKNOWN)

    @property
    def all_parameters(self) -> dict[str, Any]:
        """All parameters: those that are set, and the defaults of the rest."""
        return self.entry.parameters | dict(self.parameters)

    def games(self) -> Iterator[Game]:
        """Yield one unplayed game per order; compiled code is loaded before the first."""
        self._game(0, self.nodes[:2]).run()
        for i in range(self.shuffles):
            yield self._game(i, shuffled(self.nodes, self.seed + i))

    def tuned(
        self, *, by: str | None = None, measure: Literal["error", "binary_error"] = "error"
    ) -> Tuning:
        """Return the best mu of the paper's grid, tuned on orders that `games` does not play.

        `by` names another learner to tune with, which gets the parameters that both share.

        Examples
        --------
        >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
        >>> told = {"rank": 3, "kappa": 0.5}
        >>> experiment = Experiment("sslgc", graph, np.array([0, 0, 0, 1, 1, 1]), parameters=told)
        >>> experiment.tuned(by="ollgc").best in experiment.tuned().errors
        True
        """
        if by is not None:
            accepted = set(named(by).parameters) - {"mu"}
            shared = {key: told for key, told in self.parameters.items() if key in accepted}
            return replace(self, learner=by, parameters=shared).tuned(measure=measure)
        if "mu" not in self.entry.parameters:
            raise InputError(f"{self.learner} has no parameter mu to tune")
        start = self.seed + self.shuffles
        orders = [shuffled(self.nodes, start + i) for i in range(HELD_OUT)]

        def with_mu(mu: float) -> Any:
            chosen = {**self._parameters(self.shuffles), "mu": mu}
            return make(self.learner, self.graph, n_classes=self.n_classes, **chosen)

        return tuned(with_mu, orders, self.labels, measure=measure)

    def _game(self, i: int, order: Nodes) -> Game:
        learner = make(self.learner, self.graph, n_classes=self.n_classes, **self._parameters(i))
        return play(learner, order, self.labels, teacher=self.teacher, tries=self.tries)

    def _parameters(self, i: int) -> dict[str, Any]:
        seeded = {"seed": self.seed + i} if "seed" in self.entry.parameters else {}
        return seeded | dict(self.parameters)
