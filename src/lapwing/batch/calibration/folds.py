"""Cross-validation on the known labels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lapwing.batch.known_labels import KnownLabels
from lapwing.learner import top_classes
from lapwing.types import Array, Nodes


def folds(
    known: KnownLabels, n_folds: int, rng: np.random.Generator
) -> Iterator[tuple[Nodes, Nodes]]:
    """Yield positions to train and to test on; each class is spread evenly over the folds.

    A node with several classes is assigned by its rarest class. A class with a single label is
    always used for training, never for testing. There are no folds if no class has two labels.

    Examples
    --------
    >>> known = KnownLabels(np.arange(5), np.eye(3)[[0, 0, 1, 1, 2]], n_nodes=9)
    >>> [test.tolist() for _, test in folds(known, 2, np.random.default_rng(0))]
    [[0, 2], [1, 3]]
    """
    sizes = known.indicator.sum(axis=0)
    rarest = np.argmin(np.where(known.indicator > 0, sizes, np.inf), axis=1)
    fold = np.full(len(known.nodes), -1)
    for k in np.unique(rarest):
        members = rng.permutation(np.flatnonzero(rarest == k))
        if len(members) > 1:
            fold[members] = np.arange(len(members)) % n_folds
    for f in range(n_folds):
        if (fold == f).any():
            yield np.flatnonzero(fold != f), np.flatnonzero(fold == f)


def hits(scores: Array, indicator: Array) -> float:
    """Count the true labels among each node's best classes, as many as it has labels."""
    counts = indicator.sum(axis=1).astype(np.intp)
    return float((top_classes(scores, counts) * indicator).sum())
