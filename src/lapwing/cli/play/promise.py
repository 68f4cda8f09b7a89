"""What a theorem promised about a game that was played."""

from __future__ import annotations

import numpy as np

from lapwing.bounds import Certificate, promise
from lapwing.catalog import Experiment
from lapwing.catalog.make import named
from lapwing.play import Game

MOST_NODES = 4000
"""Up to so many nodes the promise is exact and quickly had."""


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
