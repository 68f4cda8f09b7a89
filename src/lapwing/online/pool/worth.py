"""What labels left out say about experts: how sharp each may be, and what it is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numba import njit

from lapwing.learner.slips import NO_SLIPS, Slips
from lapwing.online.pool.expert import Expert
from lapwing.online.pool.leave_one_out import MOST
from lapwing.types import Array, Mask, Nodes

STRENGTH = 2.0
"""Weight of an expert's first sharpness, in labels."""
LEAST = 1e-3
"""Added to every probability before its logarithm."""
CHOSEN = 0.5
"""How much a label counts if a strategy chose its node."""
MOST_STEPS = 20


class ExpertWorth(NamedTuple):
    """How sharp each expert may be, and the log loss it then has on labels left out."""

    sharpness: Array
    losses: Array


def worth_of(
    thoughts: Array, labels: Nodes, counts: Array, first: Array, slips: Array | None = None
) -> ExpertWorth:
    r"""Return each expert's sharpness s and its log loss on labels that it was not given.

    An expert's probabilities become :math:`p_k^s`, normalised. The sharpness minimises the log loss
    of the labels, each times its count, plus :math:`2 (s / s_0 - 1)^2` with its `first` sharpness
    :math:`s_0`; the sum is the loss. `thoughts` are log probabilities ``(E, t, K)``, minus infinity
    for classes that cannot be guessed. Labels are wrong with probability `slips`: their likelihood
    is that of `lapwing.learner.said_chances`, and each counts in a step as it is likely right.

    Examples
    --------
    The first expert is right and could be surer; the second is no better than chance:

    >>> thoughts = np.log([[[0.7, 0.3]] * 20, [[0.9, 0.1]] * 20])
    >>> labels = np.array([0] * 20)
    >>> labels[10:] = 1
    >>> thoughts[0, 10:] = thoughts[0, 10:, ::-1]
    >>> found = worth_of(thoughts, labels, np.ones(20), np.ones(2))
    >>> found.sharpness.round(1).tolist(), bool(found.losses[0] < found.losses[1])
    ([1.8, 0.1], True)
    """
    sharpness = first.astype(np.float64)
    wrong = np.zeros(len(labels)) if slips is None else slips
    for _ in range(MOST_STEPS):
        _, slope, curve = _losses(thoughts, labels, counts, wrong, sharpness)
        slope += 2.0 * STRENGTH * (sharpness / first - 1.0) / first
        curve += 2.0 * STRENGTH / np.square(first)
        new = np.clip(sharpness - slope / curve, sharpness / 3.0, 3.0 * sharpness)
        close = bool((np.abs(new - sharpness) < 1e-3 * first).all())
        sharpness = new
        if close:
            break
    lost, _, _ = _losses(thoughts, labels, counts, wrong, sharpness)
    return ExpertWorth(sharpness, STRENGTH * np.square(sharpness / first - 1.0) + lost)


@njit(cache=True)
def _losses(
    thoughts: Array, labels: Nodes, counts: Array, wrong: Array, sharpness: Array
) -> tuple[Array, Array, Array]:
    """Each expert's log loss at its sharpness, its slope and its curve."""
    lost, slope, curve = np.zeros((3, len(thoughts)))
    others = max(thoughts.shape[2] - 1, 1)
    for e in range(len(thoughts)):
        for i in range(labels.size):
            if counts[i] > 0.0:
                thought, own = thoughts[e, i], thoughts[e, i, labels[i]]
                highest, total, mean, square = thought.max(), 0.0, 0.0, 0.0
                for value in thought:
                    if value > -np.inf:
                        share = np.exp(sharpness[e] * (value - highest))
                        total += share
                        mean += share * value
                        square += share * value * value
                mean /= total
                right = np.exp(sharpness[e] * (own - highest)) / total
                slip = wrong[i] / others
                said = max(slip + (1.0 - wrong[i] - slip) * right, 1e-12)
                weight = counts[i] * max(1.0 - slip / said, 0.0)
                lost[e] -= counts[i] * np.log(said)
                slope[e] += weight * (mean - own)
                curve[e] += weight * (square / total - mean * mean)
    return lost, slope, curve


def worth_of_experts(
    experts: Sequence[Expert],
    labels: Mapping[int, int],
    chosen: set[int],
    known: Mask,
    first: Array,
    *,
    slips: Slips = NO_SLIPS,
    doubted: Mapping[int, int] | None = None,
) -> ExpertWorth:
    """Judge experts by the latest labels, each of which they predict without it.

    A label that a strategy chose counts half: strategies ask where near-far is in doubt, and about
    hubs, so such labels are no fair sample. A class's only label cannot be guessed without it and
    does not count. Labels that are `doubted` were not learned; what experts say of them counts.
    """
    nodes = np.array(list(labels)[-MOST:], dtype=np.intp)
    told = np.array([labels[node] for node in nodes.tolist()], dtype=np.intp)
    each = np.bincount(list(labels.values()), minlength=len(known))
    counts = np.array([_counts(node, chosen) for node in nodes.tolist()])
    counts[each[told] < 2] = 0.0
    left = np.array([expert.left_out(nodes, len(known)) for expert in experts])
    said = {node: label for node, label in (doubted or {}).items() if known[label]}
    if said:
        more = np.array(list(said), dtype=np.intp)
        unlearned = np.array([expert.chances(more, len(known)) for expert in experts])
        left, nodes = np.concatenate([left, unlearned], axis=1), np.concatenate([nodes, more])
        told = np.concatenate([told, np.array(list(said.values()), dtype=np.intp)])
        counts = np.concatenate([counts, [_counts(node, chosen) for node in said]])
    thoughts = np.log(left + LEAST)
    thoughts[..., ~known] = -np.inf
    return worth_of(thoughts, told, counts, first, slips.of(nodes.tolist()))


def _counts(node: int, chosen: set[int]) -> float:
    return CHOSEN if node in chosen else 1.0
