"""Residual pushes: keep sparse systems solved while labels and edges change.

Several systems share one graph, one column each:

    (D - alpha_k A + ridge_k G) x_k + r_k = b_k,

where A are the weights, D their row sums (1 for an isolated node) and G the weights of labels. A
push moves a node's residual r into its solution x and passes alpha w / D of it on to the
neighbours; the equation above always holds before and after. Pushing stops when every |r_k| is at
most D (tolerance_k + lazy_k lead), where lead is the difference between the two largest x among the
node's classes: if one class leads clearly, a residual that cannot change the answer is left. Each
push reads the neighbour list once for all columns.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lapwing.linalg.push.fetching import fetch_neighbour, fetch_next
from lapwing.linalg.stored_weights import weight_at
from lapwing.types import Array, Mask, Nodes

HEAD, TAIL, PUSHES = 0, 1, 2
UNLIMITED = 2**62


class Diffusion(NamedTuple):
    """The arrays of several systems on one graph with n nodes, one column per system.

    Each run of `room` columns belongs together: one system, one column per class. Row i of the
    graph is ``neighbors[start[i]:stop[i]]`` with as many `weights`, or one for all. `strength` is
    how much of a node's label is left as a source, 1 unless it fades. `queue` is a ring buffer of
    the nodes that wait to be pushed, each once; `counts` holds its head, its tail and the number of
    pushes made so far.
    """

    start: Nodes
    stop: Nodes
    neighbors: NDArray[np.int32]
    weights: Array
    diagonal: Array
    label_weight: Array
    strength: Array
    alpha: Array
    ridge: Array
    tolerance: Array
    lazy: Array
    room: int
    solution: Array
    residual: Array
    queue: NDArray[np.int32]
    waiting: Mask
    counts: Nodes


def queue_arrays(n: int) -> tuple[NDArray[np.int32], Mask, Nodes]:
    """Return an empty queue for n nodes: the ring, the waiting flags and three counts."""
    return np.zeros(n + 1, dtype=np.int32), np.zeros(n, dtype=bool), np.zeros(3, dtype=np.intp)


@njit(cache=True)
def enqueue(system: Diffusion, node: int) -> None:
    """Put a node in the queue, unless it is there already."""
    if not system.waiting[node]:
        tail = system.counts[TAIL]
        system.counts[TAIL] = _queued(system.queue, system.waiting, tail, node)


@njit(cache=True)
def _queued(queue: NDArray[np.int32], waiting: Mask, tail: int, node: int) -> int:
    """Put a node at the tail of the queue and return the next tail."""
    waiting[node] = True
    queue[tail] = node
    return tail + 1 if tail + 1 < queue.size else 0


@njit(cache=True)
def _note(system: Diffusion, head: int, tail: int, pushes: int) -> int:
    """Write down where the queue stands after so many pushes, and return them."""
    system.counts[HEAD], system.counts[TAIL] = head, tail
    system.counts[PUSHES] += pushes
    return pushes


@njit(cache=True)
def matters(
    solution: Array, residual: Array, node: int, scale: float, limits: tuple[Array, Array, int]
) -> bool:
    """Whether one of a node's residuals exceeds its tolerance; `scale` is its D."""
    tolerance, lazy, room = limits
    for first in range(0, tolerance.size, room):
        best = second = largest = 0.0
        for k in range(first, first + room):
            value = solution[node, k]
            second = max(second, min(value, best))
            best = max(best, value)
            largest = max(largest, abs(residual[node, k]))
        if largest > scale * (tolerance[first] + lazy[first] * (best - second)):
            return True
    return False


@njit(cache=True)
def wake(system: Diffusion, node: int) -> None:
    """Put a node in the queue if one of its residuals exceeds its tolerance."""
    limits = (system.tolerance, system.lazy, system.room)
    if matters(system.solution, system.residual, node, system.diagonal[node], limits):
        enqueue(system, node)


@njit(cache=True, nogil=True)
def settle(system: Diffusion, most: int = UNLIMITED) -> int:
    """Push until the queue is empty and return the number of pushes.

    Each push of node i costs its degree times the number of columns and removes at least (1 -
    alpha) tolerance D_i from some column's residual, so it terminates. After `most` entries of
    neighbour lists it stops, and the next call goes on: the equation holds in between, too.
    """
    head, tail = system.counts[HEAD], system.counts[TAIL]
    queue, waiting = system.queue, system.waiting
    solution, residual = system.solution, system.residual
    tolerance, diagonal = system.tolerance, system.diagonal
    start, stop, neighbors, weights = system.start, system.stop, system.neighbors, system.weights
    alpha, ridge, label_weight = system.alpha, system.ridge, system.label_weight
    limits = (tolerance, system.lazy, system.room)
    size, columns = queue.size, alpha.size
    if columns == 1:
        return int(_settle_one(system, most))
    moved = np.empty(columns)
    pushes = read = 0
    while head != tail and read < most:
        fetch_next(
            start, stop, neighbors, queue, head, columns, residual, solution, diagonal, waiting
        )
        i = queue[head]
        head = head + 1 if head + 1 < size else 0
        waiting[i] = False
        pushes += 1
        read += stop[i] - start[i]
        for k in range(columns):
            step = residual[i, k] / (diagonal[i] + ridge[k] * label_weight[i])
            solution[i, k] += step
            residual[i, k] = 0.0
            moved[k] = alpha[k] * step
        for at in range(start[i], stop[i]):
            j = neighbors[at]
            weight, room = weight_at(weights, at), diagonal[j]
            over = False
            for k in range(columns):
                value = residual[j, k] + weight * moved[k]
                residual[j, k] = value
                over |= abs(value) > tolerance[k] * room
            if over and not waiting[j] and matters(solution, residual, j, room, limits):
                tail = _queued(queue, waiting, tail, j)
    return int(_note(system, head, tail, pushes))


@njit(cache=True, nogil=True)
def _settle_one(system: Diffusion, most: int) -> int:
    """What `settle` does, for one column; indices without a sign cannot count from the end."""
    head, tail = system.counts[HEAD], system.counts[TAIL]
    start, stop, neighbors, weights = system.start, system.stop, system.neighbors, system.weights
    queue, waiting, diagonal = system.queue, system.waiting, system.diagonal
    solution, residual = system.solution[:, 0], system.residual[:, 0]
    alpha, ridge, size = system.alpha[0], system.ridge[0], queue.size
    tolerance, lazy = system.tolerance[0], system.lazy[0]
    pushes = read = 0
    while head != tail and read < most:
        fetch_next(start, stop, neighbors, queue, head, 1, residual, solution, diagonal, waiting)
        i = np.uint32(queue[head])
        head = head + 1 if head + 1 < size else 0
        waiting[i] = False
        pushes += 1
        first, last = start[i], stop[i]
        read += last - first
        held = diagonal[i] + (ridge * system.label_weight[i] if ridge > 0.0 else 0.0)
        step = residual[i] / held
        solution[i] += step
        residual[i] = 0.0
        moved = alpha * step
        for at in range(first, last):
            fetch_neighbour(neighbors, at, last, residual, diagonal)
            j = np.uint32(neighbors[np.uint64(at)])
            value = residual[j] + weight_at(weights, at) * moved
            residual[j] = value
            left = abs(value) - tolerance * diagonal[j]
            if left > 0.0 and not waiting[j] and left > lazy * diagonal[j] * max(solution[j], 0.0):
                tail = _queued(queue, waiting, tail, j)
    return int(_note(system, head, tail, pushes))


@njit(cache=True)
def settle_from(system: Diffusion, nodes: Nodes, most: int = UNLIMITED) -> int:
    """Push after the residuals of these nodes changed and return the number of pushes."""
    for node in nodes:
        wake(system, node)
    return int(settle(system, most))


@njit(cache=True)
def tell(system: Diffusion, node: int, before: Array, after: Array, weight: float) -> None:
    """Change the targets of a node, one per class, and the weight of its label.

    There are as many columns to a class as there are systems: column k is class k mod classes.

    A column with ridge 0 takes its target as a source of sqrt(D) (Zhou et al.'s F = sqrt(D) x);
    one with ridge above 0 is pulled to its target with ridge times the label's weight: G and b
    change at this node only, and so does the residual. A weight of 0 withdraws the label.
    """
    tell_faded(system, node, before, after, weight, 1.0)


@njit(cache=True)
def tell_faded(
    system: Diffusion, node: int, before: Array, after: Array, weight: float, strength: float
) -> None:
    """`tell`, where a source counts only with this strength."""
    old, was = system.label_weight[node], system.strength[node]
    root = np.sqrt(system.diagonal[node])
    for k in range(system.alpha.size):
        c = k % after.size
        if system.ridge[k] > 0.0:
            change = weight * after[c] - old * before[c] - (weight - old) * system.solution[node, k]
            change *= system.ridge[k]
        else:
            change = root * (strength * after[c] - was * before[c])
        system.residual[node, k] += change
    system.label_weight[node] = weight
    system.strength[node] = strength
    wake(system, node)


@njit(cache=True)
def scale_label_weights(system: Diffusion, targets: Array, factor: float) -> None:
    """Multiply the weights of all labels by a factor."""
    room = targets.shape[1]
    for node in range(system.label_weight.size):
        old = system.label_weight[node]
        if old != 0.0:
            new = factor * old
            for k in range(system.alpha.size):
                gap = targets[node, k % room] - system.solution[node, k]
                system.residual[node, k] += system.ridge[k] * (new - old) * gap
            system.label_weight[node] = new
            wake(system, node)


@njit(cache=True)
def follow_edges(system: Diffusion, sources: Nodes, ends: Nodes, change: Array) -> None:
    """Correct the residuals after weights changed by `change`, each edge given once."""
    for e in range(sources.size):
        u, v = sources[e], ends[e]
        for k in range(system.alpha.size):
            passed = system.alpha[k] * change[e]
            system.residual[u, k] += passed * system.solution[v, k]
            system.residual[v, k] += passed * system.solution[u, k]


@njit(cache=True)
def follow_degrees(system: Diffusion, targets: Array, nodes: Nodes) -> None:
    """Correct the residuals after the degrees of these nodes changed, and wake them."""
    room = targets.shape[1]
    for node in nodes:
        now = 0.0
        for at in range(system.start[node], system.stop[node]):
            now += weight_at(system.weights, at)
        if system.start[node] == system.stop[node]:
            now = 1.0
        was = system.diagonal[node]
        root = system.strength[node] * (np.sqrt(now) - np.sqrt(was))
        for k in range(system.alpha.size):
            system.residual[node, k] += (was - now) * system.solution[node, k]
            if system.ridge[k] == 0.0:
                system.residual[node, k] += root * targets[node, k % room]
        system.diagonal[node] = now
        wake(system, node)


@njit(cache=True)
def wake_all(system: Diffusion) -> None:
    """Put every node in the queue whose residual exceeds its tolerance."""
    for node in range(system.diagonal.size):
        wake(system, node)
