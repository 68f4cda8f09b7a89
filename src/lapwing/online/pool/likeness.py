"""How alike nodes are, by the rows that a pool trusts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence

import numpy as np

from lapwing.graph import Graph
from lapwing.learner import ComparesNodes
from lapwing.online.pool import roster
from lapwing.online.pool.expert import Expert
from lapwing.online.pool.row_expert import RowExpert
from lapwing.types import Array, Nodes

ALIKE = (roster.PLACED, roster.POSITION)
"""Experts whose rows tell which nodes are alike where neighbours are, the first there is."""
DIFFERENT = (roster.STRUCTURED, roster.BESIDE, roster.RAW, roster.LOCATED, roster.STRUCTURE)
"""The same where neighbours differ."""
SAMPLE = 1_000
"""Rows whose mean length scales all."""
LEAST = 0.01
"""Rows that count less are left out."""


class PooledRows(ComparesNodes):
    """A pool as a judge of which nodes are alike: by its rows, each as far as it is trusted."""

    graph: Graph
    experts: Sequence[Expert]

    @property
    @abstractmethod
    def labels(self) -> Mapping[int, int]:
        """What was learned: node to class."""

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
        length 1 on average. On a large graph without attributes there are no columns before two
        classes are known and places are there: a first question does not wait for them.
        """
        trust = self.neighbour_trust
        held = {e.name: e for e in self.experts if isinstance(e, RowExpert)}
        found = [np.empty((len(nodes), 0))]
        large = self.compares_by_edges and self.graph.n_nodes > roster.MOST_FOR_SPECTRUM
        if large and (len(set(self.labels.values())) < 2 or not self._places(held)):
            return found[0]
        for names, share in ((ALIKE, trust), (DIFFERENT, 1.0 - trust)):
            expert = next((held[name] for name in names if name in held), None)
            if expert is not None and share >= LEAST:
                found.append(_scaled(expert, nodes, share))
        return np.hstack(found)

    def _places(self, held: Mapping[str, RowExpert]) -> bool:
        """Whether rows of places in the graph are there to be used."""
        sources = held[roster.POSITION].parts if roster.POSITION in held else ()
        return any(not source.is_asleep for source in sources)


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
