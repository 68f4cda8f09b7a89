"""Sparse social dimensions from clustered edges (Tang and Liu 2009)."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from lapwing.batch.embedding.row_classifier import OnRows
from lapwing.batch.known_labels import KnownLabels
from lapwing.batch.linear.common_columns import as_nearest, meets_labelled
from lapwing.embed.edgecluster import edge_clusters
from lapwing.graph import Graph
from lapwing.types import Array


class EdgeCluster(OnRows):
    """A linear SVM on the clusters that a node's edges fall into.

    An edge belongs to one community, a node to as many as its edges do: rows of
    `lapwing.embed.edge_clusters`, then one squared-hinge SVM per class.

    Parameters
    ----------
    clusters:
        Number of clusters of edges; 1000 in the paper.
    ridge:
        Penalty of the SVM; None chooses it by cross-validation on the given labels.
    prior:
        Answer from the SVM's constant, as the paper does, where a node has no cluster in common
        with a labelled one. If False, such a node has the scores of the nearest one that does, and
        components whose labels all agree, which have that class, do not move the constant.

    References
    ----------
    Tang, Liu. Scalable learning of collective behavior based on sparse social dimensions. CIKM
    2009.

    Examples
    --------
    >>> import numpy as np
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> EdgeCluster(graph, clusters=2, seed=1).fit([0, 5], [0, 1]).predict(np.arange(6))
    array([0, 0, 0, 1, 1, 1])
    """

    loss = "squared hinge"

    def __init__(
        self,
        graph: Graph,
        n_classes: int | None = None,
        *,
        clusters: int = 1000,
        ridge: float | None = None,
        prior: bool = False,
        seed: int = 0,
    ) -> None:
        super().__init__(graph, n_classes, ridge=ridge, seed=seed)
        self.clusters, self.prior = clusters, prior

    def _learned(self, known: KnownLabels) -> Array:
        if self.prior:
            return super()._learned(known)
        disputed = known.disputed(self.graph)
        if len(disputed.nodes) == 0:
            return np.zeros((known.n_nodes, known.n_classes))
        scores = super()._learned(disputed)
        met = meets_labelled(self.rows[:, :-1], known.nodes)
        return as_nearest(self.graph, scores, met)

    def _made_rows(self) -> sparse.csr_array:
        return edge_clusters(self.graph, clusters=self.clusters, seed=self.seed)
