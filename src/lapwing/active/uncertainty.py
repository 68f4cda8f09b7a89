"""Strategies based on the learner's own probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np

from lapwing import checks
from lapwing.active.ties import first_largest
from lapwing.types import Nodes


def margin(learner: Any, candidates: Nodes) -> int:
    """Return the candidate whose two most probable classes are closest; unknown nodes first.

    Examples
    --------
    >>> class Sure:
    ...     def predict_proba(self, nodes):
    ...         return np.array([[0.9, 0.1], [0.5, 0.5], [0.7, 0.3]])[nodes]
    >>> margin(Sure(), np.arange(3))
    1
    """
    candidates = checks.candidates(candidates)
    chances = learner.predict_proba(candidates)
    if chances.shape[-1] < 2:
        return int(candidates[0])
    best = np.partition(chances, -2, axis=-1)[:, -2:]
    return int(candidates[first_largest(best[:, 0] - best[:, 1])])


def entropy(learner: Any, candidates: Nodes) -> int:
    """Return the candidate with the largest entropy; unknown nodes first.

    Examples
    --------
    >>> class Sure:
    ...     def predict_proba(self, nodes):
    ...         return np.array([[0.9, 0.1], [0.5, 0.5], [0.0, 0.0]])[nodes]
    >>> entropy(Sure(), np.arange(2)), entropy(Sure(), np.arange(3))
    (1, 2)
    """
    candidates = checks.candidates(candidates)
    chances = learner.predict_proba(candidates)
    if chances.shape[-1] < 2:
        return int(candidates[0])
    spread = -(chances * np.log(np.maximum(chances, 1e-300))).sum(axis=-1)
    unknown = ~chances.any(axis=-1)
    return int(
        candidates[
            first_largest(np.where(unknown, 2.0 * np.log(spread.size + chances.shape[-1]), spread))
        ]
    )
