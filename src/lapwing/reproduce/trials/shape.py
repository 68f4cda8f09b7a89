"""Trials on generated graphs: a number of the graph, or a learner's mistakes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from lapwing.data import Dataset
from lapwing.errors import InputError
from lapwing.learner import BinaryLearner
from lapwing.online import KNN, Halving
from lapwing.reproduce.graphs import study_graph
from lapwing.reproduce.trials.shape_numbers import NUMBERS, Shape
from lapwing.reproduce.trials.signed import against_an_adversary, learner_of, mistaken
from lapwing.types import UNKNOWN, Nodes

if TYPE_CHECKING:
    from lapwing.reproduce.plan import Trial

DIGITS = 9
"""Digits to which numbers are rounded, so that numbers equal in theory are equal here."""


def shape(trial: Trial) -> dict[str, float | list[float]]:
    """One number of a graph, or the mistakes of a learner on it.

    Where the graph's source says "at", the grid's value stands. Options of a method without a
    learner: ``number``, its name, and ``measure``, what it is measured as ("value" unless told). Of
    one with a learner: ``order``, "shuffled", "adversary" (always the node that is most
    wrong) or "octopus" (section 5.1 of Herbster and Pontil 2006: c_i, then the tip of tentacle i).
    """
    source = {key: trial.at if value == "at" else value for key, value in trial.source.items()}
    settings = {key: told for key, told in trial.settings.items() if trial.source.get(key) != "at"}
    found = study_graph(trial.graph, source, seed=trial.seed)
    if trial.learner:
        return {"mistakes": float(_played(trial, found, settings))}
    name = str(trial.options.get("number", ""))
    if name not in NUMBERS:
        raise InputError(
            f"study {trial.study}: no number of a shape is called {name!r}; "
            f"there are {', '.join(NUMBERS)}"
        )
    value = NUMBERS[name](Shape(found, source, settings))
    return {str(trial.options.get("measure", "value")): round(value, DIGITS)}


def _played(trial: Trial, found: Dataset, settings: dict[str, Any]) -> int:
    labels = np.asarray(found.labels)
    order = str(trial.options.get("order", "shuffled"))
    if trial.learner == "knn":
        nodes = _order(order, found, trial.seed)
        guesses = KNN(found.graph, 2, **settings).stream(nodes, labels[nodes]).guesses
        return int(((guesses != labels[nodes]) & (guesses != UNKNOWN)).sum())
    signs = 2 * labels - 1
    learner: BinaryLearner
    if trial.learner == "halving":
        learner = Halving(found.graph, **settings)
    else:
        learner = learner_of(trial.learner, found.graph, **settings)
    if order == "adversary":
        return int(against_an_adversary(learner, signs).sum())
    return int(mistaken(learner, _order(order, found, trial.seed), signs).sum())


def _order(name: str, found: Dataset, seed: int) -> Nodes:
    if name == "octopus":
        tips = np.flatnonzero(np.diff(found.graph.adjacency.indptr) == 1)
        return np.stack([np.arange(len(tips)), tips], axis=1).ravel()
    return np.random.default_rng(seed).permutation(found.graph.n_nodes)
