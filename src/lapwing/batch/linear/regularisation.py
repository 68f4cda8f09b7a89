"""Choose the penalty by cross-validation on the given labels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lapwing.batch.calibration.folds import folds, hits
from lapwing.batch.known_labels import KnownLabels
from lapwing.batch.linear.newton import Loss, one_vs_rest
from lapwing.types import Array

ENOUGH = 500
"""With this many labels, one round of cross-validation is enough."""

ROUGH = 1e-2
"""The solver's tolerance while penalties are compared."""


def validated_ridge(
    rows: Array,
    known: KnownLabels,
    ridges: Sequence[float],
    *,
    usual: float,
    loss: Loss = "squared hinge",
    costs: Array | None = None,
    rng: np.random.Generator,
) -> float:
    """Return the penalty that predicts most held-out labels right, over folds of the labels.

    `rows` are those of the labelled nodes; `costs` weight each label and class (all 1 if None).
    `ridges` decrease, and each solve starts from the previous optimum. With few labels,
    cross-validation is repeated. Each factor of 4 away from the `usual` penalty costs half a label,
    so the usual penalty is kept if there are too few labels to decide.

    Examples
    --------
    >>> rows, known = np.eye(4), KnownLabels(np.arange(4), np.eye(2)[[0, 0, 1, 1]], n_nodes=9)
    >>> validated_ridge(rows, known, [4.0, 1.0, 0.25], usual=1.0, rng=np.random.default_rng(0))
    1.0
    """
    total = -np.abs(np.log2(np.array(ridges) / usual)) / 4
    weights = np.ones_like(known.indicator) if costs is None else costs
    repeats = min(10, 1 + ENOUGH // max(len(known.nodes), 1))
    for _ in range(repeats):
        for learn, test in folds(known, 5, rng):
            given = rows[learn]
            squares = np.einsum("ij,ij->j", given, given)
            start = None
            for i, ridge in enumerate(ridges):
                start = one_vs_rest(
                    given,
                    known.signs[learn],
                    ridge=ridge,
                    costs=weights[learn] / len(learn),
                    loss=loss,
                    squares=squares,
                    start=start,
                    tol=ROUGH,
                )
                total[i] += hits(rows[test] @ start, known.indicator[test]) / repeats
    return float(ridges[int(np.argmax(total))])
