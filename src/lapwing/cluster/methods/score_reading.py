"""From what a method found to the probabilities of all classes, block by block."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lapwing.batch.classifier import certain_labels
from lapwing.batch.known_labels import KnownLabels
from lapwing.cluster.engine.engine import Engine
from lapwing.cluster.engine.part import GraphPart
from lapwing.cluster.methods.labelled import components_at, disputed, rows_at
from lapwing.learner import shares, softmax
from lapwing.types import Array, Mask

FOUND = "found"
"""The columns in which a method leaves the scores of the classes that have a label."""


@dataclass(frozen=True)
class ScoreReading:
    """All that is needed, beside the columns `FOUND`, for a node's probabilities.

    `certain` are labels that override scores, `agreed` the classes of components whose labels all
    agree, as `GraphClassifier` has it.
    """

    n_classes: int
    seen: Mask
    signed: bool
    size: float
    nodes: NDArray[np.int64]
    certain: Array
    components: NDArray[np.int64]
    agreed: Array

    def chances(self, part: GraphPart, rows: slice) -> Array:
        """Return the probability of each class for some rows of a part."""
        chances = np.zeros((rows.stop - rows.start, self.n_classes))
        places = part.components[rows]
        at = np.searchsorted(self.components, places).clip(max=max(len(self.components) - 1, 0))
        reached = self.components[at] == places if len(self.components) else np.zeros(
            len(places), dtype=bool
        )  # fmt: skip
        if self.seen.sum() == 1:
            chances[np.ix_(reached, self.seen)] = 1.0
        elif self.seen.any():
            scores = self._scores(part, rows, at, reached)
            chances[:, self.seen] = softmax(scores) if self.signed else shares(scores)
        return chances

    def _scores(self, part: GraphPart, rows: slice, at: NDArray[np.intp], reached: Mask) -> Array:
        scores = np.array(part[FOUND][rows], dtype=np.float64)
        decisions = np.where(reached[:, None], self.agreed[at], 0.0)
        low = part.first + rows.start
        mine = np.flatnonzero((self.nodes >= low) & (self.nodes < part.first + rows.stop))
        own = self.nodes[mine] - low
        decisions[own] = np.maximum(decisions[own], self.certain[mine])
        clear = decisions.any(axis=1)
        chosen = decisions[clear]
        scores[clear] = self.size * (2.0 * chosen - 1.0 if self.signed else chosen)
        scores[~reached] = 0.0
        return scores


def reading_of(engine: Engine, known: KnownLabels, *, signed: bool) -> ScoreReading:
    """Return the reading on the columns that a method has found for these labels."""
    nodes = np.asarray(known.nodes, dtype=np.int64)
    places = components_at(engine, nodes) if len(nodes) else nodes
    seen, among = known.seen, known.of_seen_classes()
    components, agreed = disputed(among, places)
    size, certain = 1.0, np.zeros(among.indicator.shape)
    if seen.sum() > 1:
        size, certain = certain_labels(rows_at(engine, FOUND, nodes), among.indicator)
    return ScoreReading(known.n_classes, seen, signed, size, nodes, certain, components, agreed)
