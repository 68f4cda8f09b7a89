"""How much of a label lies on a node."""

from __future__ import annotations

FEWEST, MOST = 2_500, 50_000


def mean_mass(n_nodes: int) -> float:
    """What a label's unit of mass leaves on a node in the mean, to measure masses by: 1 / nodes.

    As if the graph had 2,500 nodes to 50,000: on smaller ones a label says no less of a node's
    neighbours, on larger ones finer masses are not kept.

    Examples
    --------
    >>> mean_mass(34), mean_mass(10_000), mean_mass(1_000_000)
    (0.0004, 0.0001, 2e-05)
    """
    return 1.0 / min(max(n_nodes, FEWEST), MOST)
