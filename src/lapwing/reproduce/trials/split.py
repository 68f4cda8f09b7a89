"""A batch method that sees some labels of each class and answers for all other nodes."""

from __future__ import annotations

from functools import lru_cache
from time import process_time
from typing import TYPE_CHECKING, Any

import numpy as np

from lapwing.catalog import make
from lapwing.catalog.make import named
from lapwing.data import Dataset
from lapwing.errors import InputError
from lapwing.learner import decided
from lapwing.metrics import f1
from lapwing.metrics.f1 import as_indicator
from lapwing.reproduce.graphs import graph_of
from lapwing.types import UNKNOWN, Array, Nodes

if TYPE_CHECKING:
    from lapwing.reproduce.plan import Trial


def split(trial: Trial) -> dict[str, float | list[float]]:
    """Learn some labels of each class: F1 on all other labelled nodes, unknowns, seconds.

    Macro-F1 is the mean over all classes of the data set, 0 for one that no other node has: so the
    texts count.

    Settings that the algorithm does not have are left out; its seed is the trial's, unless set.
    The rows a model makes of its graph are kept for the next trial with the same settings, so a
    set seed saves a costly embedding; the seconds do not count them. Without an algorithm the
    answer is the classes' shares among the labels.

    Options: ``labels``, how many a class (from 1 on a count, below 1 a share, rounded up) or
    ``labelled``, which nodes; ``truth_at``, pairs of a node and its class, where a text has
    another than the data set; ``objective``, for wvGN's objective; ``answers``, for every node's
    answer and how many are wrong.
    """
    options = trial.options
    found = graph_of(trial.graph, trial.source, seed=trial.seed)
    truth = truth_of(found, options.get("truth_at", ()))
    given = labelled_nodes(truth, options, trial.seed)
    rest = np.setdiff1d(np.flatnonzero(truth.any(axis=1)), given)
    shares = truth[given].mean(axis=0)
    model: Any = _model(found, trial) if trial.learner else None
    getattr(model, "rows", None)  # an embedding is made here, before the clock starts
    start = process_time()
    if model is None:
        scores = np.tile(shares, (len(truth), 1))
    else:
        scores = model.fit(given, truth[given]).scores(np.arange(len(truth)))
    seconds = process_time() - start
    both = f1(scores[rest], truth[rest])
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
    """A data set's labels as a 0/1 matrix, one row a node.

    Examples
    --------
    >>> from lapwing.data import karate
    >>> truth_of(karate()).sum(axis=0), truth_of(karate(), [[8, 1]]).sum(axis=0)
    (array([17., 17.]), array([16., 18.]))
    """
    truth = as_indicator(found.labels, found.n_classes)
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
    drawn = []
    for column in truth.T:
        members = np.flatnonzero(column)
        count = int(amount) if amount >= 1 else int(np.ceil(amount * len(members)))
        drawn.append(rng.choice(members, min(count, len(members)), replace=False))
    return np.unique(np.concatenate(drawn))


def _model(found: Dataset, trial: Trial) -> Any:
    accepted = named(trial.learner).parameters
    wanted = {"seed": trial.seed} | dict(trial.settings)
    settings = tuple((key, value) for key, value in wanted.items() if key in accepted)
    return _kept(found, trial.learner, settings)


@lru_cache(maxsize=2)
def _kept(found: Dataset, learner: str, settings: tuple[tuple[str, Any], ...]) -> Any:
    return make(learner, found.graph, n_classes=found.n_classes, **dict(settings))


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
