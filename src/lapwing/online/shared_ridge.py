"""OLLGC and SSLGC for all classes at once, learning from every label."""

from __future__ import annotations

import numpy as np
from numba import njit

from lapwing.checks import between, node_or_nodes, positive
from lapwing.deprecation import warn_former
from lapwing.learner import GrowsWithRows, Trace
from lapwing.linalg.products import dot, row_products
from lapwing.linalg.ridge.inverse import lower
from lapwing.linalg.ridge.triangle import mirror, triangle_lower, triangle_times
from lapwing.online.linear.new_classes import (
    first_rounds,
    largest,
    n_classes_after,
    of_named,
    with_more,
)
from lapwing.online.linear.recorded_learner import RecordedLearner
from lapwing.online.linear.weight_vectors import add
from lapwing.online.sslgc import AHEAD, ahead, doubtful, exceeds, query_limits
from lapwing.types import UNKNOWN, Array, Index, Mask, Nodes


class SharedRidge(RecordedLearner, GrowsWithRows):
    r"""Ridge regression of all classes on every label, with one matrix for all classes.

    One-vs-rest `OLLGC` or `SSLGC` whose classes learn from every label, whichever of them asked:
    their :math:`A` depends on the nodes only, so one serves all, and all query the same nodes.
    A label costs :math:`O(d^2 + K d)`; memory is the same beside the rows.

    Parameters
    ----------
    features
        One row per node, shape ``(n, d)``, from :mod:`lapwing.embed`.
    n_classes
        Number of classes; None adds them as their labels appear.
    mu
        Ridge penalty, positive; the paper searches 0.001 to 10.
    kappa
        A node is queried when :math:`q / (1 + q) > t^{-\kappa}`, as in `SSLGC`; None queries all.

    Notes
    -----
    Departure: the paper learns from mistakes only. From every label, a fraction of the labels
    gives the same error.

    References
    ----------
    Gu, Aggarwal, Liu, Han. *Selective sampling on graphs for classification.* KDD 2013.

    Examples
    --------
    Two triangles joined by an edge.

    >>> from lapwing import Graph, embed
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learner = SharedRidge(embed.laplacian(graph), mu=0.1)
    >>> learner.learn(0, 0)
    >>> learner.learn(5, 1)
    >>> learner.predict(np.arange(6))
    array([0, 0, 0, 1, 1, 1])
    """

    signed = True

    def __init__(
        self,
        features: Array,
        n_classes: int | None = None,
        *,
        mu: float = 0.1,
        kappa: float | None = None,
    ) -> None:
        positive("mu", mu)
        between("kappa", 0.0 if kappa is None else kappa, 0, 1)
        d = features.shape[1]
        self.features, self.n_nodes = features, len(features)
        self.mu = mu
        self.kappa = kappa
        self.t = 1
        self.fixed_classes = n_classes
        self.named = np.zeros(n_classes or 0, dtype=bool)
        self.inverse = np.eye(d) / mu
        self.weights = np.zeros(((n_classes or 0) + 1, d))
        """One row per class, then one for a class not seen yet."""

    @property
    def n_classes(self) -> int:
        return len(self.weights) - 1

    def _take_rows(self, rows: Array) -> None:
        self.features, self.n_nodes = rows, len(rows)

    def _scores(self, nodes: Index) -> Array:
        wanted = np.asarray(nodes, dtype=np.intp)
        found = row_products(self.features, wanted.ravel(), self.weights[:-1])
        return of_named(np.asarray(found).reshape(*wanted.shape, self.n_classes), self.named)

    def uncertainty(self, nodes: Index) -> Array:
        """Return the uncertainty of margins, q = m'A^-1 m, of one node or of each of many."""
        rows = self.features[node_or_nodes(nodes, self.n_nodes)]
        return np.asarray(((rows @ self.inverse) * rows).sum(axis=-1))

    def _queries(self, node: int) -> bool:
        if self.kappa is None:
            return True
        q = triangle_times(self.inverse, self.features[node], np.empty(len(self.inverse)))
        return bool(exceeds(q, query_limits(self.t, 1, self.kappa)[0]))

    def limits(self, rounds: int, *, always: bool = False) -> Array:
        """A former way to read the thresholds of the next rounds; use `query_limits`."""
        warn_former("SharedRidge.limits", "lapwing.online.sslgc.query_limits")
        return query_limits(self.t, rounds, self.kappa, always=always)

    def _rounds(self, nodes: Nodes, labels: Nodes, shown: Mask, *, always: bool = False) -> Trace:
        n_before = self.n_classes
        n_after = n_classes_after(n_before, labels)
        late = np.repeat(self.weights[-1:], n_after - n_before, axis=0)
        weights = np.vstack([self.weights[:-1], late, self.weights[-1:]])
        limits = query_limits(self.t, len(nodes), self.kappa, always=always)
        margins, asked = shared_rounds(
            self.features, nodes, labels, shown, limits, self.inverse, weights
        )
        self.t += len(nodes)
        queried = asked & shown
        first = first_rounds(np.where(queried, labels, UNKNOWN), with_more(self.named, n_after))
        known = n_classes_after(n_before, labels[queried])
        self.named = (first < len(nodes))[:known]
        self.weights = np.vstack([weights[:known], weights[-1:]])
        signs = np.where(labels == np.arange(n_after)[:, None], 1, -1)
        return Trace(
            guesses=largest(margins[:-1], first),
            queried=queried,
            class_queries=n_after * queried,
            binary_mistakes=(signs * margins[:-1] <= 0).sum(axis=0),
            updates=n_after * queried,
        )


@njit(cache=True)
def shared_rounds(
    features: Array,
    nodes: Nodes,
    labels: Nodes,
    shown: Mask,
    limits: Array,
    inverse: Array,
    weights: Array,
) -> tuple[Array, Mask]:
    """Return margins ``(K, rounds)`` and queries over a stream; a negative limit always asks."""
    n, d, n_classes = nodes.shape[0], weights.shape[1], weights.shape[0]
    margins, asked = np.empty((n_classes, n)), np.zeros(n, np.bool_)
    rows, v = np.zeros((AHEAD, d)), np.empty(d)
    q, q_before = np.zeros(AHEAD), np.zeros(AHEAD)
    for t in range(n):
        b = t % AHEAD
        if b == 0 and limits[t] >= 0.0:
            ahead(features, nodes[t : t + AHEAD], inverse, rows, q)
            q_before[:] = q
        x = features[nodes[t]]
        for k in range(n_classes):
            margins[k, t] = dot(x, weights[k])
        if limits[t] >= 0.0 and doubtful(q[b], q_before[b], limits[t]):
            q[b] = triangle_times(inverse, x, v)
        asked[t] = limits[t] < 0.0 or exceeds(q[b], limits[t])
        if asked[t] and shown[t]:
            scale = 1.0 / (1.0 + triangle_times(inverse, x, v))
            if limits[t] >= 0.0:
                lower(inverse, v, scale)
            else:
                triangle_lower(inverse, v, scale)
            for k in range(n_classes):
                sign = 1.0 if labels[t] == k else -1.0
                add(weights[k], v, scale * (sign - margins[k, t]))
            if limits[t] >= 0.0:
                for later in range(b + 1, min(AHEAD, b + n - t)):
                    q[later] -= scale * dot(rows[later], v) ** 2
    mirror(inverse)
    return margins, asked
