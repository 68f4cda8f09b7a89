"""The graph perceptron."""

from __future__ import annotations

import numpy as np
from numba import njit

from lapwing.learner import BinaryLearner, BinaryTrace, GrowsWithRows
from lapwing.linalg.products import dot
from lapwing.online.linear.weight_vectors import add, margins
from lapwing.types import Array, Index, Mask, Nodes


class GPA(BinaryLearner, GrowsWithRows):
    r"""The perceptron on rows: on a mistake, add the node's row times its label to w.

    Herbster and Pontil (2006), Figure 1, the first-order baseline of Gu et al. (2013). With rows
    :math:`x_i` whose inner products are a kernel K, it makes at most :math:`|u|^2_K \max_i K_{ii}`
    mistakes on any order of a labelling u (Theorem 2.1). A round costs :math:`O(d)`, and no
    parameter needs tuning.

    Parameters
    ----------
    features
        One row per node, shape ``(n, d)``, from :mod:`lapwing.embed`.
    every_label
        Learn from every label: w makes the smallest move that gives the node its label as margin,
        :math:`w \leftarrow w + (y - w^\top x) x / |x|^2` (the 1-projection of Herbster, Pontil and
        Wainer 2005).

    Notes
    -----
    Departures: a margin of 0 counts as a mistake; `every_label`.

    References
    ----------
    Herbster, Pontil. *Prediction on a graph with a perceptron.* NIPS 2006.

    Examples
    --------
    Two triangles joined by an edge.

    >>> from lapwing import Graph, embed
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learner = GPA(embed.laplacian(graph))
    >>> learner.learn(0, +1)
    >>> learner.margin(np.arange(6)).round(2)
    array([ 0.69,  0.36,  0.19, -0.31, -0.47, -0.47])
    """

    def __init__(self, features: Array, *, every_label: bool = False) -> None:
        self.features, self.n_nodes = features, len(features)
        self.every_label = every_label
        self.w = np.zeros(features.shape[1])

    def _take_rows(self, rows: Array) -> None:
        self.features, self.n_nodes = rows, len(rows)

    def _margin(self, nodes: Index) -> Array:
        return margins(self.features, nodes, self.w)

    def _learn(self, node: int, label: int | None) -> None:
        if label is not None:
            self._stream(np.array([node]), np.array([label]), None)

    def _stream(self, nodes: Nodes, labels: Nodes, shown: Mask | None) -> BinaryTrace:
        asked = np.ones(len(nodes), dtype=bool)
        told = asked if shown is None else shown
        found, updated = gpa_rounds(self.features, nodes, labels, told, self.every_label, self.w)
        return BinaryTrace(found, asked, updated)


@njit(cache=True)
def gpa_rounds(
    features: Array, nodes: Nodes, labels: Nodes, told: Mask, every_label: bool, w: Array
) -> tuple[Array, Mask]:
    """Return margins and updates over a stream."""
    found = np.empty(nodes.shape[0])
    updated = np.zeros(nodes.shape[0], dtype=np.bool_)
    for t in range(nodes.shape[0]):
        x = features[nodes[t]]
        found[t] = dot(x, w)
        if not told[t] or (not every_label and labels[t] * found[t] > 0):
            continue
        move = float(labels[t])
        if every_label:
            length = dot(x, x)
            move = (labels[t] - found[t]) / length if length > 0.0 else 0.0
        add(w, x, move)
        updated[t] = True
    return found, updated
