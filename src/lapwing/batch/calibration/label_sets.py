"""Predict sets of labels: one probability and one threshold per class."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from lapwing.batch.calibration.platt import platt_scaled
from lapwing.batch.calibration.probability_maps import logits, out_of_fold
from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.known_labels import known_labels
from lapwing.checks import whole_number
from lapwing.learner import decided
from lapwing.types import UNKNOWN, Array, Index

FEWEST = 5
"""A class with fewer held-out nodes shares a curve and a threshold with other rare classes."""


class LabelSets:
    """Predict sets of labels with another method, with one probability per class.

    If a node can have several labels, probabilities that sum to 1 are not enough. The inner method
    is fitted several times, each time without a part of the labels. Its predictions for that part
    are turned into the probability that a node has a class, by a sigmoid per class, and each class
    gets the threshold that assigns it to as many nodes as have it. Rare classes share one sigmoid
    and one threshold. Then the method is fitted to all labels. No node gets more labels than the
    largest number of labels given for any node.

    Parameters
    ----------
    inner: the method, already on its graph, without a fixed number of classes.
    n_folds: number of folds, at least 2.
    seed: seed of the split into folds.

    Examples
    --------
    >>> from lapwing.batch.diffusion.heat import HeatKernel
    >>> from lapwing.graph import Graph
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> model = LabelSets(HeatKernel(graph, rho=1.0), n_folds=2)
    >>> told = [[1, 0, 1], [1, 0, 1], [1, 0, 1], [0, 1, 0], [0, 1, 0]]
    >>> model.fit([0, 1, 2, 4, 5], told).label_sets([1, 3]).tolist()
    [[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    """

    def __init__(self, inner: GraphClassifier, *, n_folds: int = 5, seed: int = 0) -> None:
        whole_number("n_folds", n_folds, 2)
        self.inner, self.n_folds, self.seed = inner, n_folds, seed
        self.thresholds_, self.most_ = np.zeros(0), 0

    def fit(self, nodes: Any, labels: Any) -> Self:
        """Learn from class indices or, if nodes have several labels, from a 0/1 matrix."""
        known = known_labels(self.inner.graph, nodes, labels, None)
        held = out_of_fold(self.inner, known, n_folds=self.n_folds, seed=self.seed)
        raised = _scaled(logits(held, signed=self.inner.signed))
        reached = (raised != 0).any(axis=1)
        self._raised, self._truth = raised[reached], known.indicator[reached]
        self.inner.fit(known.nodes, known.indicator)
        chances = self._mapped(self._raised)
        self.thresholds_ = class_thresholds(chances, self._truth)
        self.most_ = int(known.counts.max(initial=1))
        return self

    def predict_proba(self, nodes: Index) -> Array:
        """Return the probability that each node has each class; rows do not sum to 1."""
        scores = np.atleast_2d(self.inner.scores(nodes))
        return self._mapped(_scaled(logits(scores, signed=self.inner.signed)))

    def label_sets(self, nodes: Index, *, per_node: int | None = None) -> Array:
        """Return a 0/1 row per node: the classes above their thresholds, or the `per_node` best.

        A node that a label reaches gets at least its most probable class; any other node gets none.
        """
        chances = self.predict_proba(nodes)
        if per_node is not None:
            return chosen_labels(chances, self.thresholds_, per_node=per_node)
        few = chosen_labels(chances, self.thresholds_, per_node=max(self.most_, 1))
        return few * chosen_labels(chances, self.thresholds_)

    def _mapped(self, raised: Array) -> Array:
        known = (raised != 0).any(axis=1, keepdims=True)
        if not len(self._raised):
            return np.zeros_like(raised)
        column = self._raised.reshape(-1, 1), self._truth.reshape(-1, 1)
        chances = platt_scaled(raised.reshape(-1, 1), *column).reshape(raised.shape)
        often = self._truth.sum(axis=0) >= FEWEST
        chances[:, often] = platt_scaled(
            raised[:, often], self._raised[:, often], self._truth[:, often]
        )
        return np.asarray(chances * known)


def class_thresholds(chances: Array, truth: Array) -> Array:
    """Return a threshold per class that assigns it to as many nodes as have it.

    At this threshold precision equals recall. Classes of fewer than 5 nodes share one threshold,
    found in the same way for all classes together.

    Examples
    --------
    >>> chances = np.array([[0.9], [0.4], [0.35], [0.1], [0.2], [0.3]])
    >>> class_thresholds(chances, np.array([[1], [1], [0], [1], [1], [1]]))
    array([0.2])
    """
    shared = _even_cut(chances.ravel(), truth.ravel())
    return np.array(
        [
            _even_cut(chances[:, k], truth[:, k]) if truth[:, k].sum() >= FEWEST else shared
            for k in range(chances.shape[1])
        ]
    )


def chosen_labels(chances: Array, thresholds: Array, *, per_node: int | None = None) -> Array:
    """Return labels as a 0/1 matrix: classes above the thresholds, or the `per_node` best.

    Examples
    --------
    >>> chances = np.array([[0.6, 0.5, 0.1], [0.2, 0.1, 0.0], [0.0, 0.0, 0.0]])
    >>> chosen_labels(chances, np.array([0.5, 0.4, 0.4])).tolist()
    [[1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    >>> chosen_labels(chances, np.array([]), per_node=1).sum(axis=1).tolist()
    [1.0, 1.0, 0.0]
    """
    if per_node is not None:
        whole_number("per_node", per_node, 1)
        order = np.argsort(-chances, axis=1, kind="stable")[:, :per_node]
        given = np.zeros_like(chances)
        np.put_along_axis(given, order, 1.0, axis=1)
        return given * (chances > 0)
    given = (chances >= thresholds).astype(float) * (chances > 0)
    best = decided(chances)
    reached = np.flatnonzero(best != UNKNOWN)
    given[reached, best[reached]] = 1.0
    return given


def _scaled(raised: Array) -> Array:
    """Subtract the mean of each node's logits, so that classes are compared."""
    known = (raised != 0).any(axis=-1, keepdims=True)
    centred = raised - raised.mean(axis=-1, keepdims=True)
    return np.where(known, np.where(centred == 0, 1e-12, centred), 0.0)


def _even_cut(chances: Array, truth: Array) -> float:
    """Return the smallest threshold that assigns a class to no more nodes than have it.

    Equal probabilities fall on one side: a class of which only the share is known is assigned to no
    node.
    """
    true = int(truth.sum())
    if true in (0, len(truth)):
        return 0.0 if true else 1.0
    ranked = np.sort(chances)
    above = ranked[ranked > ranked[-true - 1]]
    return float(above[0]) if len(above) else 1.0
