"""A batch method that sees some labels of each class and answers for all other nodes."""

from __future__ import annotations

from copy import copy
from functools import lru_cache
from itertools import product
from time import process_time
from typing import TYPE_CHECKING, Any

import numpy as np

from lapwing.catalog import make
from lapwing.catalog.make import named
from lapwing.checks import label_table
from lapwing.data import Dataset
from lapwing.errors import InputError
from lapwing.learner import HasRows, decided
from lapwing.metrics import f1
from lapwing.reproduce.graphs import study_graph
from lapwing.types import UNKNOWN, Array, Nodes

if TYPE_CHECKING:
    from lapwing.reproduce.plan import Trial


def split(trial: Trial) -> dict[str, float | list[float]]:
    """Learn some labels of each class: F1 on all other labelled nodes, unknowns, seconds.

    Macro-F1 is the mean over all classes of the data set, 0 for a class that no other node has, as
    in the papers.

    Settings that the algorithm does not have are left out; its seed is the trial's, unless set.
    The rows a model makes of its graph are kept for the next trial with the same settings, so a
    set seed saves a costly embedding; the seconds it took count in every trial, as they would if
    it were made anew. Without an algorithm the answer is the classes' shares among the labels.

    Options: ``labels``, how many per class (from 1 on a count, below 1 a share, rounded up) or
    ``labelled``, which nodes; ``drawn``, "class" by class or "overall" for a share of all labelled
    nodes; ``truth_at``, pairs of a node and its class, where a text has
    another than the data set; ``scoring``, "counted" for as many guesses as a node has classes,
    or "single" for its most probable class alone; ``per_node``, so many for every node;
    ``misnumbered``, whether labels belong to other nodes than the graph's rows, as where two files
    number the nodes differently; ``cost``, a linear SVM's C on eigenvectors of length 1, for
    SocDim's penalty; ``fixed_cost``, a classifier's C on rows of mean square length 1, for its
    penalty; ``searched``, values of
    settings of which the best in a fold of the labels is taken; ``objective``, for wvGN's
    objective; ``answers``, for every node's answer and how many are wrong.
    """
    options = trial.options
    found = study_graph(trial.graph, trial.source, seed=trial.seed)
    truth = truth_of(found, options.get("truth_at", ()))
    given = labelled_nodes(truth, options, trial.seed)
    rest = np.setdiff1d(np.flatnonzero(truth.any(axis=1)), given)
    places = np.arange(len(truth))
    if options.get("misnumbered"):
        places = np.random.default_rng(trial.seed).permutation(places)
    scores, seconds, model = _answers(trial, found, truth, given, places)
    guesses = 1 if options.get("scoring") == "single" else options.get("per_node")
    both = f1(scores[rest], truth[rest], per_node=guesses)
    measured: dict[str, float | list[float]] = {
        "micro": both.micro,
        "macro": both.macro * float(truth[rest].any(axis=0).mean()),
        "unknown": float((decided(scores[rest]) == UNKNOWN).mean()),
        "labels": float(len(given)),
        "seconds": seconds,
    }
    if options.get("objective"):
        measured["objective"] = model.objective_
    return measured | (_each(scores, truth, given) if options.get("answers") else {})


def truth_of(found: Dataset, corrections: Any = ()) -> Array:
    """A data set's labels as a 0/1 matrix, one row per node.

    Examples
    --------
    >>> from lapwing.data import karate
    >>> truth_of(karate()).sum(axis=0), truth_of(karate(), [[8, 1]]).sum(axis=0)
    (array([17., 17.]), array([16., 18.]))
    """
    truth = label_table(found.labels, found.n_classes)
    for node, label in corrections:
        truth[node] = 0.0
        truth[node, label] = 1.0
    return truth


def labelled_nodes(truth: Array, options: Any, seed: int) -> Nodes:
    """The labelled nodes: those named, or so many drawn from each class, joined.

    Examples
    --------
    >>> truth = np.eye(2)[[0, 0, 0, 0, 0, 1, 1, 1, 1, 1]]
    >>> [len(labelled_nodes(truth, {"labels": amount}, seed=0)) for amount in (2, 0.5)]
    [4, 6]
    >>> labelled_nodes(truth, {"labelled": [9, 0]}, seed=0)
    array([0, 9])
    """
    if "labelled" in options:
        return np.unique(np.asarray(options["labelled"], dtype=np.intp))
    amount = options.get("labels", 0)
    if not amount > 0:
        raise InputError(f"labels must be a count or a share of each class, got {amount}")
    rng = np.random.default_rng(seed)
    if options.get("drawn") == "overall":
        everyone = np.flatnonzero(truth.any(axis=1))
        return np.sort(rng.choice(everyone, int(np.ceil(amount * len(everyone))), replace=False))
    drawn = []
    for column in truth.T:
        members = np.flatnonzero(column)
        count = int(amount) if amount >= 1 else int(np.ceil(amount * len(members)))
        drawn.append(rng.choice(members, min(count, len(members)), replace=False))
    return np.unique(np.concatenate(drawn))


def _answers(
    trial: Trial, found: Dataset, truth: Array, given: Nodes, places: Nodes
) -> tuple[Array, float, Any]:
    """Scores of all nodes, the processor seconds they took, and the model."""
    if not trial.learner:
        return np.tile(truth[given].mean(axis=0), (len(truth), 1)), 0.0, None
    model, made = _model(found, trial, truth, given)
    model = copy(model)  # the next trial gets the same model from `_kept`
    if "cost" in trial.options:
        model.ridge = len(truth) / (model.rank * trial.options["cost"] * len(given))
    if "fixed_cost" in trial.options:
        model.ridge = 1 / (trial.options["fixed_cost"] * len(given))
    start = process_time()
    scores = model.fit(places[given], truth[given]).scores(places)
    return scores, made + process_time() - start, model


def _model(found: Dataset, trial: Trial, truth: Array, given: Nodes) -> tuple[Any, float]:
    accepted = named(trial.learner).parameters
    wanted = {"seed": trial.seed} | dict(trial.settings)
    settings = {key: value for key, value in wanted.items() if key in accepted}
    grid = trial.options.get("searched", {})
    if not grid:
        return _kept(found, trial.learner, tuple(settings.items()))
    tried = [settings | dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
    rng = np.random.default_rng(trial.seed)
    held = rng.permutation(len(given)) < max(len(given) // 3, 1)
    scores, spent = [], 0.0
    for each in tried:
        model, seconds = _kept(found, trial.learner, tuple(each.items()))
        said = model.fit(given[~held], truth[given[~held]]).scores(given[held])
        scores.append(f1(said, truth[given[held]]).micro)
        spent += seconds
    model, _ = _kept(found, trial.learner, tuple(tried[int(np.argmax(scores))].items()))
    return model, spent


@lru_cache(maxsize=26)
def _kept(found: Dataset, learner: str, settings: tuple[tuple[str, Any], ...]) -> tuple[Any, float]:
    """A model with its rows made, and the processor seconds that took."""
    start = process_time()
    model: Any = make(learner, found.graph, n_classes=found.n_classes, **dict(settings))
    if isinstance(model, HasRows):
        _ = model.rows
    return model, process_time() - start


def _each(scores: Array, truth: Array, given: Nodes) -> dict[str, float | list[float]]:
    """Every node's answer, its class where it was given, and how many answers are wrong."""
    true = truth.argmax(axis=1)
    answers = decided(scores)
    answers[given] = true[given]
    return {
        "answers": answers.astype(float).tolist(),
        "truth": true.astype(float).tolist(),
        "labelled": given.astype(float).tolist(),
        "wrong": float((answers != true).sum()),
    }
