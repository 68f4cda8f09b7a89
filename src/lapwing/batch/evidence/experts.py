"""Which experts a graph has, and what is believed of their views before any label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from lapwing.batch.embedding.spectral import Spectral
from lapwing.batch.evidence.holdout import LARGE, Holdout
from lapwing.batch.evidence.opinions import (
    Opinion,
    around_opinion,
    flow_opinion,
    neighbour_rows,
    rows_opinion,
    shares_opinion,
)
from lapwing.batch.evidence.views import Prior
from lapwing.embed.attributes.likeness import neighbour_prior
from lapwing.embed.attributes.rows import AttributeRows, Rows32, attribute_rows, diffused_rows
from lapwing.embed.learning_rows import usual_rank
from lapwing.embed.structure import adjacency_rows, degree_rows, rows_beside
from lapwing.graph import Graph
from lapwing.types import Array

NEAR, FAR, SHARES = "neighbours", "position in the graph", "class shares"
RAW, SPREAD, BESIDE = "attributes", "attributes spread over edges", "attributes beside neighbours'"
AROUND, COMMON, SPECTRUM, DEGREE = "classes around", "common neighbours", "adjacency", "degree"
LARGEST = "largest class"
"""The view that gives every node the class shares."""
MOST_FOR_SPECTRUM = 5_000
"""Larger graphs have no expert on the adjacency spectrum."""
RIDGES = {
    FAR: 0.1, RAW: 0.1, SPREAD: 0.03, BESIDE: 0.1, COMMON: 1.0, SPECTRUM: 0.1, DEGREE: 3.0
}  # fmt: skip
"""Penalties of the regressions."""

WITHOUT_ATTRIBUTES = (
    Prior("neighbours are alike", 4.0, {NEAR: 0.6, FAR: 0.6, SHARES: 0.0}),
    Prior("structure", 1.0, {SPECTRUM: 0.6, AROUND: 0.5, COMMON: 0.3, DEGREE: 0.3, SHARES: 0.3}),
    Prior(LARGEST, 2.0, {SHARES: 1.0}),
)
WITH_ATTRIBUTES = (
    Prior("neighbours and attributes", 4.0, {NEAR: 0.4, FAR: 0.4, SPREAD: 0.6, RAW: 0.2}),
    Prior("attributes", 2.0, {RAW: 0.6, BESIDE: 0.6, SHARES: 0.2}),
    Prior("neighbours are alike", 1.0, {NEAR: 0.6, FAR: 0.6, SHARES: 0.0}),
    *WITHOUT_ATTRIBUTES[1:],
)


@dataclass(frozen=True, eq=False)
class EvidenceExperts:
    """The experts on a graph; rows that do not depend on labels are made once.

    Examples
    --------
    >>> from lapwing.batch.evidence.holdout import held_out
    >>> from lapwing.batch.known_labels import KnownLabels
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> held = held_out(KnownLabels(np.array([0, 5]), np.eye(2), n_nodes=6), seed=0)
    >>> sorted(EvidenceExperts(graph).opinions(held, seed=0))[:3]
    ['adjacency', 'class shares', 'classes around']
    """

    graph: Graph
    use: Sequence[str] | None = None
    text: Sequence[str] = ()
    vectors: Sequence[str] = ()

    @cached_property
    def attributes(self) -> AttributeRows:
        """What the node table says of each node."""
        table = self.graph.node_table
        return attribute_rows(table, use=self.use, text=self.text, vectors=self.vectors)

    @cached_property
    def priors(self) -> Sequence[Prior]:
        """The views before any label.

        Neighbours are trusted less where their attributes are hardly more alike than those of any
        two nodes; without attributes, where the graph has no communities.
        """
        priors = WITH_ATTRIBUTES if self.attributes.width else WITHOUT_ATTRIBUTES
        trust = neighbour_prior(self.graph, self.attributes.rows)
        return [
            replace(prior, weight=trust * prior.weight) if NEAR in prior.exponents else prior
            for prior in priors
        ]

    @cached_property
    def _smooth_rows(self) -> Array | None:
        """Rows of the smoothest directions; None where the spectrum cannot be computed."""
        return Spectral(self.graph, rank=usual_rank(self.graph.n_nodes)).rows

    @cached_property
    def _structure(self) -> Mapping[str, Array]:
        """Rows of a node's place in the graph that do not assume that neighbours are alike."""
        found = {DEGREE: degree_rows(self.graph)}
        if self.graph.n_nodes <= MOST_FOR_SPECTRUM:
            found[SPECTRUM] = adjacency_rows(self.graph)
        return found

    @cached_property
    def _attribute_rows(self) -> Mapping[str, Rows32]:
        rows = self.attributes.rows
        if not self.attributes.width:
            return {}
        found = {RAW: rows, SPREAD: diffused_rows(self.graph, rows)}
        if self.graph.n_nodes <= LARGE:
            found[BESIDE] = rows_beside(self.graph, rows)
        return found

    def opinions(self, held: Holdout, *, seed: int) -> dict[str, Opinion]:
        """Return what every expert thinks, by name."""
        found = [shares_opinion(held), flow_opinion(self.graph, held)]
        smooth = self._smooth_rows
        if smooth is not None and smooth.shape[1]:
            told = np.asarray(smooth.any(axis=1))
            found.append(rows_opinion(FAR, smooth, held, ridge=RIDGES[FAR], told=told))
        found.append(around_opinion(self.graph, held))
        for name, rows in self._structure.items():
            found.append(rows_opinion(name, rows, held, ridge=RIDGES[name]))
        if self.graph.n_nodes <= LARGE:
            common = neighbour_rows(self.graph, held, seed=seed)
            found.append(rows_opinion(COMMON, common, held, ridge=RIDGES[COMMON]))
        for name, of_attributes in self._attribute_rows.items():
            told = np.asarray(of_attributes.any(axis=1))
            found.append(rows_opinion(name, of_attributes, held, ridge=RIDGES[name], told=told))
        return {opinion.name: opinion for opinion in found}
