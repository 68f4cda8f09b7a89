"""Noise in labels and in concepts, as in Herbster and Pontil (2006)."""

from __future__ import annotations

import numpy as np

from lapwing.bounds.problem import Problem
from lapwing.types import Nodes

SMOOTHINGS = 5
"""Number of rounds of majority smoothing that are tried."""


def relative_bound(noise: float, z: float) -> float:
    """2k + Z/2 + sqrt(2kZ + Z^2/4): the bound of (5) and (15) with k noisy mistakes.

    Examples
    --------
    >>> relative_bound(0, 12.0), relative_bound(1, 12.0)
    (12.0, 15.745967)
    """
    return 2 * noise + z / 2 + float(np.sqrt(2 * noise * z + z**2 / 4))


def smoother(problem: Problem, u: Nodes) -> list[Nodes]:
    """Yield u, and u after rounds in which each node takes its neighbours' majority."""
    found = [u]
    for _ in range(SMOOTHINGS):
        pull = problem.labelling.graph.adjacency @ found[-1].astype(np.float64)
        found.append(np.where(pull > 0, 1, np.where(pull < 0, -1, found[-1])))
    return found


def smoothed_z(
    problem: Problem, u: Nodes, other: Nodes, c: float | None
) -> tuple[float, float, Nodes]:
    """Z of (15) with u' = other, at the given c or the best one."""
    k = int((other != u).sum())
    base = 4 * problem.cut(other) + float(other.mean()) ** 2 / problem.bias
    reach = problem.measures.resistance_diameter + problem.bias
    if k == 0:
        c = c or 0.0
        return base * (reach + c), c, other
    if c is None:
        c = float(np.sqrt(4 * k * reach / base)) if base > 0 else np.inf
        return (float(np.sqrt(base * reach)) + 2 * float(np.sqrt(k))) ** 2, c, other
    return ((base + 4 * k / c) * (reach + c) if c > 0 else np.inf), c, other
