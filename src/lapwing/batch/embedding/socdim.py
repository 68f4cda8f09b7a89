"""Social dimensions (Tang and Liu 2009)."""

from __future__ import annotations

from lapwing.batch.embedding.row_classifier import OnRows
from lapwing.embed.modularity import modularity
from lapwing.graph import Graph
from lapwing.types import Array


class SocDim(OnRows):
    """A linear SVM on the eigenvectors of the modularity matrix's largest eigenvalues.

    Communities that overlap become directions, one row per node (`lapwing.embed.modularity`), and
    the SVM (squared hinge) learns which of them each class follows.

    Parameters
    ----------
    rank:
        Number of eigenvectors; 500 in the paper, 100 here to save time.
    ridge:
        Penalty of the SVM; None chooses it by cross-validation on the given labels. The paper's
        fixed C was made for many labels: with few, eigenvectors of length 1 leave it almost no
        slope, one reason for the low scores in Ye et al. 2017.

    References
    ----------
    Tang, Liu. Relational learning via latent social dimensions. KDD 2009.

    Examples
    --------
    >>> import numpy as np
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> SocDim(graph, rank=1).fit([0, 5], [0, 1]).predict(np.arange(6))
    array([0, 0, 0, 1, 1, 1])
    """

    loss = "squared hinge"

    def __init__(
        self,
        graph: Graph,
        n_classes: int | None = None,
        *,
        rank: int = 100,
        ridge: float | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__(graph, n_classes, ridge=ridge, seed=seed)
        self.rank = rank

    def _made_rows(self) -> Array:
        return modularity(self.graph, rank=self.rank, seed=self.seed)
