"""Votes of the nearest labelled rows, found through cells around landmarks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from lapwing.embed import with_unit_rows
from lapwing.types import Array, Mask, Nodes

VOTERS = 20
"""Number of nearest labelled rows that vote."""
ENOUGH = 256
"""Number of labelled rows examined, nearest cells first, before the search ends."""
MOST_CELLS = 256
SOFTENING = 0.01
"""A vote weighs 1 / (squared distance + this)."""
PRIOR = 5.0
"""Weight of the class shares among all labels so far, added to the votes."""


class Neighbourhood(NamedTuple):
    """Labelled rows in cells: all arrays, so that compiled code can read and extend it.

    `rows` are unit rows; each labelled one is in the list of its nearest landmark: `head` is a
    cell's latest entry, `after` the entry before it. `size` counts entries, `counts` labels.
    """

    rows: Array
    landmarks: Array
    head: Nodes
    after: Nodes
    nodes: Nodes
    labels: Nodes
    size: Nodes
    counts: Array


def empty_neighbourhood(features: Array, seed: int) -> Neighbourhood:
    """Return an empty neighbourhood; constant columns are left out of distances.

    Examples
    --------
    >>> empty_neighbourhood(np.array([[3.0, 4.0, 1.0], [0.0, 2.0, 1.0]]), seed=0).rows
    array([[0.6, 0.8],
           [0. , 1. ]])
    """
    rows = unit_rows_of(features, varying(features))
    cells = min(MOST_CELLS, int(np.ceil(np.sqrt(len(rows)))))
    chosen = np.random.default_rng(seed).choice(len(rows), cells, replace=False)
    none = np.empty(0, dtype=np.intp)
    start = np.full(cells, -1, dtype=np.intp)
    size = np.zeros(1, dtype=np.intp)
    return Neighbourhood(rows, rows[chosen], start, none, none, none, size, np.zeros(0))


def varying(features: Array) -> Mask:
    """Return which columns are not constant.

    Examples
    --------
    >>> varying(np.array([[3.0, 1.0], [0.0, 1.0]]))
    array([ True, False])
    """
    if len(features) == 0:
        return np.ones(features.shape[1], dtype=bool)
    return np.asarray(np.ptp(features, axis=0) > 0)


def unit_rows_of(features: Array, columns: Mask) -> Array:
    """Return some columns of the rows, scaled to length 1.

    Examples
    --------
    >>> unit_rows_of(np.array([[3.0, 4.0, 1.0]]), np.array([True, True, False]))
    array([[0.6, 0.8]])
    """
    return np.ascontiguousarray(with_unit_rows(features[:, columns]))


def with_room(found: Neighbourhood, entries: int, n_classes: int) -> Neighbourhood:
    """Return the neighbourhood with room for this many more entries, and for all classes."""
    missing = int(found.size[0]) + entries - len(found.nodes)
    if missing > 0:
        more = np.full(max(missing, len(found.nodes)), -1, dtype=np.intp)
        found = found._replace(
            after=np.append(found.after, more),
            nodes=np.append(found.nodes, more),
            labels=np.append(found.labels, more),
        )
    lacking = n_classes - len(found.counts)
    return found._replace(counts=np.append(found.counts, np.zeros(max(lacking, 0))))


@njit(cache=True, fastmath=True)
def similarity(u: Array, v: Array) -> float:
    """Return the inner product of two unit rows, in the fastest order of summation."""
    total = 0.0
    for i in range(u.shape[0]):
        total += u[i] * v[i]
    return total


@njit(cache=True)
def remember(found: Neighbourhood, node: int, label: int) -> None:
    """Add a labelled row to the cell of its nearest landmark."""
    best, cell = -np.inf, 0
    for c in range(found.landmarks.shape[0]):
        near = similarity(found.rows[node], found.landmarks[c])
        if near > best:
            best, cell = near, c
    at = found.size[0]
    found.nodes[at], found.labels[at] = node, label
    found.after[at] = found.head[cell]
    found.head[cell] = at
    found.size[0] += 1
    found.counts[label] += 1.0


@njit(cache=True)
def votes(found: Neighbourhood, node: int, share: Array) -> None:
    """Write each class's share of the votes of the nearest labelled rows, smoothed."""
    near, label = np.full(VOTERS, -np.inf), np.empty(VOTERS, np.intp)
    search(found, node, near, label)
    total = PRIOR
    known = found.counts[: share.shape[0]].sum() + share.shape[0]
    for k in range(share.shape[0]):
        share[k] = PRIOR * (found.counts[k] + 1.0) / known
    for i in range(VOTERS):
        if near[i] > -np.inf:
            weight = 1.0 / (max(2.0 - 2.0 * near[i], 0.0) + SOFTENING)
            share[label[i]] += weight
            total += weight
    for k in range(share.shape[0]):
        share[k] /= total


@njit(cache=True)
def search(found: Neighbourhood, node: int, near: Array, labels: Nodes) -> None:
    """Write similarities and labels of the nearest labelled rows, in decreasing order."""
    u = found.rows[node]
    if found.size[0] <= ENOUGH:
        for entry in range(found.size[0]):
            place(similarity(u, found.rows[found.nodes[entry]]), found.labels[entry], near, labels)
        return
    away = np.empty(found.landmarks.shape[0])
    for c in range(away.shape[0]):
        away[c] = -similarity(u, found.landmarks[c])
    looked = 0
    for cell in np.argsort(away):
        entry = found.head[cell]
        while entry >= 0:
            place(similarity(u, found.rows[found.nodes[entry]]), found.labels[entry], near, labels)
            entry = found.after[entry]
            looked += 1
        if looked >= ENOUGH:
            return


@njit(cache=True)
def place(nearness: float, label: int, near: Array, labels: Nodes) -> None:
    """Insert an entry among the nearest so far, kept in decreasing order."""
    i = near.shape[0] - 1
    if nearness <= near[i]:
        return
    while i > 0 and near[i - 1] < nearness:
        near[i], labels[i] = near[i - 1], labels[i - 1]
        i -= 1
    near[i], labels[i] = nearness, label
