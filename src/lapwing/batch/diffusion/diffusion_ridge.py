"""Kernel ridge regression with the diffusion kernel."""

from __future__ import annotations

import numpy as np

from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.diffusion.transition import symmetric_transition
from lapwing.batch.known_labels import KnownLabels
from lapwing.checks import positive, strictly_between
from lapwing.graph import Graph
from lapwing.linalg.solve.conjugate_gradients import solved
from lapwing.types import Array


class DiffusionRidge(GraphClassifier):
    r"""Local and global consistency with label weights chosen by least squares.

    With the kernel :math:`K = (1 - \alpha)(I - \alpha D^{-1/2} A D^{-1/2})^{-1}`, scaled to mean
    diagonal 1, predicts :math:`F = K_{\cdot L} (K_{LL} + \nu I)^{-1} (Y_L - 1/k)`. LGC gives every
    label the weight 1; here redundant labels share a weight. Columns of K on the labelled nodes
    come from conjugate gradients, in blocks; then one solve of that size.

    Parameters
    ----------
    alpha: how far labels reach, between 0 and 1.
    noise: :math:`\nu`, how little a single label is trusted, above 0.
    tol: relative residual of the columns.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> DiffusionRidge(graph).fit([0, 5], [0, 1]).predict(np.arange(6))
    array([0, 0, 0, 1, 1, 1])
    """

    signed = True
    BLOCK = 64

    def __init__(
        self,
        graph: Graph,
        n_classes: int | None = None,
        *,
        alpha: float = 0.98,
        noise: float = 1.0,
        tol: float = 1e-5,
    ) -> None:
        strictly_between("alpha", alpha, 0, 1)
        positive("noise", noise)
        super().__init__(graph, n_classes)
        self.alpha, self.noise, self.tol = alpha, noise, tol

    def _learned(self, known: KnownLabels) -> Array:
        kernel = self._among(known)
        centred = known.indicator - 1.0 / known.n_classes
        level = float(kernel.diagonal().mean())
        system = kernel / level + self.noise * np.eye(len(kernel))
        weights = np.asarray(np.linalg.solve(system, centred), dtype=np.float64)
        return self._spread(KnownLabels(known.nodes, weights, known.n_nodes).spread()) / level

    def _among(self, known: KnownLabels) -> Array:
        """The kernel between the labelled nodes."""
        kernel = np.empty((len(known.nodes), len(known.nodes)))
        for start in range(0, len(known.nodes), self.BLOCK):
            block = known.nodes[start : start + self.BLOCK]
            right = np.zeros((known.n_nodes, len(block)))
            right[block, np.arange(len(block))] = 1.0
            kernel[:, start : start + self.BLOCK] = self._spread(right)[known.nodes]
        return 0.5 * (kernel + kernel.T)

    def _spread(self, right: Array) -> Array:
        walk = symmetric_transition(self.graph)
        found = solved(lambda v: v - self.alpha * (walk @ v), right, tol=self.tol, max_steps=2000)
        return (1.0 - self.alpha) * found
