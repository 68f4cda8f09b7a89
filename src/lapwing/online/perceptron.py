"""The kernel perceptron on a graph."""

from __future__ import annotations

from lapwing.online.kernel.kernel_learner import KernelLearner


class Perceptron(KernelLearner):
    """Add a node's kernel column, with the label's sign, on every mistake.

    Figure 1 of Herbster and Pontil (2006) on their kernel K = L+ + b 11' + c I (Eq. 10): when y
    g(i) <= 0, g becomes g + y K_i. A node can appear again with another label (label noise);
    Theorem 4.2 bounds the cost. A round costs O(d) on rows; on columns a mistake costs one column
    and any other round O(1).

    Parameters
    ----------
    kernel
        Rows X, shape ``(n, d)``, with K = XX' (b is their constant column sqrt(b); the paper
        wants b > 0), or `KernelColumns` of K.
    c
        Added to K's diagonal, at least 0. It changes nothing until a node repeats, but the
        mistake bound holds for every c when none does.
    start
        The first hypothesis, zero in the paper.

    Notes
    -----
    Departure: a margin of 0 counts as a mistake; the paper leaves sign(0) open.

    References
    ----------
    Herbster, Pontil. *Prediction on a graph with a perceptron.* NIPS 2006.

    Examples
    --------
    Two triangles joined by an edge: one label per side labels both.

    >>> import numpy as np
    >>> from lapwing.embed import laplacian
    >>> from lapwing.graph import Graph
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learner = Perceptron(laplacian(graph, rank=None, bias=1.0))
    >>> for node, label in [(0, +1), (5, -1)]:
    ...     learner.learn(node, label)
    >>> learner.margin(np.arange(6)).round(2)
    array([ 1.17,  0.83,  0.5 , -0.5 , -0.83, -1.17])
    """

    def _learn(self, node: int, label: int | None) -> None:
        if label is not None and label * self.span.values(node) <= 0:
            self.span.add(node, label)
