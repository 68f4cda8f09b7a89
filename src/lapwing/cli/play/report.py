"""What ``lapwing play`` played: its numbers for people, for programs and for files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.bounds import Certificate, promise
from lapwing.catalog import Experiment, Protocol
from lapwing.catalog.make import named
from lapwing.data import Dataset
from lapwing.figures.rounds import Curves
from lapwing.metrics import Summary, cumulative, spread
from lapwing.play import Game, Tuning

RATES = {"error": "error", "binary_error": "binary error", "unknown": "unknown"}
MOST_NODES = 4000
"""Up to this many nodes, a theorem's bound is exact and fast to compute."""
COUNTS = {
    "queries": "queries per class",
    "distinct_queries": "distinct nodes",
    "updates": "updates",
    "guesses": "guesses",
}


@dataclass
class Played:
    """One learner's games, the last perhaps not to its end."""

    experiment: Experiment
    games: list[Game] = field(default_factory=list)
    tuning: Tuning | None = None
    waited: dict[str, float] = field(default_factory=dict)
    interrupted: bool = False

    @property
    def learner(self) -> str:
        """The learner's name."""
        return self.experiment.learner

    @property
    def rounds(self) -> int:
        """How many rounds were played in all games."""
        return sum(len(game.nodes) for game in self.games)

    @property
    def seconds(self) -> float:
        """Seconds spent in the learner in all games."""
        return float(sum(game.seconds[-1] for game in self.games if len(game.nodes)))

    def note(self, what: str, seconds: float) -> None:
        """Add to what the user has waited for."""
        self.waited[what] = self.waited.get(what, 0.0) + seconds

    def all_waited(self) -> dict[str, float]:
        """What the user waited for, in seconds, part by part; the rounds come last."""
        return {**self.waited, "rounds": self.seconds}

    def tune(self, wanted: bool, rules: Protocol | None) -> None:
        """Choose mu on a held-out order, if that is wanted and mu is not set."""
        free = "mu" in self.experiment.entry.parameters and "mu" not in self.experiment.parameters
        if not free or not (wanted or (rules is not None and rules.tuned_by)):
            return
        if rules is not None and rules.tuned_by:
            self.tuning = self.experiment.tuned(by=rules.tuned_by, measure=rules.measure)
        else:
            self.tuning = self.experiment.tuned()
        parameters = {**self.experiment.parameters, "mu": self.tuning.best}
        self.experiment = replace(self.experiment, parameters=parameters)

    def summaries(self) -> list[Summary]:
        """The numbers of every whole game; of the one begun, if none is whole."""
        whole = [game.so_far() for game in self.games if len(game.left) == 0]
        return whole or [game.so_far() for game in self.games[:1]]

    def curves(self, *, binary: bool) -> list[Curves]:
        """Error, queries and time up to each round, per game."""
        return [_curves(game, binary) for game in self.games if len(game.nodes)]

    def as_dict(self, found: Dataset, rules: Protocol | None) -> dict[str, Any]:
        """Everything a program may want, ready for JSON."""
        experiment, summaries = self.experiment, self.summaries()
        return {
            "learner": self.learner,
            "parameters": experiment.all_parameters,
            "graph": found.name,
            "n_nodes": found.graph.n_nodes,
            "n_classes": found.n_classes,
            "rounds": len(experiment.nodes),
            "shuffles": sum(len(game.left) == 0 for game in self.games),
            "seed": experiment.seed,
            "protocol": None if rules is None else rules.name,
            "departures": experiment.entry.departures,
            "tuning": None if self.tuning is None else self.tuning.errors,
            "interrupted": self.interrupted,
            "waited": self.all_waited(),
            **spread(summaries),
        }


def _curves(game: Game, binary: bool) -> Curves:
    trace, labels = game.trace, game.labels[game.nodes]
    n_classes = max(game.so_far().n_classes, 1)
    wrong = trace.guesses != labels
    if binary and trace.binary_mistakes is not None:
        wrong = trace.binary_mistakes / n_classes
    asked = trace.queried if trace.class_queries is None else trace.class_queries / n_classes
    queries = np.cumsum(asked, dtype=np.float64)
    return Curves(error=cumulative(wrong), queries=queries, seconds=game.seconds)


def played_table(runs: Sequence[Played]) -> tuple[list[str], list[list[Any]]]:
    """Columns and rows for people: one column per learner, mean ± standard deviation."""
    numbers = [spread(run.summaries()) for run in runs]
    rows: list[list[Any]] = [
        [title, *(_rate(each[name]) for each in numbers)] for name, title in RATES.items()
    ]
    rows += [[title, *(_count(each[name]) for each in numbers)] for name, title in COUNTS.items()]
    seconds = [each["seconds"]["mean"] or 0.0 for each in numbers]
    rows.append(["seconds per order", *(f"{each:.3g}" for each in seconds)])
    waited = [run.all_waited() for run in runs]
    rows.append(["seconds in all", *(f"{sum(each.values()):.3g}" for each in waited)])
    for part in dict.fromkeys(name for each in waited for name in each):
        rows.append([f"  {part}", *(f"{each.get(part, 0.0):.3g}" for each in waited)])
    speeds = [run.rounds / max(run.seconds, 1e-12) for run in runs]
    rows.append(["rounds per second", *(f"{speed:,.0f}" for speed in speeds)])
    shown = [row for row in rows if any(cell is not None for cell in row[1:])]
    return ["", *(run.learner for run in runs)], shown


def _rate(number: dict[str, float | None]) -> str | None:
    mean, sd = number["mean"], number["sd"]
    if mean is None:
        return None
    return f"{mean:.4f}" if sd is None else f"{mean:.4f} ± {sd:.4f}"


def _count(number: dict[str, float | None]) -> str | None:
    mean, sd = number["mean"], number["sd"]
    if mean is None:
        return None
    return f"{mean:,.0f}" if not sd else f"{mean:,.0f} ± {sd:,.0f}"


def rounds_table(runs: Sequence[Played], found: Dataset) -> dict[str, NDArray[Any]]:
    """One row per round of every game, nodes and classes by their names."""
    names = np.array([str(name) for name in found.graph.names])
    classes = np.array([*(str(name) for name in found.classes), ""])
    parts: list[dict[str, NDArray[Any]]] = []
    for run in runs:
        for i, game in enumerate(run.games):
            table = game.table()
            n = len(table["round"])
            table["node"] = names[table["node"]]
            for column in ("label", "guess"):
                table[column] = classes[table[column]]
            start = {"learner": np.full(n, run.learner), "shuffle": np.full(n, i)}
            parts.append(start | table)
    shared = [name for name in (parts[0] if parts else {}) if all(name in part for part in parts)]
    return {name: np.concatenate([part[name] for part in parts]) for name in shared}


def promised(experiment: Experiment, games: list[Game]) -> Certificate | None:
    """The tightest bound on the learner's mistakes in any order, beside its worst game.

    None where no theorem speaks of the learner and its parameters, or the graph is large
    (``lapwing certify`` takes any).
    """
    if experiment.graph.n_nodes > MOST_NODES or not games:
        return None
    parameters = {**named(experiment.learner).parameters, **experiment.parameters}
    wrong = [int(np.sum(game.trace.guesses != game.labels[game.nodes])) for game in games]
    return promise(
        experiment.learner, experiment.graph, experiment.labels, parameters, mistakes=max(wrong)
    )


def in_words(found: Certificate) -> str:
    """The promise as one line."""
    vacuous = ", which says nothing" if found.vacuous else ""
    return (
        f"{found.learner}: at most {found.value:,.1f} mistakes in any order of {found.rounds:,} "
        f"nodes are proven ({found.paper}, {found.theorem}){vacuous}; the worst game made "
        f"{found.actual:,.0f}"
    )
