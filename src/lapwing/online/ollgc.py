"""Online learning with local and global consistency."""

from __future__ import annotations

import numpy as np
from numba import njit

from lapwing.checks import positive
from lapwing.learner import BinaryLearner, BinaryTrace, GrowsWithRows
from lapwing.linalg.products import dot
from lapwing.linalg.ridge.triangle import mirror, triangle_lower, triangle_times
from lapwing.online.linear.weight_vectors import add, margins
from lapwing.types import Array, Index, Mask, Nodes


class OLLGC(BinaryLearner, GrowsWithRows):
    r"""Ridge regression on the nodes seen so far, updated only on a mistake.

    Algorithm 1 of Gu et al. (2013). Node :math:`i` is the row :math:`m_i` of an array with
    :math:`M M^\top \approx L^+`. On a mistake, by their (7) and (8),

    .. math:: A \leftarrow A + m_t m_t^\top, \quad b \leftarrow b + y_t m_t,
              \quad w = A^{-1} b, \qquad A_0 = \mu I.

    :math:`A^{-1}` is kept by Sherman and Morrison, and :math:`w` moves by
    :math:`A^{-1} m_t (y_t - w^\top m_t)`: a mistake costs :math:`O(d^2)`, any other round
    :math:`O(d)`; memory :math:`O(d^2)` beside the rows.

    Parameters
    ----------
    features
        One row per node, shape ``(n, d)``, from :mod:`lapwing.embed`.
    mu
        Ridge penalty, positive; the paper searches 0.001 to 10.
    every_label
        Learn from every label, not only from mistakes; then w is ridge regression (6) on all
        labels so far.

    Notes
    -----
    Departures: a margin of 0 counts as a mistake (the paper leaves sign(0) open); `every_label`.

    References
    ----------
    Gu, Aggarwal, Liu, Han. *Selective sampling on graphs for classification.* KDD 2013.

    Examples
    --------
    Two triangles joined by an edge: one label colours both.

    >>> from lapwing import Graph, embed
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learner = OLLGC(embed.laplacian(graph), mu=0.1)
    >>> learner.learn(0, +1)
    >>> learner.margin(np.arange(6)).round(2)
    array([ 0.87,  0.45,  0.24, -0.38, -0.59, -0.59])
    """

    def __init__(self, features: Array, *, mu: float = 0.1, every_label: bool = False) -> None:
        positive("mu", mu)
        d = features.shape[1]
        self.features, self.n_nodes = features, len(features)
        self.mu = mu
        self.every_label = every_label
        self.inverse = np.eye(d) / mu
        self.w = np.zeros(d)

    def _take_rows(self, rows: Array) -> None:
        self.features, self.n_nodes = rows, len(rows)

    def _margin(self, nodes: Index) -> Array:
        return margins(self.features, nodes, self.w)

    def _learn(self, node: int, label: int | None) -> None:
        if label is not None:
            OLLGC._stream(self, np.array([node]), np.array([label]), None)

    def _stream(self, nodes: Nodes, labels: Nodes, shown: Mask | None) -> BinaryTrace:
        told = np.ones(len(nodes), dtype=bool) if shown is None else shown
        found, updated = ollgc_rounds(
            self.features, nodes, labels, told, self.every_label, self.inverse, self.w
        )
        return BinaryTrace(found, np.ones(len(nodes), dtype=bool), updated)


@njit(cache=True)
def ollgc_rounds(
    features: Array,
    nodes: Nodes,
    labels: Nodes,
    told: Mask,
    every_label: bool,
    inverse: Array,
    w: Array,
) -> tuple[Array, Mask]:
    """Return margins and updates over a stream; the loop's body is Algorithm 1's step."""
    found = np.empty(nodes.shape[0])
    updated = np.zeros(nodes.shape[0], dtype=np.bool_)
    v = np.empty(w.shape[0])
    for t in range(nodes.shape[0]):
        x = features[nodes[t]]
        found[t] = dot(x, w)
        if told[t] and (every_label or labels[t] * found[t] <= 0):
            scale = 1.0 / (1.0 + triangle_times(inverse, x, v))
            triangle_lower(inverse, v, scale)
            add(w, v, scale * (labels[t] - found[t]))
            updated[t] = True
    mirror(inverse)
    return found, updated
