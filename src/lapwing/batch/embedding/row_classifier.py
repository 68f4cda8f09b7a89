"""A linear one-vs-rest model on an embedding of the graph."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.known_labels import KnownLabels
from lapwing.batch.linear.newton import Loss, one_vs_rest
from lapwing.batch.linear.regularisation import validated_ridge
from lapwing.checks import finite_positive
from lapwing.graph import Graph
from lapwing.learner import HasRows
from lapwing.types import Array

RIDGES = tuple(4.0**-e for e in range(9))
"""The penalties tried by default, for rows whose mean square length is 1."""


class OnRows(GraphClassifier, HasRows):
    """Rows of the graph, made once, and a linear model for each class against the rest.

    The rows are scaled by one number to a mean square length of 1 and get a constant column. If
    `ridge` is None, it is chosen by cross-validation on the given labels. The model is ridge / 2
    |w|^2 plus the mean loss over the labels.
    """

    signed = True
    loss: Loss = "logistic"
    usual_ridge = 4.0**-4

    ridge_: float

    def __init__(
        self,
        graph: Graph,
        n_classes: int | None = None,
        *,
        ridge: float | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__(graph, n_classes)
        if ridge is not None:
            finite_positive("ridge", ridge)
        self.ridge = ridge
        self.seed = seed

    @abstractmethod
    def _made_rows(self) -> Any:
        """Return the rows of all nodes: an array or a sparse matrix."""

    @cached_property
    def rows(self) -> Any:
        """The scaled rows of the model, with a constant column at the end."""
        return scaled_rows(self._made_rows())

    def _learned(self, known: KnownLabels) -> Array:
        given = self.rows[known.nodes]
        given = given.toarray() if sparse.issparse(given) else given
        self.ridge_ = self.ridge or validated_ridge(
            given,
            known,
            RIDGES,
            usual=self.usual_ridge,
            loss=self.loss,
            rng=np.random.default_rng(self.seed),
        )
        weights = one_vs_rest(
            given,
            known.signs,
            ridge=self.ridge_,
            costs=1.0 / len(given),
            loss=self.loss,
            squares=np.einsum("ij,ij->j", given, given),
        )
        return np.asarray(self.rows @ weights)


def scaled_rows(rows: Any) -> Any:
    """Scale rows to a mean square length of 1 and append a constant column.

    Examples
    --------
    >>> scaled_rows(np.array([[3.0], [4.0], [5.0], [np.sqrt(14.0)]])).round(3).tolist()
    [[0.75, 1.0], [1.0, 1.0], [1.25, 1.0], [0.935, 1.0]]
    """
    thin = sparse.issparse(rows)
    entries = rows.data if thin else rows
    mean = float((entries**2).sum()) / max(rows.shape[0], 1)
    ones = np.ones((rows.shape[0], 1))
    scaled = rows / np.sqrt(mean or 1.0)
    return sparse.csr_array(sparse.hstack([scaled, ones])) if thin else np.hstack([scaled, ones])
