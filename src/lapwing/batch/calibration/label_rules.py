"""Rules that turn probabilities of classes into sets of labels, chosen on held-out labels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lapwing.checks import whole_number
from lapwing.learner import decided
from lapwing.types import UNKNOWN, Array

FEWEST = 5
"""A class with fewer held-out nodes shares a threshold with other rare classes."""
PARTS = 5
"""Held-out nodes are split into this many parts to compare rules."""


@dataclass(frozen=True)
class LabelRule:
    """Classes above their thresholds, or the same number of classes for every node.

    Examples
    --------
    >>> chances = np.array([[0.6, 0.5, 0.1], [0.2, 0.1, 0.0], [0.0, 0.0, 0.0]])
    >>> LabelRule("thresholds", np.array([0.5, 0.4, 0.4])).sets(chances).tolist()
    [[1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """

    name: str
    thresholds: Array
    per_node: int | None = None

    def sets(self, chances: Array, *, most: int | None = None) -> Array:
        """A 0/1 row per node, with at most `most` labels."""
        given = chosen_labels(chances, self.thresholds, per_node=self.per_node)
        if most is not None:
            given = given * chosen_labels(chances, self.thresholds, per_node=max(most, 1))
        return given


def chosen_rule(chances: Array, truth: Array, *, most: int, seed: int = 0) -> LabelRule:
    """Return the rule whose sets have the largest Micro-F1 on held-out nodes.

    Each rule is learned from four fifths of the nodes and tried on the rest, in turn. The winner is
    then learned from all of them.

    Examples
    --------
    Every node has two of four labels, and the two larger probabilities are right: a count is best.

    >>> rng = np.random.default_rng(0)
    >>> truth = np.array([rng.permutation([1.0, 1.0, 0.0, 0.0]) for _ in range(60)])
    >>> chances = 0.5 * truth + 0.4 * rng.random((60, 1))
    >>> found = chosen_rule(chances, truth, most=2)
    >>> found.name, found.per_node
    ('count', 2)
    """
    part = np.random.default_rng(seed).permutation(len(truth)) % PARTS
    gains = {}
    for name, learned in RULES.items():
        right = said = 0.0
        for k in range(min(PARTS, len(truth)) if len(truth) > 1 else 0):
            rule = learned(chances[part != k], truth[part != k])
            sets = rule.sets(chances[part == k], most=most)
            right += float((sets * truth[part == k]).sum())
            said += float(sets.sum())
        gains[name] = 2 * right / max(said + float(truth.sum()), 1.0)
    best = max(gains, key=lambda name: gains[name])
    return RULES[best](chances, truth)


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


def _per_class(chances: Array, truth: Array) -> LabelRule:
    return LabelRule("threshold per class", class_thresholds(chances, truth))


def _shared(chances: Array, truth: Array) -> LabelRule:
    cut = _even_cut(chances.ravel(), truth.ravel())
    return LabelRule("one threshold", np.full(chances.shape[1], cut))


def _count(chances: Array, truth: Array) -> LabelRule:
    mean = float(truth.sum(axis=1).mean()) if len(truth) else 1.0
    return LabelRule("count", np.zeros(chances.shape[1]), max(round(mean), 1))


RULES: dict[str, Callable[[Array, Array], LabelRule]] = {
    "threshold per class": _per_class,
    "one threshold": _shared,
    "count": _count,
}
"""How a rule is learned from probabilities and true labels of held-out nodes, by its name."""


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
