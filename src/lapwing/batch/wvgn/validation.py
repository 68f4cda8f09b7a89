"""How strongly to regularise, decided by the labels given."""

from __future__ import annotations

import numpy as np

from lapwing.batch.folds import folds, hits
from lapwing.batch.known import Known
from lapwing.batch.wvgn.exact import LabelledGram

RIDGES = tuple(2.0**e for e in (10, 8, 6, 4, 2, 0, -2))
"""The penalties tried, from the strongest: each starts from the optimum of the one before."""

USUAL = 4.0
"""The penalty that does well on most graphs."""

ENOUGH = 500
"""With this many labels, one round of folds is enough."""

ROUGH = 1e-2
"""The solver's tolerance while penalties are compared."""


def validated_ridge(
    gram: LabelledGram,
    known: Known,
    *,
    n_folds: int = 5,
    rng: np.random.Generator,
) -> float:
    """The penalty with most true labels among its first guesses, over folds of the known labels.

    Few labels are folded several times over. Each factor of 4 away from `USUAL` costs half a
    label, so that it is kept where the labels are too few to tell.
    """
    total = -np.abs(np.log2(np.array(RIDGES) / USUAL)) / 4
    repeats = min(10, 1 + ENOUGH // max(len(known.nodes), 1))
    for _ in range(repeats):
        for learn, test in folds(known, n_folds, rng):
            part, signs = gram.taken(learn), known.signs[learn]
            start = None
            for i, ridge in enumerate(RIDGES):
                start = part.solved(signs, ridge=ridge, start=start, tol=ROUGH)
                found = hits(gram.factor[test] @ start, known.indicator[test])
                total[i] += found / repeats
    return RIDGES[int(np.argmax(total))]
