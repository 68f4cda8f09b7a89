"""Predict sets of labels: one probability per class, and a rule that decides."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from lapwing.batch.calibration.label_rules import FEWEST, LabelRule, chosen_labels, chosen_rule
from lapwing.batch.calibration.platt import platt_scaled
from lapwing.batch.calibration.probability_maps import logits, out_of_fold
from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.known_labels import known_labels
from lapwing.checks import whole_number
from lapwing.types import Array, Index


class LabelSets:
    """Predict sets of labels with another method, with one probability per class.

    If a node can have several labels, probabilities that sum to 1 are not enough. The inner method
    is fitted several times, each time without a part of the labels. Its predictions for that part
    are turned into the probability that a node has a class, by a sigmoid per class; rare classes
    share one. The same predictions decide how many labels a node gets (`rule_`): a threshold per
    class that assigns it to as many nodes as have it, one threshold for all classes, or the same
    number for every node, whichever has the largest Micro-F1 there. Then the method is fitted to
    all labels. No node gets more labels than the largest number of labels given for any node.

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
        self.rule_, self.most_ = LabelRule("count", np.zeros(0), 1), 0

    def fit(self, nodes: Any, labels: Any) -> Self:
        """Learn from class indices or, if nodes have several labels, from a 0/1 matrix."""
        known = known_labels(self.inner.graph, nodes, labels, None)
        held = out_of_fold(self.inner, known, n_folds=self.n_folds, seed=self.seed)
        raised = _scaled(logits(held, signed=self.inner.signed))
        reached = (raised != 0).any(axis=1)
        self._raised, self._truth = raised[reached], known.indicator[reached]
        self.inner.fit(known.nodes, known.indicator)
        self.most_ = int(known.counts.max(initial=1))
        chances = self._mapped(self._raised)
        self.rule_ = chosen_rule(chances, self._truth, most=self.most_, seed=self.seed)
        return self

    def predict_proba(self, nodes: Index) -> Array:
        """Return the probability that each node has each class; rows do not sum to 1."""
        scores = np.atleast_2d(self.inner.scores(nodes))
        return self._mapped(_scaled(logits(scores, signed=self.inner.signed)))

    def label_sets(self, nodes: Index, *, per_node: int | None = None) -> Array:
        """Return a 0/1 row per node: the classes that the rule gives, or the `per_node` best.

        A node that a label reaches gets at least its most probable class; any other node gets none.
        """
        chances = self.predict_proba(nodes)
        if per_node is not None:
            return chosen_labels(chances, self.rule_.thresholds, per_node=per_node)
        return self.rule_.sets(chances, most=self.most_)

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


def _scaled(raised: Array) -> Array:
    """Subtract the mean of each node's logits, so that classes are compared."""
    known = (raised != 0).any(axis=-1, keepdims=True)
    centred = raised - raised.mean(axis=-1, keepdims=True)
    return np.where(known, np.where(centred == 0, 1e-12, centred), 0.0)
