"""The smoothest eigenvectors of a partitioned graph, by the filter of `smooth_eigenpairs`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.checks import at_least
from lapwing.cluster.engine.engine import Engine
from lapwing.cluster.engine.part import GraphPart, Step
from lapwing.cluster.methods.score_reading import FOUND
from lapwing.errors import InputError
from lapwing.linalg.chebyshev import Factors
from lapwing.linalg.eigen.filtered import columns_for, filter_factors, iterated
from lapwing.linalg.eigen.ritz import (
    random_rows,
    ritz_values,
    rotated,
    weighted_products,
    weighted_squares,
)
from lapwing.types import Array

OTHER = "other"


def rows_on(
    engine: Engine,
    rank: int,
    *,
    tol: float = 1e-2,
    progress: Callable[[float], None] | None = None,
) -> Array:
    """Compute ``rank - 1`` columns per node into `FOUND`; return their eigenvalues.

    The columns are eigenvectors of the normalised Laplacian over the roots of their eigenvalues, in
    single precision with residuals of at most `tol`: what `scaled_vectors` returns on one machine.
    """
    at_least("rank", rank, 2)
    if not 0 < tol < 1:
        raise InputError(f"tol must be above 0 and below 1, got {tol}")
    count = min(rank - 1, engine.graph.n_nodes - 1)
    if engine.graph.n_edges == 0 or count < 1:
        raise InputError("rows need a graph with an edge, got none")
    block = _SharedBlock(engine, count)
    iterated(block, count, tol=tol, progress=progress)
    values = 1.0 - block.values[:count]
    lengths = np.sqrt(engine.total(_root_lengths, block.mass_sum, count))
    sound = values > 1e-7
    engine.total(_finish, block.mass_sum, lengths * np.sqrt(np.maximum(values, 1e-12)), sound)
    return np.asarray(values[sound])


class _SharedBlock:
    """The columns of `smooth_eigenpairs`, spread over the parts of a graph."""

    def __init__(self, engine: Engine, count: int) -> None:
        self._engine = engine
        self.passes, self.values = 0, np.empty(0)
        self.mass_sum = float(engine.total(_degree_sum)[0])
        self._wide = columns_for(count, engine.graph.n_nodes)
        engine.total(_random_start, self._wide, self.mass_sum)
        self._now, self._old = FOUND, OTHER
        self._between = np.unique(engine.total(_between_parts, combine="join")).astype(np.int64)

    def sweep(self, cut: float, top: float) -> None:
        """Filter the columns: magnify what lies above the cut."""
        steps = []
        for factors in filter_factors(cut, top):
            steps.append(Step(self._now, self._old, factors))
            self._now, self._old = self._old, self._now
        self._engine.steps(steps)
        self.passes += len(steps)

    def rayleigh_ritz(self) -> Array:
        """Replace the columns by their Ritz vectors, smoothest first; return the residuals."""
        total, mass = self._engine.total, self.mass_sum
        sums = total(_component_sums, self._now, self._between, mass)
        squares = total(_take_out, self._now, self._between, sums, mass)
        total(_scale_columns, self._now, squares)
        self._engine.steps([Step(self._now, self._old, Factors(1.0))])
        self.passes += 1
        gram, inner = total(_gram, self._now, self._old, mass)
        self.values, mixing = ritz_values(gram, inner)
        found = np.sqrt(total(_mix, self._now, self._old, mass, mixing, self.values))
        if self._now != FOUND:
            total(_swap, self._now, self._old)
            self._now, self._old = self._old, self._now
        return np.asarray(found)


def _degree_sum(part: GraphPart) -> Array:
    return np.array([part.degrees.sum()])


def _random_start(part: GraphPart, wide: int, mass_sum: float) -> None:
    part.make(FOUND, wide)
    part.make(OTHER, wide)
    mass = part.degrees / mass_sum
    scale = np.sqrt(np.where(mass > 0, part.n_nodes * mass, 1.0), dtype=np.float32)
    part[FOUND][...] = random_rows(0, part.first, part.stop, wide) / scale[:, None]


def _between_parts(part: GraphPart) -> NDArray[np.int64]:
    """Return the components that go on in another part."""
    matrix = part.matrix
    outside = matrix.ends >= matrix.rows
    reaching = np.repeat(np.arange(matrix.rows), np.diff(matrix.starts))[outside]
    return np.unique(part.components[np.unique(reaching)])


def _component_sums(
    part: GraphPart, name: str, between: NDArray[np.int64], mass_sum: float
) -> Array:
    """Return each component's mass and its weighted sums of the columns, if it has other parts."""
    sums = np.zeros((len(between), part[name].shape[1] + 1))
    where = _places(part.components, between)
    inside = np.flatnonzero(where >= 0)
    mass = part.degrees[inside] / mass_sum
    for first in range(0, len(inside), 1 << 15):
        rows = inside[first : first + (1 << 15)]
        weights = mass[first : first + (1 << 15)][:, None]
        here = np.hstack([weights, weights * part[name][rows]])
        np.add.at(sums, where[rows], here) if len(between) > 1 else np.add(
            sums, here.sum(axis=0), out=sums
        )
    return sums


def _take_out(
    part: GraphPart, name: str, between: NDArray[np.int64], sums: Array, mass_sum: float
) -> Array:
    """Subtract every component's mean, weighted by degrees; return the columns' squared lengths."""
    columns, mass = part[name], part.degrees / mass_sum
    where = _places(part.components, between)
    means = sums[:, 1:] / np.where(sums[:, :1] > 0, sums[:, :1], 1.0)
    wide = means.astype(np.float32)
    for first in range(0, len(where), 1 << 15):
        rows = slice(first, first + (1 << 15))
        shared = where[rows] >= 0
        columns[rows][shared] -= wide[where[rows][shared]]
    alone = np.flatnonzero(where < 0)
    if len(alone):
        _, places = np.unique(part.components[alone], return_inverse=True)
        weights = mass[alone]
        totals = np.zeros((int(places.max()) + 1, columns.shape[1] + 1))
        np.add.at(totals, places, np.hstack([weights[:, None], weights[:, None] * columns[alone]]))
        own = totals[:, 1:] / np.where(totals[:, :1] > 0, totals[:, :1], 1.0)
        columns[alone] -= own[places].astype(np.float32)
    return weighted_squares(columns, mass)


def _places(components: NDArray[np.int64], between: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the position of each row's component among these; -1 if it is none of them."""
    if not len(between):
        return np.full(len(components), -1, dtype=np.int64)
    at = np.searchsorted(between, components).clip(max=len(between) - 1)
    return np.where(between[at] == components, at, -1)


def _scale_columns(part: GraphPart, name: str, squares: Array) -> None:
    part[name][...] /= np.sqrt(np.where(squares > 0, squares, 1.0)).astype(np.float32)


def _gram(part: GraphPart, name: str, walked: str, mass_sum: float) -> Array:
    columns, mass = part[name], part.degrees / mass_sum
    return np.stack(
        [weighted_products(columns, columns, mass), weighted_products(columns, part[walked], mass)]
    )


def _mix(
    part: GraphPart, name: str, walked: str, mass_sum: float, mixing: Array, values: Array
) -> Array:
    return rotated(part[name], part[walked], part.degrees / mass_sum, mixing, values)


def _swap(part: GraphPart, name: str, other: str) -> None:
    """Let both columns hold what one holds."""
    part[other][...] = part[name]


def _root_lengths(part: GraphPart, mass_sum: float, count: int) -> Array:
    """Return the squared lengths of the vectors, columns times the roots of the mass."""
    return weighted_squares(part[FOUND][:, :count], part.degrees / mass_sum)


def _finish(part: GraphPart, mass_sum: float, lengths: Array, sound: NDArray[np.bool_]) -> None:
    """Turn the columns into eigenvectors over the roots of their eigenvalues."""
    kept = np.flatnonzero(sound)
    roots = np.sqrt(part.degrees / mass_sum, dtype=np.float32)[:, None]
    rows: NDArray[Any] = part[FOUND][:, kept] * roots / lengths[kept].astype(np.float32)
    part.drop(OTHER)
    part.make("rows", len(kept), walks=False)
    part["rows"][...] = rows
    part.drop(FOUND)
