"""Poisson learning on a partitioned graph: Chebyshev's iteration or conjugate gradients."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lapwing.batch.diffusion.poisson import LARGE, Poisson, component_shares
from lapwing.batch.known_labels import KnownLabels
from lapwing.cluster.engine.engine import Engine
from lapwing.cluster.engine.part import GraphPart, Step
from lapwing.cluster.methods.diffusion import _sources, diffuse, positive_degrees
from lapwing.cluster.methods.labelled import components_at
from lapwing.cluster.methods.quantiles import median_size
from lapwing.cluster.methods.score_reading import FOUND
from lapwing.errors import ConvergenceError
from lapwing.linalg.chebyshev import SINGLE, Factors, precision
from lapwing.linalg.solve.conjugate_gradients import ratio
from lapwing.types import Array

MAX_STEPS = 5000


def poisson_on(engine: Engine, model: Poisson, known: KnownLabels) -> None:
    """Solve what `Poisson` solves, by the same iteration; the scores are the columns `FOUND`."""
    nodes = np.asarray(known.nodes, dtype=np.int64)
    places = components_at(engine, nodes)
    sources = known.indicator - component_shares(np.unique(places, return_inverse=True)[1], known)
    if model.balanced:
        sources = sources / known.indicator.mean(axis=0)
    kept = 1.0 + model.leak
    if engine.graph.n_nodes > LARGE and model.leak > 0 and model.tol >= SINGLE:
        engine.total(_sources, nodes, sources, -1.0, 1.0 / kept, precision(model.tol))
        diffuse(engine, 1.0 / kept, model.tol)
    else:
        flow_by_gradients(engine, nodes, sources, kept=kept, tol=model.tol)
    engine.total(_compress, median_size(engine, FOUND))


def flow_by_gradients(
    engine: Engine, nodes: NDArray[np.int64], sources: Array, *, kept: float, tol: float
) -> None:
    """Solve ``(kept D - A) x = sources`` by preconditioned conjugate gradients into `FOUND`.

    In double precision. Two rounds over the parts for a step: one pass over the edges with the
    products that give its length, and one that moves along it.
    """
    size = np.sqrt(engine.total(_begin_gradients, nodes, sources))
    size[size == 0] = 1.0
    goal, old = 0.5 * tol * size, np.ones(sources.shape[1])
    left, new = _split(engine.total(_residuals))
    for _ in range(MAX_STEPS):
        moves = left > goal
        if not moves.any():
            break
        engine.total(_direct, ratio(new, old))
        engine.steps([Step("direction", "product", Factors(-1.0, kept))])
        length = np.where(moves, ratio(new, engine.total(_weighted_product)), 0.0)
        old = new
        left, new = _split(engine.total(_move, length))
    worst = float((left / size).max(initial=0.0))
    if worst > tol:
        raise ConvergenceError(
            f"conjugate gradients must reach their tolerance in {MAX_STEPS} steps, "
            f"the residual is still {worst / tol:.3g} times it"
        )
    engine.total(_drop_gradients)


def _split(sums: Array) -> tuple[Array, Array]:
    return np.sqrt(sums[0]), sums[1]


def _begin_gradients(part: GraphPart, nodes: NDArray[np.int64], sources: Array) -> Array:
    for name in (FOUND, "residual"):
        part.make(name, sources.shape[1], np.float64, walks=False)
    for name in ("direction", "product"):
        part.make(name, sources.shape[1], np.float64)
    mine, rows = part.inside(nodes)
    part["residual"][rows] = sources[mine]
    return np.asarray(np.square(sources[mine]).sum(axis=0))


def _residuals(part: GraphPart) -> Array:
    """Return the squared residuals, plain and preconditioned."""
    squares = np.square(part["residual"])
    return np.stack([squares.sum(axis=0), (1.0 / positive_degrees(part)) @ squares])


def _direct(part: GraphPart, factor: Array) -> None:
    part["direction"][...] *= factor
    part["direction"][...] += part["residual"] / positive_degrees(part)[:, None]


def _weighted_product(part: GraphPart) -> Array:
    """Turn the pass ``kept v - P v`` into the product with ``kept D - A``; return v'Mv."""
    part["product"][...] *= positive_degrees(part)[:, None]
    return np.asarray(np.einsum("ij,ij->j", part["direction"], part["product"]))


def _move(part: GraphPart, length: Array) -> Array:
    part[FOUND][...] += length * part["direction"]
    part["residual"][...] -= length * part["product"]
    return _residuals(part)


def _drop_gradients(part: GraphPart) -> None:
    part.drop("residual", "direction", "product")


def _compress(part: GraphPart, typical: float) -> None:
    found = part[FOUND]
    found[...] = np.sign(found) * np.log1p(np.abs(found) / found.dtype.type(typical))
