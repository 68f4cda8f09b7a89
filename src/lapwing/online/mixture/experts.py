"""The compiled part of the mixture: predictions, weights and updates of its experts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from lapwing.linalg.products import dot
from lapwing.linalg.ridge.triangle import triangle_lower, triangle_times
from lapwing.online.linear.weight_vectors import add
from lapwing.online.mixture.neighbourhood import Neighbourhood, remember, votes
from lapwing.online.sslgc import exceeds
from lapwing.types import UNKNOWN, Array, Mask, Nodes

LEAST = 0.01
"""The smallest value of a class before normalisation."""


class Experts(NamedTuple):
    """The state that compiled code works on: one ridge regression per penalty, and neighbours."""

    features: Array
    inverses: Array
    weights: Array
    losses: Array
    neighbours: Neighbourhood


@njit(cache=True)
def trust_of(losses: Array) -> Array:
    """Return the weights exp(-loss), normalised to sum to 1."""
    found: Array = np.exp(losses.min() - losses)
    return np.asarray(found / found.sum())


@njit(cache=True)
def opinions(state: Experts, node: int, share: Array) -> None:
    """Write the probability that each expert gives each class, shape ``(experts, classes)``."""
    x = state.features[node]
    n_ridges, n_classes = state.inverses.shape[0], share.shape[1]
    for e in range(n_ridges):
        total = 0.0
        for k in range(n_classes):
            share[e, k] = max(0.5 + 0.5 * dot(x, state.weights[e, k]), LEAST)
            total += share[e, k]
        for k in range(n_classes):
            share[e, k] /= total
    votes(state.neighbours, node, share[n_ridges])


@njit(cache=True)
def averaged(share: Array, trust: Array, mixed: Array) -> None:
    """Write the experts' average."""
    mixed[:] = 0.0
    for e in range(share.shape[0]):
        add(mixed, share[e], trust[e])


@njit(cache=True)
def answered(share: Array, trust: Array, counts: Array, mixed: Array) -> None:
    """Write the experts' average over the classes that have a label, as shares of them."""
    averaged(share, trust, mixed)
    total = 0.0
    for k in range(mixed.shape[0]):
        mixed[k] = mixed[k] if counts[k] > 0.0 else 0.0
        total += mixed[k]
    if total > 0.0:
        mixed /= total


@njit(cache=True)
def mixed_shares(state: Experts, nodes: Nodes, n_classes: int) -> Array:
    """Return the mixture's probabilities, one row per node."""
    share, found = np.empty((len(state.losses), n_classes)), np.empty((len(nodes), n_classes))
    trust = trust_of(state.losses)
    for i in range(len(nodes)):
        opinions(state, nodes[i], share)
        answered(share, trust, state.neighbours.counts, found[i])
    return found


@njit(cache=True)
def uncertainty(state: Experts, node: int) -> float:
    """Compute q = m'A^-1 m under the smallest penalty, which is the largest of all."""
    x = state.features[node]
    return float(triangle_times(state.inverses[0], x, np.empty(x.shape[0])))


@njit(cache=True)
def charge(losses: Array, share: Array, label: int) -> None:
    """Add each expert's Brier loss."""
    for e in range(share.shape[0]):
        losses[e] += 1.0 - 2.0 * share[e, label] + dot(share[e], share[e])


@njit(cache=True)
def taught(state: Experts, node: int, label: int) -> None:
    """Let all experts learn the label."""
    x, v = state.features[node], np.empty(state.features.shape[1])
    for e in range(state.inverses.shape[0]):
        scale = 1.0 / (1.0 + triangle_times(state.inverses[e], x, v))
        triangle_lower(state.inverses[e], v, scale)
        for k in range(state.weights.shape[1]):
            w = state.weights[e, k]
            sign = 1.0 if k == label else -1.0
            add(w, v, scale * (sign - dot(x, w)))
    remember(state.neighbours, node, label)


@njit(cache=True)
def mixture_rounds(
    state: Experts,
    nodes: Nodes,
    labels: Nodes,
    shown: Mask,
    limits: Array,
    charged: Mask,
    known: int,
) -> tuple[int, Nodes, Mask, Nodes]:
    """Play a stream; return the known classes, guesses, queries and one-vs-rest mistakes.

    A negative limit always asks. In `charged` rounds the label is also asked for, and the experts'
    losses are updated.
    """
    n, n_after = len(nodes), state.weights.shape[1] - 1
    guesses, wrong = np.full(n, UNKNOWN), np.zeros(n, np.intp)
    queried = np.zeros(n, np.bool_)
    share, mixed = np.empty((len(state.losses), n_after)), np.zeros(n_after)
    for t in range(n):
        mixed[:] = 0.0
        if known > 0:
            opinions(state, nodes[t], share[:, :known])
            answered(
                share[:, :known], trust_of(state.losses), state.neighbours.counts, mixed[:known]
            )
        if state.neighbours.size[0] > 0:
            guesses[t] = np.argmax(mixed[:known])
        for k in range(n_after):
            wrong[t] += (mixed[k] > 0.5) != (labels[t] == k)
        asked = limits[t] < 0.0 or charged[t]
        queried[t] = shown[t] and (asked or exceeds(uncertainty(state, nodes[t]), limits[t]))
        if queried[t]:
            if charged[t] and labels[t] < known:
                charge(state.losses, share[:, :known], labels[t])
            taught(state, nodes[t], labels[t])
            known = max(known, labels[t] + 1)
    return known, guesses, queried, wrong
