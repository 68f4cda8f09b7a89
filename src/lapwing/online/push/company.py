"""Which classes are neighbours of which: naive Bayes over the labels around a node.

Diffusions expect neighbours to be alike. This member learns from pairs of labelled neighbours how
classes go together: alike, as accounts and the shops they pay, or not at all. If C[k, l] is the
weight between labelled nodes of class k and of class l, then

    M[k, l] = (C[k, l] + PRIOR q_l) / (C[k, .] + PRIOR)

is the chance that a neighbour of class k has class l, and q_l that of any neighbour. A node has
class k with log odds log(share_k) + sum over neighbours of log(M[k, l] / q_l), the sum divided by
the root of the number of neighbours it is about, since they are not independent. Without pairs that
is the class share. A neighbour without a label counts by what its own labelled neighbours say, less
the class shares (one step of the linearised belief propagation of Gatterbauer et al. 2015).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from lapwing.graph.growth import Change
from lapwing.linalg.push.diffusions import Diffusions
from lapwing.linalg.push.residuals import Diffusion
from lapwing.linalg.push.spare_space import lengthened, widened
from lapwing.linalg.stored_weights import weight_at
from lapwing.types import Array, Nodes

PRIOR = 2.0
"""How many neighbours of mean weight the prior of a class's neighbours counts."""
LOOKED_AT = 64
"""At most so many neighbours without a label are looked at."""
LEAST = 1e-6
"""Less labelled weight than this share of an edge's is rounding."""


class Company(NamedTuple):
    """What is known of labelled neighbours; arrays without entries where nobody asks for it.

    `mass` is the weight of the labelled neighbours of each node, one column per class; `pairs` is
    C, from both ends of each edge; `told` the labels of each class; `odds` is log(M / q).
    """

    mass: Array
    pairs: Array
    told: Array
    odds: Array


def new_company(n_nodes: int, room: int, kind: np.dtype[Any]) -> Company:
    """Return the company of no labels yet; without entries if there is room for no class.

    Examples
    --------
    >>> new_company(3, 2, np.dtype(np.float32)).mass.shape
    (3, 2)
    """
    square = np.zeros((room, room))
    mass = np.zeros((n_nodes if room else 0, room), dtype=kind)
    return Company(mass, square, np.zeros(room), square.copy())


def resized(company: Company, n_nodes: int, room: int) -> Company:
    """Return the company with space for this many nodes and classes.

    Examples
    --------
    >>> resized(new_company(3, 2, np.dtype(np.float32)), 4, 5).mass.shape
    (4, 5)
    """
    mass, before = company.mass, company.told.size
    if before == 0:
        return company
    if len(mass) < n_nodes:
        company = company._replace(mass=lengthened(mass, n_nodes))
    if before < room:
        more = room - before
        company = company._replace(
            mass=widened(company.mass, room),
            pairs=np.pad(company.pairs, (0, more)),
            told=np.pad(company.told, (0, more)),
            odds=np.pad(company.odds, (0, more)),
        )
    return company


@njit(cache=True)
def tell_company(
    system: Diffusion, company: Company, node: int, before: Array, after: Array, scale: float
) -> None:
    """Change a node's targets; `scale` is the mean weight of an edge."""
    _count(system, company, node, after - before)
    find_odds(company, scale)


@njit(cache=True)
def recount(system: Diffusion, company: Company, targets: Array, scale: float) -> None:
    """Count all labels anew."""
    company.mass[:] = 0.0
    company.pairs[:] = 0.0
    company.told[:] = 0.0
    for node in range(targets.shape[0]):
        if system.label_weight[node] > 0.0:
            _count(system, company, node, targets[node])
    find_odds(company, scale)


@njit(cache=True)
def _count(system: Diffusion, company: Company, node: int, change: Array) -> None:
    """Add a change of a node's targets to the counts."""
    for k in range(change.size):
        if change[k] != 0.0:
            company.told[k] += change[k]
            for c in range(change.size):
                met = change[k] * company.mass[node, c]
                company.pairs[k, c] += met
                company.pairs[c, k] += met
            for at in range(system.start[node], system.stop[node]):
                met = change[k] * weight_at(system.weights, at)
                company.mass[system.neighbors[at], k] += met


def follow(company: Company, state: Diffusions, change: Change) -> None:
    """Count the edges that are about to change; the odds are still those before."""
    if company.told.size:
        ends = change.sources, change.targets
        _rejoin(company, state.targets, *ends, change.weights - state.rows.weights_of(*ends))


@njit(cache=True)
def _rejoin(company: Company, targets: Array, sources: Nodes, ends: Nodes, change: Array) -> None:
    """Follow changes of weights, each edge given once."""
    for e in range(sources.size):
        one, other = targets[sources[e]], targets[ends[e]]
        company.mass[sources[e]] += (change[e] * other).astype(company.mass.dtype)
        company.mass[ends[e]] += (change[e] * one).astype(company.mass.dtype)
        for k in range(one.size):
            for c in range(one.size):
                company.pairs[k, c] += change[e] * (one[k] * other[c] + other[k] * one[c])


@njit(cache=True)
def find_odds(company: Company, scale: float) -> None:
    """Find log(M / q) from the counts."""
    room, prior = company.told.size, PRIOR * scale
    met = np.maximum(company.pairs.sum(axis=1), 0.0)
    labels, total = max(company.told.sum(), 1.0), met.sum()
    for c in range(room):
        if company.told[c] <= 0.0:
            company.odds[:, c] = 0.0
            continue
        share = company.told[c] / labels
        usual = (met[c] + prior * share) / (total + prior)
        for k in range(room):
            chance = (max(company.pairs[k, c], 0.0) + prior * usual) / (met[k] + prior)
            company.odds[k, c] = np.log(chance / usual)


@njit(cache=True)
def company_row(
    system: Diffusion, company: Company, node: int, shares: Array, scale: float, into: Array
) -> None:
    """Write the log odds of one node's classes, from those of the class shares."""
    k = shares.size
    prior = np.exp(shares) / k
    met = np.zeros(k)
    total = 0.0
    for c in range(k):
        met[c] = max(company.mass[node, c], 0.0) / scale
        total += met[c]
    last = min(system.stop[node], system.start[node] + LOOKED_AT)
    belief = np.empty(k)
    for at in range(system.start[node], last):
        near = system.neighbors[at]
        if system.label_weight[near] > 0.0:
            continue
        known = 0.0
        for c in range(k):
            known += company.mass[near, c]
        if known <= LEAST * scale:
            continue
        _odds_of(company, company.mass[near], known, scale, shares, belief)
        top = belief.max()
        whole = 0.0
        for c in range(k):
            belief[c] = np.exp(belief[c] - top)
            whole += belief[c]
        weight = weight_at(system.weights, at) / scale
        for c in range(k):
            lean = weight * (belief[c] / whole - prior[c])
            met[c] += lean
            total += max(lean, 0.0)
    _odds_of(company, met, total, 1.0, shares, into)


@njit(cache=True)
def _odds_of(
    company: Company, met: Array, total: float, scale: float, shares: Array, into: Array
) -> None:
    """Write log odds from the weights met of each class, `total` in all."""
    damp = 1.0 / (scale * np.sqrt(max(total / scale, 1.0)))
    for k in range(into.size):
        found = 0.0
        for c in range(into.size):
            found += met[c] * company.odds[k, c]
        into[k] = shares[k] + damp * found
