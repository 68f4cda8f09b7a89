"""Views: products of experts, fitted to the labels that the experts did not see, and mixed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.batch.evidence.holdout import Holdout
from lapwing.batch.evidence.opinions import Opinion
from lapwing.batch.evidence.softmax_regression import class_chances
from lapwing.types import Array, Mask, Nodes

STRENGTH = 5.0
"""Weight of the squared distance from the first exponents, in labels."""
TWICE = 2.0
"""Power of the evidence in a view's weight: a label held out counts as two."""
LARGEST = 5.0
"""The largest exponent."""


@dataclass(frozen=True)
class Prior:
    """What is believed of a view before any label: its weight, and its experts' exponents."""

    name: str
    weight: float
    exponents: Mapping[str, float]


@dataclass(frozen=True, eq=False)
class EvidenceView:
    r"""The product :math:`p_k \propto \prod_e p_{ek}^{w_e}` of some experts, with its weight."""

    name: str
    opinions: Sequence[Opinion]
    exponents: Array
    weight: float

    def before(self, held: Holdout) -> Array:
        """Return the probabilities of each judged label's classes, from fits without it."""
        return class_chances(
            _product(self.exponents, [o.before for o in self.opinions], held.judged_seen)
        )

    def after(self, seen: Mask) -> Array:
        """Return the probabilities of every node's classes."""
        return class_chances(_product(self.exponents, [o.after for o in self.opinions], seen))


def fitted_views(
    priors: Sequence[Prior], opinions: Mapping[str, Opinion], held: Holdout
) -> list[EvidenceView]:
    """Fit each view's exponents to the judged labels, and weight views by their evidence.

    The exponents maximise the likelihood of the judged labels with a penalty on leaving the prior.
    A view's weight is its prior weight times the squared probability of the judged labels under it,
    with the exponents integrated out (Laplace's approximation): a view with many experts pays for
    fitting them. With few labels the priors decide.

    Examples
    --------
    The first expert is right, the second is not:

    >>> from lapwing.batch.evidence.holdout import held_out
    >>> from lapwing.batch.known_labels import KnownLabels
    >>> labels = np.eye(2)[[0, 1] * 10]
    >>> held = held_out(KnownLabels(np.arange(20), labels, n_nodes=20), seed=0)
    >>> right, wrong = np.log(0.8 * labels + 0.1), np.log(0.8 * labels[::-1] + 0.1)
    >>> opinions = {"a": Opinion("a", right, right), "b": Opinion("b", wrong, wrong)}
    >>> views = fitted_views([Prior("A", 1, {"a": 0.5}), Prior("B", 1, {"b": 0.5})], opinions, held)
    >>> [round(view.weight, 2) for view in views]
    [1.0, 0.0]
    """
    views, losses = [], []
    labels = held.labels[held.judged]
    for prior in priors:
        there = [name for name in prior.exponents if name in opinions]
        first = np.array([prior.exponents[name] for name in there])
        thoughts = np.stack([opinions[name].before for name in there], axis=1)
        exponents, loss = _fitted(thoughts, labels, held.judged_seen, first)
        views.append((prior, [opinions[name] for name in there], exponents))
        losses.append(loss)
    surprise = TWICE * (np.array(losses) - min(losses))
    weights = np.array([prior.weight for prior, _, _ in views]) * np.exp(-surprise)
    weights /= weights.sum()
    return [
        EvidenceView(prior.name, used, exponents, float(weight))
        for (prior, used, exponents), weight in zip(views, weights, strict=True)
    ]


def counted_parts(views: Sequence[EvidenceView], held: Holdout, sample: Nodes) -> dict[str, float]:
    """Return how much each expert counted: its share of the sizes of all log odds, over a sample.

    A view counts by its weight; an expert inside by how far it moved the log odds of the two most
    probable classes of a node.

    Examples
    --------
    >>> from lapwing.batch.evidence.holdout import held_out
    >>> from lapwing.batch.known_labels import KnownLabels
    >>> held = held_out(KnownLabels(np.arange(4), np.eye(2)[[0, 1] * 2], n_nodes=4), seed=0)
    >>> sure, not_sure = np.log(np.full((4, 2), [0.8, 0.2])), np.log(np.full((4, 2), 0.5))
    >>> both = [Opinion("a", sure, sure), Opinion("b", not_sure, not_sure)]
    >>> counted_parts([EvidenceView("ab", both, np.ones(2), 1.0)], held, np.arange(4))
    {'a': 1.0, 'b': 0.0}
    """
    found: dict[str, float] = {}
    for view in views:
        logs = [np.asarray(o.after[sample], dtype=np.float64) for o in view.opinions]
        together = _product(view.exponents, logs, held.seen[-1])
        second, first = np.argsort(together, axis=1)[:, -2:].T
        rows = np.arange(len(sample))
        for opinion, log, exponent in zip(view.opinions, logs, view.exponents, strict=True):
            pull = float(exponent * np.abs(log[rows, first] - log[rows, second]).mean())
            found[opinion.name] = found.get(opinion.name, 0.0) + view.weight * pull
    total = sum(found.values()) or 1.0
    return {name: pull / total for name, pull in found.items()}


def _product(exponents: Array, logs: Sequence[NDArray[Any]], seen: Mask) -> Array:
    found = sum(
        log * log.dtype.type(exponent) for exponent, log in zip(exponents, logs, strict=True)
    )
    return np.where(seen, found, -np.inf)


def _fitted(thoughts: Array, labels: Nodes, seen: Mask, first: Array) -> tuple[Array, float]:
    """Return exponents and minus the logarithm of the evidence, for thoughts ``(t, E, K)``."""
    if len(labels) < 2:
        return first, 0.0
    rows = np.arange(len(labels))
    told, hidden = thoughts[rows, :, labels], ~seen

    def guess(exponents: Array) -> tuple[Array, Array]:
        z = np.matmul(exponents, thoughts)
        z[hidden] = -np.inf
        found = class_chances(z)
        return found, np.matmul(thoughts, found[:, :, None])[:, :, 0]

    def loss(exponents: Array) -> tuple[float, Array]:
        found, mean = guess(exponents)
        away = exponents - first
        surprise = -np.log(np.maximum(found[rows, labels], 1e-12)).sum()
        return float(surprise + STRENGTH * away @ away), 2.0 * STRENGTH * away - (told - mean).sum(
            0
        )

    minimize = import_module("scipy.optimize").minimize  # slow to import
    limits = [(0.0, LARGEST)] * len(first)
    best = minimize(
        loss, first, jac=True, method="L-BFGS-B", bounds=limits, options={"maxiter": 50}
    )
    found, mean = guess(best.x)
    square = np.einsum("tek,tfk,tk->ef", thoughts, thoughts, found, optimize=True) - mean.T @ mean
    wide = square / (2.0 * STRENGTH) + np.eye(len(first))
    return np.asarray(best.x), float(best.fun) + 0.5 * float(np.linalg.slogdet(wide)[1])
