"""DeepWalk (Perozzi, Al-Rfou and Skiena 2014)."""

from __future__ import annotations

from lapwing.batch.embedding.row_classifier import OnRows
from lapwing.embed.skipgram import deepwalk
from lapwing.graph import Graph
from lapwing.types import Array


class DeepWalk(OnRows):
    """Logistic regression on rows learned from uniform random walks.

    Walks are sentences, nodes are words, skip-gram gives each node a row
    (`lapwing.embed.deepwalk`, compiled, one thread).

    Parameters
    ----------
    dimension, per_node, length, window:
        128, 80, 40 and 10 in the paper; 10 walks per node here.
    ridge:
        Penalty of the regression; None chooses it by cross-validation on the given labels.

    Departures: negative sampling in place of hierarchical softmax, fewer walks.

    References
    ----------
    Perozzi, Al-Rfou, Skiena. DeepWalk: online learning of social representations. KDD 2014.

    Examples
    --------
    >>> import numpy as np
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> walks = DeepWalk(graph, dimension=8, per_node=200, window=2)
    >>> walks.fit([0, 5], [0, 1]).predict(np.arange(6))
    array([0, 0, 0, 1, 1, 1])
    """

    def __init__(
        self,
        graph: Graph,
        n_classes: int | None = None,
        *,
        dimension: int = 128,
        per_node: int = 10,
        length: int = 40,
        window: int = 10,
        ridge: float | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__(graph, n_classes, ridge=ridge, seed=seed)
        self.dimension = dimension
        self.per_node = per_node
        self.length = length
        self.window = window

    def _made_rows(self) -> Array:
        return deepwalk(
            self.graph,
            dimension=self.dimension,
            per_node=self.per_node,
            length=self.length,
            window=self.window,
            seed=self.seed,
        )
