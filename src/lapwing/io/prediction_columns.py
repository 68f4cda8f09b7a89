"""The columns of a table of predictions, from the probabilities of all classes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from lapwing.types import Array, Nodes


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
    ranked, everyone = chances.copy(), np.arange(len(chances))
    if len(told):
        ranked[told] += 2.0 * given
    order = np.argsort(-ranked, axis=1, kind="stable")
    first, second = order[:, 0], order[:, min(1, order.shape[1] - 1)]
    confidence = chances[everyone, first]
    confidence[told] = 1.0
    said = confidence > 0
    followed = said & (chances[everyone, second] > 0) & (second != first)
    asked = np.zeros(len(chances), dtype=bool)
    asked[told] = True
    words = [*map(str, classes), None]
    return {
        "label": [words[k] for k in np.where(said, first, -1).tolist()],
        "confidence": confidence.round(6),
        "runner_up": [words[k] for k in np.where(followed, second, -1).tolist()],
        "asked": asked,
    }
