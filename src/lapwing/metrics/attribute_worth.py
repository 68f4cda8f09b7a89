"""What attributes say about labels, without the edges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapwing.embed.attributes.rows import Rows32
from lapwing.online.pool.leave_one_out import ridge_fit
from lapwing.types import Nodes

GIVEN, JUDGED, PENALTY = 200, 2_000, 0.1
"""Labels that a regression is given at most, labels that it is judged on, and its penalty."""


@dataclass(frozen=True, slots=True)
class AttributeWorth:
    """How many labels attributes tell from `given` others, beside always the largest class."""

    given: int
    accuracy: float
    largest_class: float

    def __str__(self) -> str:
        """Return the comparison in words."""
        return (
            f"with {self.given} labels, attributes alone tell {self.accuracy:.0%} of the others; "
            f"the largest class has {self.largest_class:.0%}"
        )


def attribute_worth(rows: Rows32, labels: Nodes, *, seed: int = 0) -> AttributeWorth | None:
    """Return what ridge regression on rows of attributes tells of labels that it is not given.

    Half of the known labels are given, at most 200 by chance; the others judge, at most 2,000.
    `rows` has one row per node, `labels` the class of each, negative where it is not known. None if
    there are too few labels to tell: fewer than ten, or of one class.

    Examples
    --------
    >>> labels = np.array([0, 1] * 20)
    >>> print(attribute_worth(np.where(labels, 1.0, -1.0)[:, None].astype(np.float32), labels))
    with 20 labels, attributes alone tell 100% of the others; the largest class has 50%
    """
    known = np.random.default_rng(seed).permutation(np.flatnonzero(labels >= 0))
    count = min(len(known) // 2, GIVEN)
    given, judged = known[:count], known[count : count + JUDGED]
    classes = np.unique(labels[given])
    if len(known) < 10 or len(classes) < 2:
        return None
    targets = labels[given][:, None] == classes
    weights, means = ridge_fit(rows[given].astype(np.float64), targets, PENALTY)
    guesses = classes[(rows[judged] @ weights + means).argmax(axis=1)]
    return AttributeWorth(
        given=count,
        accuracy=float(np.mean(guesses == labels[judged])),
        largest_class=float(np.bincount(labels[known]).max() / len(known)),
    )
