"""Which experts the pool has on a graph, and the views over them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from lapwing.embed.attributes.rows import AttributeRows, Rows32, diffused_rows
from lapwing.embed.structure import adjacency_rows, degree_rows, rows_beside
from lapwing.graph import Graph
from lapwing.online.near_far.near_far import NearFar
from lapwing.online.pool.around import ClassesAround, ClassShares, NearLabels
from lapwing.online.pool.expert import Expert
from lapwing.online.pool.reading.inner_products import Rows
from lapwing.online.pool.row_expert import RowExpert
from lapwing.online.pool.sources import PositionSource, Source
from lapwing.online.pool.views import View
from lapwing.types import Array

MOST_FOR_SPECTRUM, MOST_FOR_STRUCTURE = 25_000, 200_000
"""Larger graphs have no rows of the adjacency spectrum, or none of structure at all."""
FURTHER_ALPHA, OWN = 0.97, 2 / 3
"""How far attributes spread in the wider of two ways, and a node's own share beside neighbours."""

NEAR, POSITION = "labels nearby", "position in the graph"
RAW, SPREAD, FURTHER = "attributes", "attributes spread over edges", "attributes spread further"
BESIDE, PLACED = "attributes beside neighbours'", "attributes and position"
LOCATED, STRUCTURE, STRUCTURED = "position and structure", "structure", "attributes and structure"
AROUND, SHARES, SPECTRUM, DEGREE = "classes around", "class shares", "adjacency", "degree"

PARTS: dict[str, dict[str, float]] = {
    PLACED: {SPREAD: 0.7, POSITION: 0.3},
    SPREAD: {SPREAD: 1.0},
    FURTHER: {FURTHER: 1.0},
    RAW: {RAW: 1.0},
    BESIDE: {BESIDE: 1.0},
    STRUCTURED: {BESIDE: 0.7, SPECTRUM: 0.2, DEGREE: 0.1},
    LOCATED: {POSITION: 0.4, SPECTRUM: 0.4, DEGREE: 0.2},
    POSITION: {POSITION: 1.0},
    STRUCTURE: {SPECTRUM: 0.7, DEGREE: 0.3},
}
"""The regressions: rows, and their shares in the inner products."""
RIDGES = {PLACED: 0.03, SPREAD: 0.03, FURTHER: 0.03}
RIDGE = 0.1
"""Penalties of the regressions with few labels; with more, labels choose them."""
SHARPNESS = {
    NEAR: 2.5, PLACED: 1.8, SPREAD: 1.8, FURTHER: 1.8, RAW: 1.2, BESIDE: 1.3, STRUCTURED: 1.3,
    LOCATED: 0.8, POSITION: 1.2, STRUCTURE: 0.6, AROUND: 1.0, SHARES: 1.0,
}  # fmt: skip
"""How much sharper than its values an expert may be before any label tells."""

ALIKE = "neighbours and attributes"
VIEWS: dict[str, dict[str, float]] = {
    ALIKE: {PLACED: 2.0, FURTHER: 2.0, SPREAD: 1.0, NEAR: 1.0},
    "attributes": {RAW: 1.0, BESIDE: 1.0, STRUCTURED: 1.0, AROUND: 0.5, SHARES: 0.5},
    "structure": {LOCATED: 1.0, STRUCTURE: 0.5, POSITION: 0.5, AROUND: 0.5, SHARES: 0.5},
    SHARES: {SHARES: 1.0},
}
"""The views besides near-far itself: experts and their weights before any label."""


def makers_of(attributes: AttributeRows) -> dict[str, Callable[[Graph], Rows]]:
    """Return what makes each kind of rows of a graph, by name."""
    rows = attributes.rows
    return {
        DEGREE: _degrees,
        SPECTRUM: adjacency_rows,
        RAW: partial(_same, rows),
        SPREAD: partial(_spread, rows),
        FURTHER: partial(_further, rows),
        BESIDE: partial(_beside, rows),
    }


def sources_on(graph: Graph, near_far: NearFar, attributes: AttributeRows) -> dict[str, Source]:
    """Return the rows that a graph of this size has, by name."""
    kept = [RAW, SPREAD] if attributes.width else []
    if graph.n_nodes <= MOST_FOR_STRUCTURE:
        kept += [FURTHER, BESIDE, DEGREE] if attributes.width else [DEGREE]
    if graph.n_nodes <= MOST_FOR_SPECTRUM:
        kept.append(SPECTRUM)
    made = makers_of(attributes)
    return {
        POSITION: PositionSource(near_far),
        **{name: Source(graph, made[name]) for name in kept},
    }


def experts_on(graph: Graph, near_far: NearFar, sources: Mapping[str, Source]) -> list[Expert]:
    """Return the experts that these rows allow."""
    experts: list[Expert] = [NearLabels(near_far)]
    for name, parts in PARTS.items():
        held = {sources[part]: share for part, share in parts.items() if part in sources}
        first = next(iter(parts))
        if first in sources and (len(held) > 1 or len(parts) == 1):
            experts.append(RowExpert(name, held, ridge=RIDGES.get(name, RIDGE)))
    if graph.n_nodes <= MOST_FOR_STRUCTURE:
        experts.append(ClassesAround(graph))
    return [*experts, ClassShares()]


def views_over(experts: Sequence[Expert]) -> list[View]:
    """Return the views over these experts; those of attributes only where one reads them."""
    place = {expert.name: e for e, expert in enumerate(experts)}
    return [
        View(name, {place[e]: w for e, w in prior.items() if e in place})
        for name, prior in VIEWS.items()
        if RAW in place or "attributes" not in name
    ]


def _degrees(graph: Graph) -> Array:
    rows = degree_rows(graph)
    size = float(np.sqrt(np.square(rows).sum(axis=1).mean())) if len(rows) else 1.0
    return rows / (size or 1.0)


def _same(rows: Rows32, _: Graph) -> Rows32:
    return rows


def _spread(rows: Rows32, graph: Graph) -> Rows32:
    return diffused_rows(graph, rows)


def _further(rows: Rows32, graph: Graph) -> Rows32:
    return diffused_rows(graph, rows, alpha=FURTHER_ALPHA)


def _beside(rows: Rows32, graph: Graph) -> Rows32:
    return rows_beside(graph, rows, own=OWN)
