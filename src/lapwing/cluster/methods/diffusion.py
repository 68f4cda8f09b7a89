"""Random walks with restarts and label propagation, by passes over a partitioned graph."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.batch.diffusion.restarts import Restarts
from lapwing.batch.known_labels import KnownLabels
from lapwing.cluster.engine.engine import Engine
from lapwing.cluster.engine.part import GraphPart, NumberKind, Step
from lapwing.cluster.methods.score_reading import FOUND
from lapwing.linalg.chebyshev import Factors, precision, semi_iteration
from lapwing.types import Array


def restarted_on(engine: Engine, wanted: Restarts) -> None:
    """Solve what `restarted` solves; the scores are the columns `FOUND`."""
    kind = precision(wanted.tol)
    nodes, values = np.asarray(wanted.known.nodes), wanted.known.indicator
    if wanted.even:  # columns of about one size, since a row's changes travel in one unit
        values = values / values.sum(axis=0)
    engine.total(_sources, nodes, values, -wanted.start, 1.0, kind)
    diffuse(engine, wanted.alpha, wanted.tol)
    engine.total(_raise_by_degree, wanted.end)
    if wanted.even:
        *masses, degrees = engine.total(_masses).tolist()
        means = np.array(masses) / degrees
        engine.total(_divide, np.where(means > 0, means, 1.0))


def diffuse(engine: Engine, alpha: float, tol: float) -> None:
    """Solve ``(I - alpha P) x = right``; the solution replaces the columns `FOUND`."""
    run(engine, semi_iteration(alpha, tol), right="right")


def run(
    engine: Engine, factors: Iterable[Factors], *, right: str | None = None, pins: str | None = None
) -> None:
    """Do passes on the columns `FOUND` and ``other`` in turn; the result is in `FOUND`."""
    now, old, steps = FOUND, "other", []
    for each in factors:
        steps.append(Step(now, old, each, right, pins, settles=True))
        now, old = old, now
    engine.steps(steps)
    engine.total(_keep, now, old)


def propagated_on(engine: Engine, known: KnownLabels, rounds: int) -> None:
    """Replace rows by the means of their neighbours, labelled nodes staying as they are."""
    labels = known.indicator / known.indicator.sum(axis=1, keepdims=True)
    nodes = np.asarray(known.nodes, dtype=np.int64)
    engine.total(_clamped, nodes, labels)
    run(engine, [Factors(1.0)] * rounds, pins="labels")


def _sources(
    part: GraphPart,
    nodes: NDArray[np.int64],
    values: Array,
    power: float,
    factor: float,
    kind: NumberKind,
) -> None:
    """Begin at the labels, each times a power of its degree."""
    width = values.shape[1]
    part.make(FOUND, width, kind)
    part.make("other", width, kind)
    mine, rows = part.inside(nodes)
    degrees = positive_degrees(part)[rows][:, None]
    begin = (factor * values[mine] * degrees**power).astype(kind)
    part.facts["right"] = (nodes[mine], begin)
    part[FOUND][rows] = begin


def _raise_by_degree(part: GraphPart, power: float) -> None:
    found = part[FOUND]
    np.maximum(found, 0.0, out=found)
    if power:
        found *= positive_degrees(part)[:, None] ** power


def _masses(part: GraphPart) -> Array:
    """The sum of each column, weighted by degrees, and that of the degrees."""
    degrees = positive_degrees(part)
    masses = np.zeros(part[FOUND].shape[1])
    for rows in part.stretches():
        masses += degrees[rows] @ part[FOUND][rows].astype(np.float64)
    return np.append(masses, degrees.sum())


def _divide(part: GraphPart, by: Array) -> None:
    part[FOUND][...] /= by.astype(part[FOUND].dtype)


def _clamped(part: GraphPart, nodes: NDArray[np.int64], labels: Array) -> None:
    part.make(FOUND, labels.shape[1])
    part.make("other", labels.shape[1])
    mine, rows = part.inside(nodes)
    part[FOUND][rows] = labels[mine]
    part.facts["labels"] = (nodes[mine], labels[mine].astype(np.float32))


def _keep(part: GraphPart, name: str, other: str) -> None:
    """Keep the columns of a name as `FOUND`, and drop the others."""
    if name != FOUND:
        part[FOUND][...] = part[name]
        other = name
    part.drop(other)


def positive_degrees(part: GraphPart) -> NDArray[Any]:
    """Return the degrees; an isolated node counts as if its degree were 1."""
    degrees = part.degrees
    return np.where(degrees > 0, degrees, 1.0)
