"""What attributes say about a node being positive."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from lapwing.embed.attributes.rows import AttributeRows, Rows32, attribute_rows, diffused_rows
from lapwing.graph import Graph
from lapwing.optional import need
from lapwing.types import Array, Index, Nodes

EVERY, SHARE = 5, 20
"""The regression is fitted again after five changes of labels, or one label in twenty."""
UNSEEN, UNSEEN_WEIGHT = 200, 5.0
"""Random unlabelled nodes that stand for the rest of the graph, and their weight in labels."""
INVERSE_PENALTY = 10.0


class AttributeOdds:
    """Log odds of being positive, from the attributes of nodes and those of their neighbours.

    Logistic regression on the unit rows of the attributes beside the same rows spread over the
    edges, fitted again after every fifth answer (from 100 labels on, after one in twenty). With one
    positive node there is nothing to compare it with, so 200 unlabelled nodes drawn at random count
    as negative, together as much as five labels. Odds are relative to those of the labels fitted.

    `columns` are the keywords of `attribute_rows`. Without attributes all odds are 0.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 3)])
    >>> odds = AttributeOdds(graph.with_node_table({"x": [[1.0], [-1.0], [1.0], [-1.0]]}), {})
    >>> odds.follow({0: True})
    >>> (odds.at(2) > 0 > odds.at(1)).item()
    True
    """

    def __init__(self, graph: Graph, columns: Mapping[str, Any], *, seed: int = 0) -> None:
        self.graph, self.columns, self.seed = graph, dict(columns), seed
        self._changes = self._fitted_at = 0
        self._to_fit: dict[int, bool] | None = None
        self._odds = np.zeros(graph.n_nodes)

    @cached_property
    def attributes(self) -> AttributeRows:
        """One row per node; made when a positive node is known."""
        return attribute_rows(self.graph.node_table, **self.columns)

    @cached_property
    def _spread(self) -> Rows32:
        return diffused_rows(self.graph, self.attributes.rows)

    def follow(self, labels: Mapping[int, bool]) -> None:
        """Note one change: these are the labels now, true where positive."""
        if not len(self.graph.node_table):
            return
        self._changes += 1
        wait = max(EVERY, len(labels) // SHARE) if self._fitted_at else 1
        if self._changes - self._fitted_at >= wait and any(labels.values()):
            self._to_fit, self._fitted_at = dict(labels), self._changes

    def at(self, nodes: Index) -> Array:
        """Return the log odds of one node or several."""
        if self._to_fit is not None:
            labels, self._to_fit = self._to_fit, None
            if self.attributes.width:
                self._fit(labels)
        return np.asarray(self._odds[nodes])

    def _fit(self, labels: Mapping[int, bool]) -> None:
        known = np.fromiter(labels, np.intp, len(labels))
        unseen = self._unseen(known)
        truth = np.array([*labels.values(), *[False] * len(unseen)])
        if truth.all():
            return
        weight = np.ones(len(truth))
        weight[len(known) :] = UNSEEN_WEIGHT / max(len(unseen), 1)
        logistic = need("sklearn.linear_model", extra="all").LogisticRegression
        threads = need("threadpoolctl", extra="all").threadpool_limits
        model = logistic(C=INVERSE_PENALTY, max_iter=200)
        with threads(limits=1):  # for so small a problem, threads wait for each other
            model.fit(self._rows(np.concatenate([known, unseen])), truth, sample_weight=weight)
        width, weights = self.attributes.width, model.coef_[0].astype(np.float32)
        found = self.attributes.rows @ weights[:width] + self._spread @ weights[width:]
        share = float(weight[truth].sum() / weight.sum())
        offset = float(model.intercept_[0]) - float(np.log(share / (1.0 - share)))
        self._odds = np.where(self.attributes.told, found.astype(np.float64) + offset, 0.0)

    def _rows(self, nodes: Nodes) -> Rows32:
        return np.hstack([self.attributes.rows[nodes], self._spread[nodes]])

    def _unseen(self, known: Nodes) -> Nodes:
        """Nodes without a label, drawn by the seed and the number of changes."""
        free = np.ones(self.graph.n_nodes, dtype=bool)
        free[known] = False
        left = np.flatnonzero(free)
        rng = np.random.default_rng([self.seed, self._fitted_at])
        return np.sort(rng.choice(left, min(UNSEEN, len(left)), replace=False))
