"""Rows of the Laplacian's low spectrum and a linear classifier on them."""

from __future__ import annotations

from typing import Literal

import numpy as np

from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.diffusion.laplace import component_verdict
from lapwing.batch.known_labels import KnownLabels
from lapwing.embed import laplacian
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.optional import need
from lapwing.types import Array


class Spectral(GraphClassifier):
    """A linear classifier on unit rows of the normalised Laplacian's smoothest directions.

    One spectrum (cached by the graph's content), then ridge or logistic regression on the
    labelled rows: each class against the rest. Small components have no part in the smoothest
    directions: one whose labels all say the same has that, another's nodes are unknown.

    Parameters
    ----------
    rank: eigenvectors 2..rank.
    model: "ridge" or "logistic".
    penalty: weight of the squared norm of the coefficients, above 0.

    References
    ----------
    Belkin, Niyogi. *Semi-supervised learning on Riemannian manifolds.* 2004.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> Spectral(graph, rank=3).fit([0, 5], [0, 1]).predict(np.arange(6))
    array([0, 0, 0, 1, 1, 1])
    """

    signed = True

    def __init__(
        self,
        graph: Graph,
        n_classes: int | None = None,
        *,
        rank: int = 32,
        model: Literal["ridge", "logistic"] = "logistic",
        penalty: float = 0.1,
    ) -> None:
        if model not in ("ridge", "logistic"):
            raise InputError(f"model must be ridge or logistic, got {model!r}")
        if not penalty > 0:
            raise InputError(f"penalty must be above 0, got {penalty}")
        super().__init__(graph, n_classes)
        self.rank, self.model, self.penalty = rank, model, penalty

    def _learned(self, known: KnownLabels) -> Array:
        rows = laplacian(self.graph, rank=self.rank, normalized=True, unit_rows=True)
        given = rows[known.nodes]
        margins = self._margins(given, known, rows)
        margins[~rows.any(axis=1)] = 0.0
        return self._with_plain_components(margins, known)

    def _margins(self, given: Array, known: KnownLabels, rows: Array) -> Array:
        if self.model == "ridge":
            ridge = need("sklearn.linear_model", extra="all").Ridge(alpha=self.penalty)
            return np.asarray(ridge.fit(given, known.signs).predict(rows))
        columns = [_logistic(given, column, self.penalty, rows) for column in known.indicator.T]
        return np.stack(columns, axis=1)

    def _with_plain_components(self, margins: Array, known: KnownLabels) -> Array:
        """Nodes of components whose labels are all alike get them, with a usual margin."""
        usual = float(np.abs(margins[known.nodes]).mean()) or 1.0
        verdict = component_verdict(self.graph, known)
        alike = verdict.any(axis=1, keepdims=True)
        return np.where(alike, usual * (2.0 * verdict - 1.0), margins)


def _logistic(given: Array, one: Array, penalty: float, rows: Array) -> Array:
    """The log odds of one class against the rest, at every row."""
    if one.min() == one.max():
        return np.full(len(rows), 10.0 if one[0] else -10.0)
    logistic = need("sklearn.linear_model", extra="all").LogisticRegression
    model = logistic(C=1.0 / penalty, max_iter=1000).fit(given, one)
    return np.asarray(model.decision_function(rows), dtype=np.float64)
