"""Calibration: how well predicted probabilities agree with observed frequencies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lapwing.checks import chance_table, label_table, strictly_between, whole_number
from lapwing.errors import InputError
from lapwing.learner import decided
from lapwing.types import UNKNOWN, Array, Mask, Nodes


@dataclass(frozen=True, slots=True)
class Bin:
    """A bin of predictions with similar confidence: its limits, count and accuracy."""

    low: float
    high: float
    count: int
    confidence: float
    accuracy: float


def reliability(probabilities: Array, labels: Any, *, bins: int = 10) -> tuple[Bin, ...]:
    """Sort predictions into equal-width bins of confidence; empty bins are left out.

    The confidence is the largest probability. A label is a class index, or a row of a 0/1 matrix
    (the prediction is right if the node has that class). Nodes without a label are left out, and so
    are nodes without a prediction (a row of zeros).

    Examples
    --------
    >>> chances = np.array([[0.9, 0.1], [0.8, 0.2], [0.0, 0.0], [0.35, 0.65]])
    >>> for found in reliability(chances, [0, 1, 1, 1], bins=2):
    ...     print(found)
    Bin(low=0.5, high=1.0, count=3, confidence=0.7833333, accuracy=0.6666667)
    """
    bins = whole_number("bins", bins, 1)
    confidence, right = _confidence(probabilities, labels)
    place = np.clip(np.ceil(confidence * bins).astype(np.intp) - 1, 0, bins - 1)
    return tuple(
        Bin(
            low=k / bins,
            high=(k + 1) / bins,
            count=int((place == k).sum()),
            confidence=float(confidence[place == k].mean()),
            accuracy=float(right[place == k].mean()),
        )
        for k in np.unique(place).tolist()
    )


def calibration_error(probabilities: Array, labels: Any, *, bins: int = 10) -> float:
    """Return the expected calibration error: the mean gap between confidence and accuracy.

    The gap is computed per bin and averaged over all predictions; 0 if there are none.

    Examples
    --------
    Four guesses at 3/4, three of them right:

    >>> calibration_error(np.array([[0.75, 0.25]] * 4), [0, 0, 0, 1])
    0.0
    >>> calibration_error(np.array([[1.0, 0.0]] * 4), [0, 0, 0, 1])
    0.25
    """
    found = reliability(probabilities, labels, bins=bins)
    total = sum(each.count for each in found)
    gaps = sum(each.count * abs(each.confidence - each.accuracy) for each in found)
    return gaps / total if total else 0.0


def label_calibration_error(probabilities: Array, labels: Any, *, bins: int = 10) -> float:
    """By how much the probability of a label differs from how often nodes have it, over the bins.

    For nodes with several labels: every class of every labelled node is one yes-or-no guess, and
    its probability does not depend on those of the other classes.

    Examples
    --------
    >>> chances = np.array([[0.75, 0.5]] * 4)
    >>> truth = np.array([[1, 1], [1, 0], [1, 0], [0, 1]])
    >>> label_calibration_error(chances, truth)
    0.0
    >>> label_calibration_error(chances, np.ones((4, 2)))
    0.375
    """
    bins = whole_number("bins", bins, 1)
    given, truth = (each.ravel() for each in _pairs(probabilities, labels))
    place = np.clip(np.ceil(given * bins).astype(np.intp) - 1, 0, bins - 1)
    gaps = np.bincount(place, weights=given - truth, minlength=bins)
    return float(np.abs(gaps).sum() / max(len(given), 1))


def brier(probabilities: Array, labels: Any) -> float:
    """Return the mean squared distance between probabilities and truth, summed over classes.

    A node without a prediction (a row of zeros) counts 1.

    Examples
    --------
    >>> brier(np.array([[0.5, 0.5], [0.0, 1.0], [0.0, 0.0]]), [0, 1, 1])
    0.5
    """
    given, truth = _pairs(probabilities, labels)
    return float(((given - truth) ** 2).sum(axis=1).mean()) if len(given) else 0.0


def log_loss(probabilities: Array, labels: Any, *, floor: float = 1e-6) -> float:
    """Return the mean negative logarithm of the true class's probability, clipped at `floor`.

    For a node with several classes, their mean is used.

    Examples
    --------
    >>> log_loss(np.array([[0.5, 0.5], [0.0, 1.0]]), [0, 1])
    0.34657359
    """
    strictly_between("floor", floor, 0.0, 1.0)
    given, truth = _pairs(probabilities, labels)
    if not len(given):
        return 0.0
    logs = -np.log(np.maximum(given, floor)) * truth
    return float((logs.sum(axis=1) / truth.sum(axis=1)).mean())


def _confidence(probabilities: Array, labels: Any) -> tuple[Array, Mask]:
    """Return the probability of each prediction on a labelled node, and whether it is right."""
    given, truth = _pairs(probabilities, labels)
    guesses = decided(given)
    made = np.flatnonzero(guesses != UNKNOWN)
    chosen: Nodes = guesses[made]
    return given[made, chosen], truth[made, chosen] > 0


def _pairs(probabilities: Array, labels: Any) -> tuple[Array, Array]:
    """Return the probabilities and the 0/1 truth of the labelled nodes."""
    probabilities = chance_table("probabilities", probabilities)
    truth = label_table(labels, probabilities.shape[1])
    if len(truth) != len(probabilities):
        raise InputError(
            f"labels must have {len(probabilities)} rows, one per prediction, got {len(truth)}"
        )
    labelled = truth.any(axis=1)
    return probabilities[labelled], truth[labelled]
