"""Selective sampling with local and global consistency."""

from __future__ import annotations

import numpy as np
from numba import njit

from lapwing.checks import between
from lapwing.learner import BinaryTrace
from lapwing.linalg.products import dot
from lapwing.linalg.ridge.inverse import lower
from lapwing.linalg.ridge.triangle import triangle_times
from lapwing.online.linear.weight_vectors import add
from lapwing.online.ollgc import OLLGC
from lapwing.types import Array, Mask, Nodes

AHEAD = 24
"""Rows whose uncertainty is computed together; a product this small stays on one core."""


class SSLGC(OLLGC):
    r"""OLLGC that queries a label only if its uncertainty exceeds a decreasing threshold.

    Algorithm 2 of Gu et al. (2013): in round t a node of row m is queried when

    .. math:: r_t = m^\top A_t^{-1} m = \frac{q}{1 + q} > t^{-\kappa},
              \qquad q = m^\top A_{t-1}^{-1} m,

    and, when queried and mistaken, learned as in `OLLGC`. A round costs :math:`O(d^2)`, of
    which a recorded stream computes 24 rounds at once. When every queried label is learned, at
    most :math:`T^\kappa d \ln(1 + N_T B / \mu d)` labels are queried (Theorem 7), :math:`B` the
    largest :math:`|m|^2`, which the printed bound leaves out: it holds for rows no longer than 1.
    Learning from mistakes only, as the paper runs it, this bounds the queries that were mistakes.

    Parameters
    ----------
    features
        One row per node, shape ``(n, d)``, from :mod:`lapwing.embed`.
    mu
        Ridge penalty, positive; the paper searches 0.001 to 10.
    kappa
        Between 0 and 1: larger asks more. The paper fixes 0.4 and studies 0.1 to 1.
    every_label
        Learn from every label queried, not only from mistakes; A then grows with every query,
        and far fewer are made.

    Notes
    -----
    Departures: A_t in r_t already includes the node, which (20) leaves open and only so the
    paper's counts of queries are reached; a margin of 0 counts as a mistake; `every_label`. A
    label that was not queried is learned too, if it is given.

    References
    ----------
    Gu, Aggarwal, Liu, Han. *Selective sampling on graphs for classification.* KDD 2013.

    Examples
    --------
    Two triangles joined by an edge: one label is queried in each, then no more.

    >>> from lapwing import Graph, embed
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learner = SSLGC(embed.laplacian(graph, bias=2.0), mu=1.0, every_label=True)
    >>> learner.stream(np.array([0, 5, 1, 4, 2, 3]), np.array([1, -1, 1, -1, 1, -1])).queried
    array([False, False,  True,  True, False, False])
    """

    def __init__(
        self,
        features: Array,
        *,
        mu: float = 0.1,
        kappa: float = 0.4,
        every_label: bool = False,
    ) -> None:
        between("kappa", kappa, 0, 1)
        super().__init__(features, mu=mu, every_label=every_label)
        self.kappa = kappa
        self.t = 1

    def _queries(self, node: int) -> bool:
        x, v = self.features[node], np.empty(len(self.w))
        return bool(exceeds(triangle_times(self.inverse, x, v), self._thresholds(1)[0]))

    def _learn(self, node: int, label: int | None) -> None:
        super()._learn(node, label)
        self.t += 1

    def _stream(self, nodes: Nodes, labels: Nodes, shown: Mask | None) -> BinaryTrace:
        told = np.ones(len(nodes), dtype=bool) if shown is None else shown
        found, queried, updated = selective_rounds(
            self.features,
            nodes,
            labels,
            told,
            self._thresholds(len(nodes)),
            self.every_label,
            self.inverse,
            self.w,
        )
        self.t += len(nodes)
        return BinaryTrace(found, queried, updated)

    def _thresholds(self, rounds: int) -> Array:
        return np.asarray(thresholds(self.t, rounds, self.kappa))


@njit(cache=True)
def thresholds(start: int, rounds: int, kappa: float) -> Array:
    """Return the thresholds t^-kappa of this many rounds, from round `start` on.

    Examples
    --------
    >>> thresholds(1, 3, 0.5).round(3).tolist()
    [1.0, 0.707, 0.577]
    """
    found = np.empty(rounds)
    for i in range(rounds):
        found[i] = float(start + i) ** -kappa
    return found


def query_limits(t: int, rounds: int, kappa: float | None, *, always: bool = False) -> Array:
    """Return the thresholds of the rounds from t on; -1 if every label is queried.

    Examples
    --------
    >>> query_limits(4, 2, 0.5).round(2).tolist(), query_limits(4, 2, None).tolist()
    ([0.5, 0.45], [-1.0, -1.0])
    """
    if always or kappa is None:
        return np.full(rounds, -1.0)
    return np.asarray(thresholds(t, rounds, kappa))


@njit(cache=True)
def exceeds(q: float, threshold: float) -> bool:
    """Whether r = q / (1 + q) is above the threshold.

    Examples
    --------
    >>> exceeds(3.0, 0.7), exceeds(3.0, 0.75)
    (True, False)
    """
    return bool(q / (1.0 + q) > threshold)


@njit(cache=True)
def doubtful(q: float, q_before: float, threshold: float) -> bool:
    """Whether rounding since `q_before` could decide if q exceeds the threshold."""
    if threshold >= 1.0:
        return False
    limit = threshold / (1.0 - threshold)
    return bool(abs(q - limit) <= 1e-9 * limit + 1e-11 * q_before)


@njit(cache=True)
def selective_rounds(
    features: Array,
    nodes: Nodes,
    labels: Nodes,
    told: Mask,
    limits: Array,
    every_label: bool,
    inverse: Array,
    w: Array,
) -> tuple[Array, Mask, Mask]:
    """Return margins, queries and updates over a stream, by Algorithm 2.

    A^-1 changes only on an update, so q is computed for the next rows together and corrected, in
    O(d) per row, by each update between; where rounding could matter it is computed afresh.
    """
    n, d = nodes.shape[0], w.shape[0]
    found, queried, updated = np.empty(n), np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    rows, v = np.zeros((AHEAD, d)), np.empty(d)
    q, q_before = np.empty(AHEAD), np.empty(AHEAD)
    for t in range(n):
        b = t % AHEAD
        if b == 0:
            ahead(features, nodes[t : t + AHEAD], inverse, rows, q)
            q_before[:] = q
        x = rows[b]
        found[t] = dot(x, w)
        if doubtful(q[b], q_before[b], limits[t]):
            q[b] = triangle_times(inverse, x, v)
        queried[t] = exceeds(q[b], limits[t])
        if queried[t] and told[t] and (every_label or labels[t] * found[t] <= 0):
            scale = 1.0 / (1.0 + triangle_times(inverse, x, v))
            lower(inverse, v, scale)
            add(w, v, scale * (labels[t] - found[t]))
            updated[t] = True
            for later in range(b + 1, min(AHEAD, b + n - t)):
                q[later] -= scale * dot(rows[later], v) ** 2
    return found, queried, updated


@njit(cache=True)
def ahead(features: Array, nodes: Nodes, inverse: Array, rows: Array, q: Array) -> None:
    """Collect the rows of the next nodes and compute q = m'A^-1 m of each."""
    for k in range(nodes.shape[0]):
        rows[k] = features[nodes[k]]
    if nodes.shape[0] < 4:
        v = np.empty(rows.shape[1])
        for k in range(nodes.shape[0]):
            q[k] = triangle_times(inverse, rows[k], v)
        return
    products = np.dot(rows, inverse)
    for k in range(nodes.shape[0]):
        q[k] = dot(rows[k], products[k])
