"""Online calibration of scores by temperatures, a stack and a mixture.

Every member's scores of a node become log shares z (0 for a class with an even share). One expert
per member turns them into softmax(t z) with a temperature t of its own; with several members one
more expert, the stack, takes softmax(sum of w_m z_m). The experts are mixed by exponential weights
on their log losses, so that after any labels

    loss of the mixture <= loss of any expert - ln(its first weight).

First weights are even, but twice as large for the members that do not expect neighbours to be
alike, the company (`lapwing.online.push.company`) and the class shares: where neighbours tell
nothing, few labels show it late, and where they tell much, few labels show that. Members that
expect it have less where the graph has no communities.

Temperatures and w follow the labels by online Newton steps on the log loss (Hazan, Agarwal and Kale
2007), each label before it is learned by the members.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from lapwing.types import Array

SMOOTHING = 0.02
"""Added to every class's share before the logarithm."""
START_CURVATURE = 5.0
"""How slowly temperatures and stack weights leave 1 and 1 / members."""
LEAST_TEMPERATURE = 0.05
FIRST_OF_WARY = 2.0
"""First weight of the company and of the class shares; the other experts have 1."""


class Blend(NamedTuple):
    """What the blend has learned from the labels.

    `losses` holds each expert's log loss so far, then the mixture's, then the number of labels;
    `first` the experts' weights before any label.
    `cover` is the mass at which a member's answer counts half. There may be two temperatures more:
    the last members are the company and the shares of the classes among the labels.
    """

    cover: Array
    temperature: Array
    curvature: Array
    weights: Array
    inverse: Array
    losses: Array
    first: Array


def new_blend(cover: Array, *, class_shares: bool = False, trust: float = 1.0) -> Blend:
    """Return a blend that has seen no label, of these members and perhaps company and class shares.

    `trust` is how far neighbours are expected to be alike, which these members expect.

    Examples
    --------
    >>> blend = new_blend(np.array([0.1, 0.02]), class_shares=True)
    >>> blend.weights.tolist(), len(blend.losses) - 2
    ([0.5, 0.5, 0.0, 0.0], 5)
    """
    members = len(cover) + 2 * class_shares
    experts = members + (members > 1)
    return Blend(
        cover=cover,
        temperature=np.ones(members),
        curvature=np.full(members, START_CURVATURE),
        weights=np.where(np.arange(members) < len(cover), 1.0 / max(len(cover), 1), 0.0),
        inverse=np.eye(members) / START_CURVATURE,
        losses=np.zeros(experts + 2),
        first=first_weights(len(cover), experts, class_shares=class_shares, trust=trust),
    )


def first_weights(members: int, experts: int, *, class_shares: bool, trust: float = 1.0) -> Array:
    """Return the experts' weights before any label: more for company and shares, if they are there.

    The first members expect neighbours to be alike, and have as much as that is trusted.

    Examples
    --------
    >>> first_weights(3, 6, class_shares=True)
    array([0.125, 0.125, 0.125, 0.25 , 0.25 , 0.125])
    >>> first_weights(3, 6, class_shares=True, trust=0.25).round(2)
    array([0.04, 0.04, 0.04, 0.35, 0.35, 0.17])
    """
    weights = np.ones(experts)
    if class_shares:
        weights[:members] = trust
        weights[members : members + 2] = FIRST_OF_WARY
    return np.asarray(weights / weights.sum())


@njit(cache=True)
def log_shares(values: Array, cover: float, into: Array) -> None:
    """Return a member's scores of one node as log shares, shrunk to 0 where mass is small."""
    k = values.size
    total = 0.0
    for c in range(k):
        total += max(values[c], 0.0)
    if total <= 0.0:
        into[:] = 0.0
        return
    strength = total / (total + cover)
    for c in range(k):
        share = (max(values[c], 0.0) / total + SMOOTHING) / (1.0 + k * SMOOTHING)
        into[c] = strength * np.log(k * share)


@njit(cache=True)
def softmax_into(values: Array, into: Array) -> None:
    """Return exp(values), normalised to sum to 1."""
    top = values.max()
    total = 0.0
    for c in range(values.size):
        into[c] = np.exp(values[c] - top)
        total += into[c]
    into /= total


@njit(cache=True)
def blended(blend: Blend, z: Array, experts: Array) -> Array:
    """Return the mixture's probabilities; `experts` receives each expert's, one row each."""
    members, k = z.shape
    for m in range(members):
        softmax_into(blend.temperature[m] * z[m], experts[m])
    if members > 1:
        softmax_into(blend.weights @ z, experts[members])
    n_experts = experts.shape[0]
    least = blend.losses[:n_experts].min()
    mixed = np.zeros(k)
    total = 0.0
    for e in range(n_experts):
        weight = blend.first[e] * np.exp(least - blend.losses[e])
        total += weight
        mixed += weight * experts[e]
    return mixed / total


@njit(cache=True)
def learn_blend(blend: Blend, z: Array, label: int) -> None:
    """Add every expert's loss for one label, then update temperatures and weights."""
    members, k = z.shape
    n_experts = blend.losses.size - 2
    experts = np.empty((n_experts, k))
    mixed = blended(blend, z, experts)
    for e in range(n_experts):
        blend.losses[e] -= np.log(max(experts[e, label], 1e-12))
    blend.losses[n_experts] -= np.log(max(mixed[label], 1e-12))
    blend.losses[n_experts + 1] += 1.0
    for m in range(members):
        mean = np.dot(experts[m], z[m])
        spread = np.dot(experts[m], (z[m] - mean) ** 2)
        blend.curvature[m] += spread
        step = (z[m, label] - mean) / blend.curvature[m]
        blend.temperature[m] = max(blend.temperature[m] + step, LEAST_TEMPERATURE)
    if members > 1:
        _follow_stack(blend, z, experts[members], label)


@njit(cache=True)
def _follow_stack(blend: Blend, z: Array, chance: Array, label: int) -> None:
    """One online Newton step of the stack's weights."""
    mean = z @ chance
    for c in range(z.shape[1]):
        if chance[c] > 1e-6:
            v = np.sqrt(chance[c]) * (z[:, c] - mean)
            iv = blend.inverse @ v
            scale = 1.0 / (1.0 + np.dot(v, iv))
            for a in range(v.size):
                blend.inverse[a] -= scale * iv[a] * iv
    step = blend.inverse @ (z[:, label] - mean)
    for m in range(step.size):
        blend.weights[m] += step[m]
