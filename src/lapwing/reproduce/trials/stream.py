"""An online, selective or bandit learner over one random order of all labelled nodes."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from lapwing.catalog import Experiment
from lapwing.catalog.make import named
from lapwing.data import Dataset
from lapwing.metrics import cumulative
from lapwing.play import Game
from lapwing.reproduce.graphs import study_graph

if TYPE_CHECKING:
    from lapwing.reproduce.plan import Trial

TUNING_SEED = 1000
"""Orders on which a penalty is tuned start here; no trial plays them."""


def stream(trial: Trial) -> dict[str, float | list[float]]:
    """Play one order: errors, queries, updates, seconds; with ``curve``, at that many rounds.

    Settings that the algorithm does not have are left out. Options: ``tuned_by``, a learner whose
    binary error chooses mu; ``as_often_as``, a learner whose share of queries becomes this one's
    p; ``budget_share``, the budget as a share of all nodes; ``vectors``, how many vectors an
    update counts ("classes": one per class); ``teacher``.
    """
    found = study_graph(trial.graph, trial.source, seed=trial.seed)
    options, settings = dict(trial.options), dict(trial.settings)
    if "tuned_by" in options:
        settings["mu"] = _tuned(found, options["tuned_by"], settings)
    if "as_often_as" in options:
        rival = _game(found, options["as_often_as"], settings, trial.seed, None)
        settings["p"] = max(rival.summary().queries / len(rival.nodes), 1e-9)
    if "budget_share" in options:
        settings["budget"] = round(options["budget_share"] * found.graph.n_nodes)
    game = _game(found, trial.learner, settings, trial.seed, options.get("teacher"))
    curve = int(options.get("curve", 0))
    if curve:
        _in_steps(game, curve)
    vectors = options.get("vectors", 1)
    counted = found.n_classes if vectors == "classes" else int(vectors)
    return _measured(game, vectors=counted) | _curves(game, curve)


def _game(found: Dataset, learner: str, settings: dict[str, Any], seed: int, teacher: Any) -> Game:
    return next(_experiment(found, learner, settings, seed, teacher).games())


def _experiment(
    found: Dataset, learner: str, settings: dict[str, Any], seed: int, teacher: Any
) -> Experiment:
    accepted = named(learner).parameters
    return Experiment(
        learner,
        found.graph,
        np.asarray(found.labels),
        n_classes=found.n_classes,
        parameters={key: value for key, value in settings.items() if key in accepted},
        seed=seed,
        teacher=teacher,
    )


def _tuned(found: Dataset, learner: str, settings: dict[str, Any]) -> float:
    accepted = set(named(learner).parameters) - {"mu"}
    shared = {key: value for key, value in settings.items() if key in accepted}
    return _best_mu(found, learner, tuple(shared.items()))


@lru_cache(maxsize=8)
def _best_mu(found: Dataset, learner: str, settings: tuple[tuple[str, Any], ...]) -> float:
    """The penalty that `Experiment.tuned` chooses, kept for the other trials of the graph."""
    experiment = _experiment(found, learner, dict(settings), TUNING_SEED, None)
    return experiment.tuned(measure="binary_error").best


def _in_steps(game: Game, curve: int) -> None:
    """Play in pieces, so that the clock is read at each."""
    for piece in np.array_split(game.left, curve):
        game.run(len(piece))


def _measured(game: Game, *, vectors: int) -> dict[str, float | list[float]]:
    numbers = game.summary()
    found: dict[str, float | list[float]] = {
        "error": numbers.error,
        "unknown": numbers.unknown,
        "queries": numbers.queries,
        "queried_share": numbers.queries / numbers.rounds,
        "distinct_queries": float(numbers.distinct_queries),
        "seconds": numbers.seconds,
    }
    if numbers.binary_error is not None:
        found["binary_error"] = numbers.binary_error
    if numbers.updates is not None:
        found["updates"] = float(numbers.updates)
        found["updated_share"] = numbers.updates / vectors / numbers.rounds
    return found


def _curves(game: Game, curve: int) -> dict[str, float | list[float]]:
    if not curve:
        return {}
    trace, labels = game.trace, game.labels[game.nodes]
    n_classes = max(game.so_far().n_classes, 1)
    at = np.linspace(0, len(labels), curve + 1).astype(np.intp)[1:] - 1
    asked = trace.queried if trace.class_queries is None else trace.class_queries / n_classes
    lines = {
        "rounds": at + 1.0,
        "error_so_far": cumulative(trace.guesses != labels)[at],
        "queries_so_far": np.cumsum(asked, dtype=np.float64)[at],
        "seconds_so_far": game.seconds[at],
    }
    if trace.binary_mistakes is not None:
        lines["binary_error_so_far"] = cumulative(trace.binary_mistakes / n_classes)[at]
    return {name: line.tolist() for name, line in lines.items()}
