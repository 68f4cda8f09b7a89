"""Adjust probabilities to known class shares."""

from __future__ import annotations

from typing import Any

import numpy as np

from lapwing.errors import InputError
from lapwing.learner import shares
from lapwing.types import Array


def with_priors(probabilities: Array, priors: Any, *, rounds: int = 1000) -> Array:
    """Rescale probabilities so that the mean of each class over the nodes is its prior.

    Each class is multiplied by a factor, and rows are normalised again, until the means agree to
    1e-6: class mass normalisation (Zhu, Ghahramani and Lafferty 2003, Eq. 9), repeated. Rows of
    zeros (nothing is known) are kept and do not count. If no such factors exist (a class has a
    prior but no probability anywhere), the means come as close as `rounds` allow.

    Examples
    --------
    >>> chances = np.array([[0.9, 0.1], [0.6, 0.4], [0.55, 0.45], [0.0, 0.0]])
    >>> with_priors(chances, [0.5, 0.5]).round(2).tolist()
    [[0.79, 0.21], [0.38, 0.62], [0.33, 0.67], [0.0, 0.0]]
    """
    wanted = _checked(priors, probabilities.shape[1])
    known = probabilities.any(axis=1)
    found = probabilities[known]
    for _ in range(rounds if len(found) else 0):
        means = found.mean(axis=0)
        if np.abs(means - wanted).max() < 1e-6:
            break
        factors = np.divide(wanted, means, out=np.zeros_like(wanted), where=means > 0)
        scaled = found * factors
        found = np.where(scaled.any(axis=1, keepdims=True), shares(scaled), found)
    reweighed = np.zeros_like(probabilities)
    reweighed[known] = found
    return reweighed


def with_guesses(probabilities: Array, priors: Any) -> Array:
    """Replace rows of zeros, about which nothing is known, by the priors.

    Use this if you need an answer for every node. No label reaches these nodes, so the graph does
    not contribute to their answers.

    Examples
    --------
    >>> with_guesses(np.array([[0.9, 0.1], [0.0, 0.0]]), [1, 3]).tolist()
    [[0.9, 0.1], [0.25, 0.75]]
    """
    wanted = _checked(priors, probabilities.shape[1])
    known = probabilities.any(axis=1, keepdims=True)
    return np.where(known, probabilities, wanted)


def _checked(priors: Any, n_classes: int) -> Array:
    """Return the priors, normalised to sum to 1."""
    wanted = np.asarray(priors, dtype=np.float64)
    if wanted.shape != (n_classes,):
        raise InputError(
            f"priors must have one entry per class, {n_classes} in all, got shape {wanted.shape}"
        )
    if not (np.isfinite(wanted).all() and (wanted >= 0).all() and wanted.sum() > 0):
        raise InputError(f"priors must be finite, not negative and not all 0, got {priors}")
    return np.asarray(wanted / wanted.sum())
