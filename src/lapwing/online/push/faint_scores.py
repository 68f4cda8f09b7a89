"""Scores of nodes that no mass has reached yet."""

from __future__ import annotations

import numpy as np

from lapwing.learner import within_reach
from lapwing.linalg.push.diffusions import Diffusions
from lapwing.types import Array, Index

FAINT = 1e-12
"""The score of a node that no mass has reached yet, if its component has a label."""


def reached_scores(state: Diffusions, nodes: Index, scores: Array) -> Array:
    """Return the scores; a faint trace of labels where no mass has come yet.

    That is of the component's labels or, where weights span very much, of the nearest node's.

    Zero, whatever rounding has left, where the component has no label.
    """
    component, sums = state.components()
    places, labels = component[nodes], sums[:, : state.n_classes]
    told = within_reach(places, labels) & np.asarray(scores.any(axis=-1))
    near = labels[places]
    if state.visits:
        found = within_reach(places, labels)[..., None] * state.nearby(nodes, 0)
        near = np.where(found.any(axis=-1, keepdims=True), found, near)
    return np.where(told[..., None], scores, FAINT * near)
