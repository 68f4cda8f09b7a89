"""The unit in which masses are told."""

from __future__ import annotations

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
