"""The columns of a table of predictions, from the probabilities of all classes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from lapwing.types import Array, Nodes

BLOCK = 1 << 16
"""Rows that are ranked at a time."""


def prediction_columns(
    chances: Array, told: Nodes, given: Array, classes: Sequence[Hashable]
) -> dict[str, Any]:
    """Return label, confidence, runner-up and whether the node was asked about, for every row.

    `told` are the rows whose label is known, `given` their 0/1 classes: such a label is kept, with
    confidence 1 (of several, the most probable). A row of zeros has no label.

    Examples
    --------
    >>> chances = np.array([[0.1, 0.9], [0.25, 0.75], [0.0, 0.0]])
    >>> found = prediction_columns(chances, np.array([0]), np.array([[1.0, 0.0]]), ["red", "blue"])
    >>> found["label"], found["confidence"]
    (['red', 'blue', None], array([1.  , 0.75, 0.  ]))
    """
    asked, confidence = np.zeros(len(chances), dtype=bool), np.empty(len(chances))
    asked[told] = True
    words, row = [*map(str, classes), None], np.full(len(chances) if len(told) else 0, -1)
    row[told] = np.arange(len(told))
    labels: list[str | None] = []
    runners_up: list[str | None] = []
    for start in range(0, len(chances), BLOCK):  # all at once would need several times as much room
        part = slice(start, start + BLOCK)
        here = np.flatnonzero(asked[part])
        kept = given[row[part][here]] if len(here) else given[:0]
        first, second, confidence[part] = _ranked(chances[part], here, kept)
        labels += [words[k] for k in first]
        runners_up += [words[k] for k in second]
    return {
        "label": labels,
        "confidence": confidence.round(6),
        "runner_up": runners_up,
        "asked": asked,
    }


def _ranked(chances: Array, told: Nodes, given: Array) -> tuple[list[int], list[int], Array]:
    """The best and the second class of each row, -1 for none, and the best one's probability."""
    ranked, everyone = chances.copy(), np.arange(len(chances))
    ranked[told] += 2.0 * given
    order = np.argsort(-ranked, axis=1, kind="stable")
    first, second = order[:, 0], order[:, min(1, order.shape[1] - 1)]
    confidence = chances[everyone, first]
    confidence[told] = 1.0
    said = confidence > 0
    followed = said & (chances[everyone, second] > 0) & (second != first)
    return (
        np.where(said, first, -1).tolist(),
        np.where(followed, second, -1).tolist(),
        confidence,
    )
