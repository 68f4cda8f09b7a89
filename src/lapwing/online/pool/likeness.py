"""How alike nodes are, by the rows that a pool trusts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence

import numpy as np

from lapwing.graph import Graph
from lapwing.learner import CanPostpone, ComparesNodes
from lapwing.online.near_far.near_far import NearFar
from lapwing.online.pool import roster
from lapwing.online.pool.expert import Expert
from lapwing.online.pool.row_expert import RowExpert
from lapwing.online.pool.sources import Source
from lapwing.types import Array, Nodes

ALIKE = (roster.PLACED, roster.POSITION)
"""Experts whose rows tell which nodes are alike where neighbours are, the first there is."""
DIFFERENT = (roster.STRUCTURED, roster.BESIDE, roster.RAW, roster.LOCATED, roster.STRUCTURE)
"""The same where neighbours differ."""
SAMPLE = 1_000
"""Rows whose mean length scales all."""
LEAST = 0.01
"""Rows that count less are left out."""


class PooledRows(ComparesNodes, CanPostpone):
    """A pool's rows: made in the background, and how alike they say that nodes are.

    Each kind counts as far as it is trusted.
    """

    graph: Graph
    near_far: NearFar
    sources: Mapping[str, Source]
    experts: Sequence[Expert]
    _behind: bool

    def postpone(self) -> None:
        """Learn without eigenvectors, and make them in the background."""
        self.near_far.postpone()
        if roster.SPECTRUM in self.sources:
            self.sources[roster.SPECTRUM].sleep()

    @property
    def is_made(self) -> bool:
        """Whether the eigenvectors are made and not yet used."""
        spectrum = self.sources.get(roster.SPECTRUM)
        return self.near_far.is_made and (spectrum is None or spectrum.making.is_done)

    def adopt(self) -> None:
        """Use the eigenvectors from now on."""
        self.near_far.adopt()
        if roster.SPECTRUM in self.sources:
            self.sources[roster.SPECTRUM].wake()
        for expert in self.experts:
            if isinstance(expert, RowExpert):
                expert.wake()
        self._behind = True

    @property
    @abstractmethod
    def neighbour_trust(self) -> float:
        """How far neighbours are expected to be alike, between 0 and 1."""

    @property
    def compares_by_edges(self) -> bool:
        """Whether there are no attributes."""
        return all(expert.name != roster.RAW for expert in self.experts)

    def likeness_rows(self, nodes: Nodes) -> Array:
        """Return the rows of attributes spread over edges and places, beside those of structure.

        The former count as neighbours are trusted to be alike, the latter the rest; both have
        length 1 on average. Without attributes, rows of a large graph tell too little: then there
        are no columns.
        """
        trust = self.neighbour_trust
        held = {e.name: e for e in self.experts if isinstance(e, RowExpert)}
        found = [np.empty((len(nodes), 0))]
        if self.compares_by_edges and self.graph.n_nodes > roster.MOST_FOR_SPECTRUM:
            return found[0]
        for names, share in ((ALIKE, trust), (DIFFERENT, 1.0 - trust)):
            expert = next((held[name] for name in names if name in held), None)
            if expert is not None and share >= LEAST:
                found.append(_scaled(expert, nodes, share))
        return np.hstack(found)


def _scaled(expert: RowExpert, nodes: Nodes, share: float) -> Array:
    """The expert's rows of these nodes, whose squared lengths have this mean over all nodes."""
    parts, size = [np.empty((len(nodes), 0))], 0.0
    for source, part in expert.parts.items():
        if source.is_asleep:
            continue
        rows = source.rows
        if len(nodes):
            sample = np.asarray(rows[:: -(-len(rows) // SAMPLE)], dtype=np.float64)
            size += part * float(np.square(sample).sum(axis=1).mean())
        parts.append(np.sqrt(part) * np.asarray(rows[nodes], dtype=np.float64))
    return np.asarray(np.hstack(parts) * np.sqrt(share / (size or 1.0)))
