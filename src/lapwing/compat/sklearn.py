"""Any lapwing model as a scikit-learn estimator; X holds node indices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from lapwing.catalog.families.batch_today import DEFAULT_BATCH
from lapwing.catalog.make import make, named
from lapwing.deprecation import warn_former
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.learner import Classifier, Learner, decided
from lapwing.types import UNKNOWN, Array, Nodes


class NodeClassifier(ClassifierMixin, BaseEstimator):
    """Classify the nodes of a graph: X is an array of node indices, y holds labels of any type.

    A batch method learns from all labels given to `fit`. An online learner plays them as a stream,
    in their order, and continues with `partial_fit`. Learning is transductive: the whole graph is
    known, but only labels of the nodes in X are seen, so splitting X is a fair test. A node about
    which nothing is known has probabilities of 0 and is predicted as `unknown`.

    Parameters
    ----------
    graph: the `Graph`, never copied by ``clone``.
    method: a catalog name; by default the batch method that chooses by cross-validation.
    params: the method's own parameters, as a mapping; a grid search goes over several of them.
    unknown: the answer where nothing is known; None for -1, NaN or "unknown", as labels are
        integers, floats or else.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> model = NodeClassifier(graph, method="spreading").fit([0, 5], ["cat", "dog"])
    >>> model.predict([1, 2, 3, 4]).tolist()
    ['cat', 'cat', 'dog', 'dog']
    """

    def __init__(
        self,
        graph: Graph | None = None,
        *,
        method: str = DEFAULT_BATCH,
        params: Mapping[str, Any] | None = None,
        unknown: Any = None,
    ) -> None:
        self.graph = graph
        self.method = method
        self.params = params
        self.unknown = unknown

    def fit(self, X: Any, y: Any) -> Self:
        nodes, labels = self._given(X, y)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        self.model_ = self._made(len(self.classes_))
        self._learn(nodes, codes)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Continue learning (online learners only); the first call needs all `classes`."""
        nodes, labels = self._given(X, y)
        if not hasattr(self, "model_"):
            self.classes_ = np.unique(labels if classes is None else np.asarray(classes))
            self.model_ = self._made(len(self.classes_))
        if not isinstance(self.model_, Learner):
            raise InputError(f"{self.method} learns all labels at once: use fit")
        codes = np.searchsorted(self.classes_, labels)
        inside = codes < len(self.classes_)
        inside[inside] = self.classes_[codes[inside]] == labels[inside]
        if not inside.all():
            raise InputError(
                f"labels must be among the classes of the first call, got {labels[~inside][0]!r}"
            )
        self._learn(nodes, codes)
        return self

    def decision_function(self, X: Any) -> Array:
        """Return scores, one column per class; for two classes, the margin of the second."""
        scores = self._scores(X)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def predict_proba(self, X: Any) -> Array:
        """Return one probability per class; a row of zeros if nothing is known."""
        check_is_fitted(self, "model_")
        found: Array = self.model_.predict_proba(self._nodes(X))
        return found

    def predict(self, X: Any) -> NDArray[Any]:
        guesses = decided(self._scores(X))
        known = guesses != UNKNOWN
        if known.all():
            return np.asarray(self.classes_[guesses])
        answers = np.array([self._unknown()] * len(guesses), dtype=object)
        answers[known] = self.classes_[guesses[known]]
        return np.array(answers.tolist())

    def _unknown(self) -> Any:
        """Return the answer for unknown nodes; never one of the classes unless you set it."""
        if self.unknown is not None:
            return self.unknown
        answer = {"i": -1, "u": -1, "f": np.nan}.get(self.classes_.dtype.kind, "unknown")
        if answer in self.classes_.tolist():
            raise InputError(f"a node is unknown, but {answer!r} is a class: set unknown=")
        return answer

    def _scores(self, X: Any) -> Array:
        check_is_fitted(self, "model_")
        found: Array = self.model_.scores(self._nodes(X))
        return found

    def _learn(self, nodes: Nodes, codes: Nodes) -> None:
        if isinstance(self.model_, Classifier):
            self.model_.fit(nodes, codes)
        else:
            self.model_.stream(nodes, codes, always=True)

    def _made(self, n_classes: int) -> Any:
        if self.graph is None:
            raise InputError("NodeClassifier needs a graph, got None")
        if self.method == "auto":
            warn_former('NodeClassifier(method="auto")', f'method="{DEFAULT_BATCH}"')
        entry = named(DEFAULT_BATCH if self.method == "auto" else self.method)
        if entry.kind == "bandit":
            raise InputError(f"{self.method} learns from right or wrong only: it has no fit")
        return make(entry.name, self.graph, n_classes=n_classes, **dict(self.params or {}))

    def _given(self, X: Any, y: Any) -> tuple[Nodes, NDArray[Any]]:
        nodes, labels = self._nodes(X), np.asarray(y)
        if labels.shape != nodes.shape:
            raise InputError(
                f"y must have one label per node, {len(nodes)} in all, got {labels.shape}"
            )
        return nodes, labels

    def _nodes(self, X: Any) -> Nodes:
        if self.graph is None:
            raise InputError("NodeClassifier needs a graph, got None")
        given = np.asarray(X)
        if given.ndim == 2 and given.shape[1] == 1:
            given = given[:, 0]
        if given.ndim != 1:
            raise InputError(f"X must hold node indices, one per row, got shape {given.shape}")
        if given.dtype.kind == "f" and (given == np.floor(given)).all():
            given = given.astype(np.intp)
        return self.graph.checked(given)
