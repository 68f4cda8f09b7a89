"""Random walks that restart at the labels: the solver behind four methods."""

from __future__ import annotations

from abc import abstractmethod
from typing import NamedTuple

import numpy as np

from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.known_labels import KnownLabels
from lapwing.graph import Graph
from lapwing.linalg.chebyshev import diffused
from lapwing.types import Array


class Restarts(NamedTuple):
    """The arguments of `restarted`, for one of its methods and some labels."""

    known: KnownLabels
    alpha: float
    tol: float
    start: float
    end: float
    even: bool = False


class RestartingWalk(GraphClassifier):
    """A method whose scores `restarted` solves for; a subclass says with which arguments."""

    @abstractmethod
    def restarts(self, known: KnownLabels) -> Restarts:
        """Return the arguments of `restarted` for these labels."""

    def _learned(self, known: KnownLabels) -> Array:
        wanted = self.restarts(known)
        return restarted(self.graph, **wanted._asdict())


def restarted(
    graph: Graph,
    known: KnownLabels,
    *,
    alpha: float,
    tol: float,
    start: float,
    end: float,
    even: bool = False,
) -> Array:
    r"""Solve :math:`F = D^{e} (I - \alpha D^{-1} A)^{-1} D^{-s} Y` for all classes at once.

    Y holds the known labels, s and e are `start` and `end`. Four methods differ only in these and
    in how they scale Y:

    ============= ===== === ========================================================
    method        s     e   Y
    ============= ===== === ========================================================
    LGC           1/2   1/2 the labels, or the labels over their number per class
    Spreading     1/2   1/2 (1 - alpha) times the labels
    PageRank      0..1  0   (1 - alpha) times the labels
    MultiRankWalk 1     1   (1 - alpha) times the labels over their number per class
    ============= ===== === ========================================================

    Chebyshev's iteration to an error of `tol`; in single precision from 1e-6 on. An isolated node
    counts as if its degree were 1. Scores are never negative. With `even`, those of a class are
    divided by their mean over the nodes, weighted by degrees (`PageRank`).

    Examples
    --------
    >>> path = Graph.from_edges([(0, 1), (1, 2)])
    >>> known = KnownLabels(np.array([0, 2]), np.eye(2), n_nodes=3)
    >>> restarted(path, known, alpha=0.5, tol=1e-9, start=1.0, end=1.0).round(3).tolist()
    [[1.167, 0.167], [0.667, 0.667], [0.167, 1.167]]
    """
    degrees = np.where(graph.degrees > 0, graph.degrees, 1.0)[:, None]
    sources = known.indicator * degrees[known.nodes] ** -start
    right = KnownLabels(known.nodes, sources, known.n_nodes).spread()
    found = diffused(graph.adjacency, right, alpha=alpha, tol=tol)
    scores = np.asarray(np.maximum(found, 0.0) * degrees**end)
    if not even:
        return scores
    means = (degrees[:, 0] / degrees.sum()) @ scores
    return scores / np.where(means > 0, means, 1.0)
