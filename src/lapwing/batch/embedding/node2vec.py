"""node2vec (Grover and Leskovec 2016)."""

from __future__ import annotations

from lapwing.batch.embedding.row_classifier import OnRows
from lapwing.embed.skipgram import node2vec
from lapwing.graph import Graph
from lapwing.types import Array


class Node2Vec(OnRows):
    """Logistic regression on rows learned from walks that prefer to return, or to leave.

    Rows of `lapwing.embed.node2vec`: as in DeepWalk, but a step back to the previous node is
    weighted by 1/p and a step away from it by 1/q.

    Parameters
    ----------
    p, q:
        Grover and Leskovec choose both from 1/4, 1/2, 1, 2, 4 by cross-validation; q below 1
        reaches further.
    dimension, length:
        128 and 80 in the paper; walks of 40 here, 10 from each node as there.
    ridge:
        Penalty of the regression; None chooses it by cross-validation on the given labels.

    References
    ----------
    Grover, Leskovec. node2vec: scalable feature learning for networks. KDD 2016.

    Examples
    --------
    >>> import numpy as np
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> walks = Node2Vec(graph, dimension=8, p=0.5, length=1000)
    >>> walks.fit([0, 5], [0, 1]).predict(np.arange(6))
    array([0, 0, 0, 1, 1, 1])
    """

    def __init__(
        self,
        graph: Graph,
        n_classes: int | None = None,
        *,
        p: float = 1.0,
        q: float = 0.5,
        dimension: int = 128,
        length: int = 40,
        ridge: float | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__(graph, n_classes, ridge=ridge, seed=seed)
        self.p, self.q = p, q
        self.dimension = dimension
        self.length = length

    def _made_rows(self) -> Array:
        return node2vec(
            self.graph,
            p=self.p,
            q=self.q,
            dimension=self.dimension,
            length=self.length,
            seed=self.seed,
        )
