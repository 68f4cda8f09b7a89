"""Maps from scores to probabilities, fitted by cross-validation on the known labels."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Literal

import numpy as np

from lapwing.batch.calibration.folds import folds
from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.known_labels import KnownLabels
from lapwing.checks import one_of
from lapwing.learner import shares, softmax
from lapwing.optional import need
from lapwing.types import Array

CalibrationMethod = Literal["temperature", "platt", "isotonic"]
ProbabilityMap = Callable[[Array], Array]


def out_of_fold(model: GraphClassifier, known: KnownLabels, *, n_folds: int, seed: int) -> Array:
    """Return out-of-fold scores of the labelled nodes; rows of zeros where there are none."""
    found = np.zeros((len(known.nodes), known.n_classes))
    parts = list(folds(known, n_folds, np.random.default_rng(seed)))
    fitted = model.fits([known.taken(learn) for learn, _ in parts])
    for (_, test), each in zip(parts, fitted, strict=True):
        found[test] = each.scores(known.nodes[test])
    return found


def logits(scores: Array, *, signed: bool) -> Array:
    """Return scores on an additive scale: margins as is, amounts as the log of their share.

    Examples
    --------
    >>> logits(np.array([[1.0, 3.0], [0.0, 0.0]]), signed=False).round(2).tolist()
    [[-1.39, -0.29], [0.0, 0.0]]
    """
    if signed:
        return scores
    known = scores.sum(axis=-1, keepdims=True) > 0
    return np.where(known, np.log(np.maximum(shares(scores), 1e-6)), 0.0)


def calibration(
    raised: Array, indicator: Array, method: CalibrationMethod = "temperature"
) -> ProbabilityMap:
    """Fit the map from logits to probabilities on held-out labels.

    *Temperature* divides all logits by one number, chosen by maximum likelihood. *Platt* fits a
    logistic curve, and *isotonic* any increasing curve, to each class against the rest, and the
    results are normalised. Rows of zeros (nothing is known) stay zero. With fewer than five
    held-out labels nothing is fitted, and probabilities are the softmax.

    Examples
    --------
    Twelve nodes whose two scores are right three times in four: the probability becomes 3/4.

    >>> raised = np.array([[5.0, 0.0]] * 12)
    >>> truth = np.eye(2)[[0, 0, 0, 1] * 3]
    >>> calibration(raised, truth)(raised[:1]).round(2)
    array([[0.75, 0.25]])
    """
    one_of("calibration", method, ("temperature", "platt", "isotonic"))
    usable = (raised != 0).any(axis=1)
    if usable.sum() < 5:
        return softmax
    if method == "temperature":
        return _by_temperature(raised[usable], indicator[usable])
    return _by_class(raised[usable], indicator[usable], method)


def _by_temperature(raised: Array, indicator: Array) -> ProbabilityMap:
    typical = max(float(np.abs(raised).mean()), 1e-12)

    def loss(log_factor: float) -> float:
        chance = softmax(raised * (np.exp(log_factor) / typical))
        return -float(np.log(np.maximum((chance * indicator).sum(axis=1), 1e-9)).mean())

    minimize_scalar = import_module("scipy.optimize").minimize_scalar  # slow to import
    best = minimize_scalar(loss, bounds=(-6.0, 8.0), method="bounded").x
    factor = float(np.exp(best)) / typical
    return lambda scores: softmax(scores * factor)


def _by_class(raised: Array, indicator: Array, method: CalibrationMethod) -> ProbabilityMap:
    """One curve per class, on its lead over the best other class."""
    curves = [
        _curve(lead, one, method) for lead, one in zip(_leads(raised).T, indicator.T, strict=True)
    ]

    def mapped(scores: Array) -> Array:
        rows = np.atleast_2d(scores)
        chances = [curve(lead) for curve, lead in zip(curves, _leads(rows).T, strict=True)]
        known = (rows != 0).any(axis=1, keepdims=True)
        return shares(np.stack(chances, axis=1) * known).reshape(scores.shape)

    return mapped


def _leads(raised: Array) -> Array:
    order = np.sort(raised, axis=1)
    best, second = order[:, -1:], order[:, -2:-1]
    return np.where(raised == best, raised - second, raised - best)


def _curve(lead: Array, one: Array, method: CalibrationMethod) -> ProbabilityMap:
    share = (one.sum() + 0.5) / (len(one) + 1.0)
    if one.min() == one.max():
        return lambda new: np.full(len(new), share)
    if method == "isotonic":
        regression = need("sklearn.isotonic", extra="all").IsotonicRegression
        fitted = regression(y_min=0.5 / len(one), y_max=1.0, out_of_bounds="clip")
        rising: ProbabilityMap = fitted.fit(lead, one).predict
        return rising
    scale = max(float(np.abs(lead).mean()), 1e-12)
    logistic = need("sklearn.linear_model", extra="all").LogisticRegression
    model = logistic(C=10.0).fit(lead[:, None] / scale, one)
    return lambda new: np.asarray(model.predict_proba(new[:, None] / scale)[:, 1])
