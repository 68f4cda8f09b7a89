"""Compiled look-ahead: the reach of one more label and its effect on expected errors."""

from __future__ import annotations

import numpy as np
from numba import njit

from lapwing.linalg.push.kernel_columns import Scratch, kernel_column, release
from lapwing.linalg.push.residuals import Diffusion
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


@njit(cache=True, error_model="numpy")
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
    held, after = np.empty(classes), np.zeros(classes)
    before = 0.0
    for i in range(near.size):
        row = mass[near[i]]
        best = total = 0.0
        for k in range(classes):
            held[k] = factors[k] * row[k]
            best = max(best, held[k])
            total += held[k]
        total += smoothing
        before += (best + even) / total
        for k in range(classes):
            more = factors[k] * reach[i]
            after[k] += (max(best, held[k] + more) + even) / (total + more)
    gain = known = 0.0
    for k in range(classes):
        own = factors[k] * mass[node, k]
        gain += (after[k] - before) * (own + even)
        known += own
    return gain / (known + smoothing)


@njit(cache=True, error_model="numpy")
def faded_doubt(
    mass: Array, near: Nodes, smoothing: float, fading: float, total: Array, doubt: Array
) -> Array:
    """Write the total mass and the doubt of the nodes `near`; return their faded doubt.

    Doubt is 1 - (largest mass - second largest) / (total + smoothing); negative masses count as 0.
    """
    source = np.empty(near.size)
    for i in range(near.size):
        row = mass[near[i]]
        best = second = whole = 0.0
        for k in range(row.size):
            value = max(row[k], 0.0)
            second = max(second, min(value, best))
            best = max(best, value)
            whole += value
        total[near[i]] = whole
        doubt[near[i]] = 1.0 - (best - second) / (whole + smoothing)
        source[i] = doubt[near[i]] * np.exp(-fading * whole)
    return source


@njit(cache=True)
def products(nodes: Nodes, first: Array, second: Array, third: Array) -> Array:
    """Return the products of three numbers per node."""
    found = np.empty(nodes.size)
    for i in range(nodes.size):
        node = nodes[i]
        found[i] = first[node] * second[node] * third[node]
    return found
