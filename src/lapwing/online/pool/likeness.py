"""How alike nodes are, by the rows that a pool trusts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence

import numpy as np

from lapwing.graph import Graph
from lapwing.learner import ComparesNodes
from lapwing.online.pool import roster
from lapwing.online.pool.expert import Expert
from lapwing.online.pool.reading.memo import Memo
from lapwing.online.pool.row_expert import RowExpert
from lapwing.online.pool.sources import Source
from lapwing.types import Array, Nodes

ALIKE = (roster.PLACED, roster.POSITION)
"""Experts whose rows tell which nodes are alike where neighbours are, the first there is."""
DIFFERENT = (roster.STRUCTURED, roster.BESIDE, roster.RAW, roster.LOCATED, roster.STRUCTURE)
"""The same where neighbours differ."""
LEAST = 0.01
"""Rows that count less are left out."""


class PooledRows(ComparesNodes):
    """A pool as a judge of which nodes are alike: by its rows, each as far as it is trusted."""

    graph: Graph
    experts: Sequence[Expert]
    memo: Memo

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
        parts = self.memo.made("likeness", self._likeness)
        found = np.empty((len(nodes), sum(source.rows.shape[1] for source, _ in parts)))
        at = 0
        for source, scale in parts:
            after = at + source.rows.shape[1]
            np.multiply(source.rows[nodes], scale, out=found[:, at:after])
            at = after
        return found

    def _likeness(self) -> list[tuple[Source, float]]:
        """The sources that tell how alike nodes are, and the factors of their rows."""
        trust = self.neighbour_trust
        held = {e.name: e for e in self.experts if isinstance(e, RowExpert)}
        found = list[tuple[Source, float]]()
        large = self.compares_by_edges and self.graph.n_nodes > roster.MOST_FOR_SPECTRUM
        if large and (len(set(self.labels.values())) < 2 or not self._places(held)):
            return found
        for names, share in ((ALIKE, trust), (DIFFERENT, 1.0 - trust)):
            expert = next((held[name] for name in names if name in held), None)
            if expert is not None and share >= LEAST:
                found += _scaled(expert, share)
        return found

    def _places(self, held: Mapping[str, RowExpert]) -> bool:
        """Whether rows of places in the graph are there to be used."""
        sources = held[roster.POSITION].parts if roster.POSITION in held else ()
        return any(not source.is_asleep for source in sources)


def _scaled(expert: RowExpert, share: float) -> list[tuple[Source, float]]:
    """The expert's sources, scaled so that squared lengths have this mean over all nodes."""
    awake = {source: part for source, part in expert.parts.items() if not source.is_asleep}
    size = sum(part * source.mean_square for source, part in awake.items())
    return [
        (source, float(np.sqrt(part * share / (size or 1.0)))) for source, part in awake.items()
    ]
