"""The unit in which masses are told, and what a label leaves on its own node."""

from __future__ import annotations

from numba import njit

from lapwing.linalg.push.kernel_columns import Scratch, kernel_column, release
from lapwing.linalg.push.residuals import Diffusion

FEWEST, MOST = 2_500, 50_000
"""Limits to which the number of nodes is clipped."""


def mean_mass(n_nodes: int) -> float:
    """Return the mean mass that a label leaves on a node, 1 / nodes, as a unit for masses.

    The number of nodes is clipped to 2,500 .. 50,000: on smaller graphs a label says no less about
    a node's neighbours, and on larger ones smaller masses are not kept.

    Examples
    --------
    >>> mean_mass(34), mean_mass(10_000), mean_mass(1_000_000)
    (0.0004, 0.0001, 2e-05)
    """
    return 1.0 / min(max(n_nodes, FEWEST), MOST)


@njit(cache=True)
def own_mass(system: Diffusion, node: int, tolerance: float, scratch: Scratch) -> float:
    """Return the score that a label of this node has at the node itself, in the first diffusion."""
    count = kernel_column(system, 0, node, tolerance, scratch)
    found: float = scratch.value[node] * system.diagonal[node]
    release(scratch, count)
    return found
