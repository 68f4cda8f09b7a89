"""Micro-F1 and Macro-F1 for multi-label data, with as many guesses as true labels."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from lapwing.checks import label_table, number_table, whole_number
from lapwing.errors import InputError
from lapwing.learner import top_classes
from lapwing.types import Array


class F1(NamedTuple):
    """Micro-F1 and Macro-F1, both between 0 and 1."""

    micro: float
    macro: float


def f1(scores: Array, labels: Any, *, per_node: int | None = None) -> F1:
    """Return F1 of the best-scored classes of each node: as many as it has, or `per_node`.

    `labels` are class indices, or a 0/1 matrix if a node can have several; nodes without a label
    are left out. With k guesses for a node of k labels, Micro-F1 is the share of labels guessed;
    with one label per node it is the accuracy. A node whose scores are all zero (unknown) counts as
    k wrong guesses, of no particular class.

    With `per_node` guesses for every node, whatever it has, Micro-F1 is twice the number of right
    guesses divided by the number of guesses and labels together. Macro-F1 is the mean over the
    classes that appear among the labels, 0 for a class that is never guessed right.

    Examples
    --------
    >>> f1(np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]]), np.array([0, 1, 1]))
    F1(micro=0.6666667, macro=0.6666667)
    >>> f1(np.array([[0.5, 0.4, 0.1]]), np.array([[1, 0, 1]])).micro
    0.5
    >>> f1(np.array([[0.5, 0.4, 0.1]]), np.array([[1, 0, 1]]), per_node=1).micro
    0.6666667
    """
    if per_node is not None:
        whole_number("per_node", per_node, 1)
    scores = number_table("scores", scores)
    truth = label_table(labels, scores.shape[1])
    if len(truth) != len(scores):
        raise InputError(
            f"labels must have one row per row of scores, {len(scores)} in all, got {len(truth)}"
        )
    labelled = truth.any(axis=1)
    truth, counts = truth[labelled], truth[labelled].sum(axis=1).astype(np.intp)
    if not len(truth):
        return F1(0.0, 0.0)
    guessed = counts if per_node is None else np.full_like(counts, per_node)
    guesses = top_classes(scores[labelled], guessed)
    right = (guesses * truth).sum(axis=0)
    both = guesses.sum(axis=0) + truth.sum(axis=0)
    appears = truth.any(axis=0)
    micro = 2 * right.sum() / (guessed.sum() + counts.sum())
    return F1(float(micro), float((2 * right[appears] / both[appears]).mean()))
