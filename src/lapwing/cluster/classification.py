"""Predict the labels of a partitioned graph's nodes, and write them as Parquet files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.diffusion.poisson import Poisson
from lapwing.batch.diffusion.propagation import Propagation
from lapwing.batch.diffusion.restarts import RestartingWalk
from lapwing.catalog.make import checked_parameters, make, named
from lapwing.cluster.engine.engine import Engine
from lapwing.cluster.engine.part import GraphPart
from lapwing.cluster.labels import SparseLabels
from lapwing.cluster.methods.diffusion import propagated_on, restarted_on
from lapwing.cluster.methods.poisson import poisson_on
from lapwing.cluster.methods.score_reading import ScoreReading, reading_of
from lapwing.cluster.partition.dictionary import names_file, read_names
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.io.prediction_columns import prediction_columns
from lapwing.io.tables import write_table

METHODS = ("pagerank", "spreading", "lgc", "multirankwalk", "propagation", "poisson")
DEFAULT_METHOD = "pagerank"
"""What classifies a partitioned graph unless another method is named."""


def checked_method(method: str, n_classes: int, parameters: dict[str, Any]) -> GraphClassifier:
    """Return the method with its parameters, checked, before any work is done.

    Examples
    --------
    >>> checked_method("laplace", 2, {})
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: on a partitioned graph, method must be one of pagerank, spreading,
    lgc, multirankwalk, propagation, poisson, got 'laplace'
    """
    if method not in METHODS:
        raise InputError(
            f"on a partitioned graph, method must be one of {', '.join(METHODS)}, got {method!r}"
        )
    checked_parameters(named(method), parameters)
    alone = Graph.from_edges([], names=[0])
    model: GraphClassifier = make(method, alone, n_classes=n_classes, **parameters)
    return model


def learned_on(engine: Engine, model: GraphClassifier, labels: SparseLabels) -> ScoreReading:
    """Learn from labels on all parts; return what makes the scores there probabilities."""
    known = labels.known(engine.graph.n_nodes)
    among = known.of_seen_classes()
    if known.seen.sum() > 1:
        if isinstance(model, RestartingWalk):
            restarted_on(engine, model.restarts(among))
        elif isinstance(model, Propagation):
            propagated_on(engine, among, model.rounds)
        elif isinstance(model, Poisson):
            poisson_on(engine, model, among)
    return reading_of(engine, known, signed=model.signed)


def write_predictions(
    engine: Engine, reading: ScoreReading, labels: SparseLabels, folder: Path
) -> dict[str, int]:
    """Write a Parquet file of predictions for each block; return how many nodes are unknown."""
    unknown = engine.total(
        _write_part, reading, labels, str(engine.graph.folder), str(folder)
    )  # fmt: skip
    return {"nodes": engine.graph.n_nodes, "unknown": int(unknown[0])}


def chances_at(
    engine: Engine, reading: ScoreReading, nodes: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the probabilities of some nodes' classes, one row per node."""
    return np.asarray(engine.total(_chances_at, reading, nodes))


def _write_part(
    part: GraphPart, reading: ScoreReading, labels: SparseLabels, graph: str, folder: str
) -> NDArray[np.int64]:
    unknown = 0
    for number, rows in part.by_block():
        chances = reading.chances(part, rows)
        low = part.first + rows.start
        mine = np.flatnonzero((labels.nodes >= low) & (labels.nodes < low + len(chances)))
        told, given = labels.nodes[mine] - low, labels.indicator[mine]
        table = prediction_columns(chances, told, given, labels.classes)
        unknown += int((table["confidence"] == 0).sum())
        names = read_names(names_file(Path(graph), number))
        write_table({"node": names, **table}, Path(folder) / f"part-{number:05d}.parquet")
    return np.array([unknown])


def _chances_at(
    part: GraphPart, reading: ScoreReading, nodes: NDArray[np.int64]
) -> NDArray[np.float64]:
    found = np.zeros((len(nodes), reading.n_classes))
    mine, rows = part.inside(nodes)
    for span in part.stretches():
        here = np.flatnonzero((rows >= span.start) & (rows < span.stop))
        if len(here):
            found[mine[here]] = reading.chances(part, span)[rows[here] - span.start]
    return found
