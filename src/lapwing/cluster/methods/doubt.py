"""The nodes of which a prediction is least sure, each part naming its own."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lapwing.cluster.engine.engine import Engine
from lapwing.cluster.engine.part import GraphPart
from lapwing.cluster.methods.score_reading import ScoreReading


def doubtful_nodes(engine: Engine, reading: ScoreReading, count: int) -> NDArray[np.int64]:
    """Return up to `count` nodes whose two best classes are closest, most doubtful first.

    Among equals those of higher degree come first. A node that no label reaches is in more doubt
    than any other.
    """
    found = engine.total(_own_doubts, reading, count, combine="join")
    if not len(found):
        return np.empty(0, dtype=np.int64)
    order = np.lexsort((-found[:, 2], found[:, 1]))[:count]
    return np.asarray(found[order, 0], dtype=np.int64)


def _own_doubts(part: GraphPart, reading: ScoreReading, count: int) -> NDArray[np.float64]:
    """Return node, margin and degree of a part's most doubtful nodes."""
    best = np.empty((0, 3))
    for _, rows in part.by_block():
        chances = np.sort(reading.chances(part, rows), axis=1)
        margins = chances[:, -1] - chances[:, -2]
        nodes = np.arange(part.first + rows.start, part.first + rows.stop)
        here = np.stack([nodes, margins, part.degrees[rows]], axis=1)
        here = here[~np.isin(nodes, reading.nodes)]
        best = np.concatenate([best, here])
        best = best[np.lexsort((-best[:, 2], best[:, 1]))[:count]]
    return best
