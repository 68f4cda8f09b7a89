"""The Laplacian support vector machine (Belkin, Niyogi and Sindhwani 2006)."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.diffusion.transition import transition
from lapwing.batch.known_labels import KnownLabels
from lapwing.batch.linear.newton import one_vs_rest
from lapwing.checks import finite_at_least, finite_positive
from lapwing.graph import Graph
from lapwing.linalg import normalized_laplacian
from lapwing.types import Array


class LapSVM(GraphClassifier):
    """A linear SVM on each node's step probabilities, with scores that are smooth on the graph.

    With the rows p of P = D^-1 A (as Ye et al. 2017 give it) and f = P w + b, each class against
    the rest minimises

        1/l sum_q max(1 - y_q f_q, 0)^2 + ambient/2 (|w|^2 + b^2) + smooth/(2 n) f' L f,

    L the normalised Laplacian. Solved in w itself (the primal, Melacci and Belkin 2011) by products
    with sparse matrices: where inverting the n x n Gram matrix takes O(n^3), "not finished in one
    week", this takes seconds on PubMed.

    Parameters
    ----------
    ambient, smooth:
        Penalties of w and of the roughness of f. A smaller first penalty takes longer.

    Departure: squared hinge; one linear kernel.

    References
    ----------
    Belkin, Niyogi, Sindhwani. Manifold regularization. JMLR 7, 2006.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> LapSVM(graph).fit([0, 5], [0, 1]).predict(np.arange(6))
    array([0, 0, 0, 1, 1, 1])
    """

    signed = True

    def __init__(
        self,
        graph: Graph,
        n_classes: int | None = None,
        *,
        ambient: float = 1e-5,
        smooth: float = 10.0,
        tol: float = 1e-4,
    ) -> None:
        super().__init__(graph, n_classes)
        finite_positive("ambient", ambient)
        finite_at_least("smooth", smooth, 0)
        self.ambient = ambient
        self.smooth = smooth
        self.tol = tol

    def _learned(self, known: KnownLabels) -> Array:
        rows = step_rows(self.graph)
        laplacian = normalized_laplacian(self.graph.adjacency)
        back, rate = sparse.csr_array(rows.T), self.smooth / known.n_nodes

        def penalised(weights: Array) -> Array:
            rough = back @ (laplacian @ (rows @ weights))
            return np.asarray(self.ambient * weights + rate * rough)

        weights = one_vs_rest(
            rows[known.nodes],
            known.signs,
            ridge=penalised,
            costs=1.0 / len(known.nodes),
            tol=self.tol,
        )
        return np.asarray(rows @ weights)


def step_rows(graph: Graph) -> sparse.csr_array:
    """Return the rows of P = D^-1 A with a constant column at the end."""
    ones = np.ones((graph.n_nodes, 1))
    return sparse.csr_array(sparse.hstack([transition(graph), ones]))
