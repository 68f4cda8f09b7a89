"""Compiled look-ahead: the reach of one more label and its effect on expected errors."""

from __future__ import annotations

import numpy as np
from numba import njit

from lapwing.linalg.push.residuals import Diffusion, Scratch, kernel_column, release
from lapwing.types import Array, Nodes


@njit(cache=True)
def reach_of(
    system: Diffusion, node: int, amount: float, eps: float, scratch: Scratch
) -> tuple[Nodes, Array]:
    """Return the nodes whose walk meets this node, and the amount (1 - alpha P)^-1 e_node.

    A column of the inverse of D - alpha A times the node's D; residuals up to `eps` are left.
    """
    scale = amount * system.diagonal[node]
    count = kernel_column(system, 0, node, eps / scale, scratch)
    near = np.empty(count, dtype=np.intp)
    found = np.empty(count)
    kept = 0
    for at in range(count):
        i = scratch.touched[at]
        if scratch.value[i] != 0.0:
            near[kept] = i
            found[kept] = scale * scratch.value[i]
            kept += 1
    release(scratch, count)
    return near[:kept], found[:kept]


@njit(cache=True)
def expected_gain(
    mass: Array, factors: Array, smoothing: float, node: int, near: Nodes, reach: Array
) -> float:
    """Return how much a node's answer reduces the expected number of errors near it.

    `mass` holds the mass of each class's labels at each node, to be multiplied by the class's
    factor. Class k of a node then has the probability (mass + smoothing / K) / (total + smoothing),
    and its risk is 1 minus the largest. The answer adds `reach` to one class at the nodes `near`;
    the classes are weighted by the node's own probabilities.
    """
    classes = mass.shape[1]
    even = smoothing / classes
    saved = np.zeros(classes)
    for i in range(near.size):
        v = near[i]
        best = 0.0
        total = 0.0
        for k in range(classes):
            best = max(best, factors[k] * mass[v, k])
            total += factors[k] * mass[v, k]
        before = (best + even) / (total + smoothing)
        for k in range(classes):
            more = factors[k] * reach[i]
            after = max(best, factors[k] * mass[v, k] + more) + even
            saved[k] += after / (total + more + smoothing) - before
    gain = 0.0
    known = 0.0
    for k in range(classes):
        gain += saved[k] * (factors[k] * mass[node, k] + even)
        known += factors[k] * mass[node, k]
    return gain / (known + smoothing)
