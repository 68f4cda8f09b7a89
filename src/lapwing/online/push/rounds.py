"""One compiled round of a push learner: answer, ask, learn.

The methods for one node and the compiled loop over a recorded stream share it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from lapwing.linalg.push.nearest import nearest_answer
from lapwing.linalg.push.residuals import Diffusion, settle, tell
from lapwing.online.push.asking import Asking, note_round, push_wants
from lapwing.online.push.blend import Blend, blended, learn_blend, log_shares
from lapwing.online.push.company import Company, company_row, tell_company
from lapwing.types import UNKNOWN, Array, Mask, Nodes


class LowRank(NamedTuple):
    """Ridge regression on rows, updated online; no columns if there are no rows."""

    rows: Array
    inverse: Array
    weights: Array


class PushModel(NamedTuple):
    """Everything that a round reads or changes.

    `targets` holds the labels of each node, one column per class; `sums` adds them up by component.
    `visits` is how many nodes are looked at for mass around one without.
    """

    system: Diffusion
    targets: Array
    component: Nodes
    sums: Array
    low: LowRank
    company: Company
    blend: Blend
    asking: Asking
    visits: int


@njit(cache=True)
def shares_of(model: PushModel, node: int, n_classes: int) -> Array:
    """Write every member's log shares of one node, one row per member.

    The last rows are those of the company and of the class shares, if they are among the members.
    """
    blend, room = model.blend, model.targets.shape[1]
    members = model.system.alpha.size // room
    z = np.empty((blend.temperature.size, n_classes))
    for m in range(members):
        first = m * room
        log_shares(model.system.solution[node, first : first + n_classes], blend.cover[m], z[m])
    if blend.cover.size > members:
        fitted = model.low.rows[node] @ model.low.weights
        log_shares(fitted[:n_classes], blend.cover[members], z[members])
    if blend.temperature.size > blend.cover.size and n_classes > 0:
        told = model.sums[model.component[node], :n_classes]
        z[-1] = np.log((told + 1.0) * (n_classes / (told.sum() + n_classes)))
        scale = model.asking.label_weight
        company_row(model.system, model.company, node, z[-1], scale, z[-2])
    return z


@njit(cache=True)
def reached(model: PushModel, z: Array) -> bool:
    """Whether any diffusion or regression has something to say."""
    return bool(z[: model.blend.cover.size].any())


@njit(cache=True)
def chances(model: PushModel, node: int, z: Array) -> Array:
    """Return the blend's probabilities of one node, from its log shares.

    Without any mass, the label shares of the component; zeros if it has no label. Where weights
    span very much, the nearest answer is given instead.
    """
    n_classes = z.shape[1]
    sums = model.sums[model.component[node], :n_classes]
    total = sums.sum()
    if total == 0.0:
        return np.zeros(n_classes)
    if model.visits and not reached(model, z):
        near = nearest_answer(model.system, node, model.visits)
        z, told = shares_of(model, near, n_classes), model.targets[near, :n_classes]
        if told.any() and not reached(model, z):
            return np.asarray(told / told.sum())
    if not reached(model, z):
        return np.asarray(sums / total)
    experts = np.empty((model.blend.losses.size - 2, n_classes))
    found = blended(model.blend, z, experts)
    found[sums == 0.0] = 0.0
    return np.asarray(found / found.sum())


@njit(cache=True)
def all_chances(model: PushModel, nodes: Nodes, n_classes: int) -> Array:
    """Return the blend's probabilities of many nodes, one row each."""
    rows = np.zeros((nodes.size, n_classes))
    for at in range(nodes.size):
        rows[at] = chances(model, nodes[at], shares_of(model, nodes[at], n_classes))
    return rows


@njit(cache=True)
def answer(model: PushModel, node: int, z: Array) -> tuple[int, float]:
    """Return the guess for one node and its probability."""
    chance = chances(model, node, z)
    if not chance.any():
        return UNKNOWN, 0.0
    best = int(np.argmax(chance))
    scores = model.system.solution[node, : z.shape[1]]
    if model.blend.cover.size == 1 and scores.any():
        best = int(np.argmax(scores))
    return best, float(chance[best])


@njit(cache=True)
def asks_for(model: PushModel, node: int, chance: float, n_classes: int) -> bool:
    """Whether the rule wants this node's label; the last member's doubt decides."""
    lead = model.system.alpha.size - model.targets.shape[1]
    return bool(push_wants(model.system, lead, n_classes, node, chance, model.asking))


@njit(cache=True)
def learn_label(model: PushModel, node: int, label: int, z: Array) -> None:
    """Update the blend with a node's first label, then let every member learn it."""
    if model.system.label_weight[node] == 0.0 and reached(model, z):
        if label >= z.shape[1]:
            z = shares_of(model, node, label + 1)
        learn_blend(model.blend, z, label)
    after = np.zeros(model.targets.shape[1])
    after[label] = 1.0
    retell(model, node, after)


@njit(cache=True)
def retell(model: PushModel, node: int, after: Array) -> None:
    """Replace a node's targets (all zero: no label any more), and push."""
    weight = model.asking.label_weight if after.any() else 0.0
    before = model.targets[node].copy()
    if model.low.rows.shape[1] > 0:
        if model.system.label_weight[node] > 0.0:
            regress(model.low, node, before, -1.0)
        if weight > 0.0:
            regress(model.low, node, after, 1.0)
    tell(model.system, node, before, after, weight)
    if model.company.told.size > 0:
        scale = model.asking.label_weight
        tell_company(model.system, model.company, node, before, after, scale)
    model.targets[node] = after
    model.sums[model.component[node]] += after - before
    settle(model.system)


@njit(cache=True)
def regress(low: LowRank, node: int, target: Array, sign: float) -> None:
    """Add a node to the ridge regression (sign 1), or remove it (sign -1)."""
    row = low.rows[node]
    gained = low.inverse @ row
    scale = sign / (1.0 + sign * np.dot(row, gained))
    error = target - row @ low.weights
    for a in range(row.size):
        low.weights[a] += scale * gained[a] * error
        low.inverse[a] -= scale * gained[a] * gained


@njit(cache=True)
def play_rounds(
    model: PushModel, nodes: Nodes, labels: Nodes, always: bool, n_classes: int
) -> tuple[Nodes, Mask, int]:
    """Play recorded nodes and labels; return the guesses, the queries and the known classes."""
    guesses = np.full(nodes.size, UNKNOWN)
    queried = np.zeros(nodes.size, dtype=np.bool_)
    for t in range(nodes.size):
        node = nodes[t]
        z = shares_of(model, node, n_classes)
        guess, chance = answer(model, node, z)
        guesses[t] = guess
        queried[t] = always or asks_for(model, node, chance, n_classes)
        if queried[t]:
            n_classes = max(n_classes, labels[t] + 1)
            learn_label(model, node, labels[t], z)
        note_round(model.asking, queried[t], chance, z.shape[1])
    return guesses, queried, n_classes
