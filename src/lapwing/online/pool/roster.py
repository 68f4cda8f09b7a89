"""Which experts the pool has on a graph, and the views over them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from lapwing.embed.attributes.rows import Rows32
from lapwing.embed.structure import adjacency_rows, degree_rows
from lapwing.graph import Graph
from lapwing.online.near_far.near_far import NearFar
from lapwing.online.pool.around import ClassesAround, ClassShares, FarPosition, NearLabels
from lapwing.online.pool.expert import Expert, RowExpert
from lapwing.online.pool.views import View

MOST_FOR_SPECTRUM, MOST_FOR_STRUCTURE = 25_000, 200_000
"""Larger graphs have no expert on the adjacency spectrum, or none on structure at all."""
NEAR, FAR, RAW, DIFFUSED, BESIDE = "labels nearby", "position in the graph", "attributes", \
    "attributes spread over edges", "attributes beside neighbours'"  # fmt: skip
SPECTRUM, AROUND, DEGREE, SHARES = "adjacency", "classes around", "degree", "class shares"
RIDGES = {RAW: 0.1, DIFFUSED: 0.03, BESIDE: 0.1}
"""Penalties of the regressions on attributes with few labels; with more, labels choose them."""

VIEWS: dict[str, dict[str, float]] = {
    "neighbours and attributes": {NEAR: 0.7, FAR: 0.7, RAW: 0.2, DIFFUSED: 0.7, BESIDE: 0.2},
    "attributes": {RAW: 0.7, BESIDE: 0.7, DIFFUSED: 0.2, AROUND: 0.2, DEGREE: 0.2, SHARES: 0.2},
    "structure": {SPECTRUM: 0.7, AROUND: 0.5, DEGREE: 0.3, SHARES: 0.3, FAR: 0.2},
}
"""The views besides near-far itself: experts and their exponents before any label."""


def experts_on(
    graph: Graph, near_far: NearFar, of_attributes: Mapping[str, Callable[[Graph], Rows32]]
) -> list[Expert]:
    """Return the experts for a graph of this size; `of_attributes` makes rows by expert."""
    experts: list[Expert] = [NearLabels(near_far), FarPosition(near_far)]
    has_structure = graph.n_nodes <= MOST_FOR_STRUCTURE
    for name, made in of_attributes.items():
        if has_structure or name != BESIDE:
            experts.append(RowExpert(name, graph, made, ridge=RIDGES[name], adapts=True))
    if has_structure:
        if graph.n_nodes <= MOST_FOR_SPECTRUM:
            experts.append(RowExpert(SPECTRUM, graph, adjacency_rows, ridge=0.1))
        experts += [ClassesAround(graph), RowExpert(DEGREE, graph, degree_rows, ridge=1.0)]
    return [*experts, ClassShares()]


def views_over(experts: Sequence[Expert]) -> list[View]:
    """Return the views over these experts; those of attributes only where one reads them."""
    place = {expert.name: e for e, expert in enumerate(experts)}
    return [
        View(name, {place[e]: w for e, w in prior.items() if e in place})
        for name, prior in VIEWS.items()
        if RAW in place or "attributes" not in name
    ]
