"""A linear classifier on the smallest eigenvectors of the Laplacian."""

from __future__ import annotations

import warnings
from functools import cached_property
from typing import Literal

import numpy as np

from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.diffusion.poisson import Poisson
from lapwing.batch.known_labels import KnownLabels
from lapwing.checks import one_of, positive
from lapwing.embed import with_unit_rows
from lapwing.embed.learning_rows import learning_rows
from lapwing.embed.weight_unit import in_solvable_range
from lapwing.errors import ConvergenceError
from lapwing.graph import Graph
from lapwing.learner import HasRows
from lapwing.optional import need
from lapwing.types import Array


class Spectral(GraphClassifier, HasRows):
    """A linear classifier on unit rows of the normalised Laplacian's smallest eigenvectors.

    One spectrum per graph, then ridge or logistic regression on the labelled rows: each class
    against the rest. Small components have no part in the smallest eigenvectors: unless its labels
    all agree, the nodes of such a component are unknown. The rows are those of `learning_rows`,
    within a minute for a million nodes. Weights that span more than 1e12 are compressed to 1e6,
    since eigenvectors in 64-bit floats cannot follow them. If the spectrum cannot be computed,
    `Poisson` is used instead, with a warning.

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
        one_of("model", model, ("ridge", "logistic"))
        positive("penalty", penalty)
        super().__init__(graph, n_classes)
        self.rank, self.model, self.penalty = rank, model, penalty

    @cached_property
    def rows(self) -> Array | None:
        """The rows, computed once; None if the spectrum does not converge."""
        try:
            return with_unit_rows(learning_rows(in_solvable_range(self.graph), self.rank))
        except (ConvergenceError, np.linalg.LinAlgError) as problem:
            warnings.warn(
                f"the graph's spectrum cannot be computed ({problem}); "
                "Poisson learning, which does not need it, is used instead",
                RuntimeWarning,
                stacklevel=2,
            )
            return None

    def _learned(self, known: KnownLabels) -> Array:
        rows = self.rows
        if rows is None:
            return Poisson(self.graph)._learned(known)
        if rows.shape[1] == 0:
            return np.zeros((known.n_nodes, known.n_classes))
        margins = self._margins(rows[known.nodes], known, rows)
        margins[~rows.any(axis=1)] = 0.0
        return margins

    def _margins(self, given: Array, known: KnownLabels, rows: Array) -> Array:
        if self.model == "ridge":
            ridge = need("sklearn.linear_model", extra="all").Ridge(alpha=self.penalty)
            return np.asarray(ridge.fit(given, known.signs).predict(rows))
        columns = [_logistic(given, column, self.penalty, rows) for column in known.indicator.T]
        return np.stack(columns, axis=1)


def _logistic(given: Array, one: Array, penalty: float, rows: Array) -> Array:
    """Return the log odds of one class against the rest, for every row."""
    if one.min() == one.max():
        return np.full(len(rows), 10.0 if one[0] else -10.0)
    logistic = need("sklearn.linear_model", extra="all").LogisticRegression
    model = logistic(C=1.0 / penalty, max_iter=1000).fit(given, one)
    return np.asarray(model.decision_function(rows), dtype=np.float64)
