"""Planted communities with power-law degrees and sizes, similar to LFR."""

from __future__ import annotations

import numpy as np
from numba import njit

from lapwing.checks import at_least, between
from lapwing.data.dataset import Dataset
from lapwing.data.generators.power_law import low_of_mean, power_law, rounded
from lapwing.data.generators.random_pairing import paired_across, paired_inside
from lapwing.errors import GraphError
from lapwing.graph import Graph
from lapwing.types import Nodes

_TRIES = 100


def planted_partition(
    *,
    n: int = 1000,
    mixing: float = 0.2,
    mean_degree: float = 10.0,
    max_degree: int = 50,
    degree_exponent: float = 2.5,
    communities: tuple[int, int] = (20, 100),
    community_exponent: float = 1.5,
    seed: int = 0,
) -> Dataset:
    """Draw a graph with planted communities; a share `mixing` of edges lies between them.

    Degrees and community sizes follow power laws. Each node is put at random into a community that
    has room for its edges. Then the ends of edges are paired at random, inside the communities and
    between them, and swapped until there are no loops and no repeats. The communities are the
    classes. Time is linear in nodes and edges; a million nodes and five million edges take some
    seconds and less than 2 GB.

    Departures from LFR: degrees keep their mean by random rounding; a node's inner degree is (1 -
    mixing) of its degree, rounded at random, where LFR rewires towards it; where too many nodes
    have more edges than the remaining communities are large, the surplus goes outside; edges that
    swapping cannot repair are dropped, so a few nodes can lose an edge. The graph need not be
    connected.

    Parameters
    ----------
    n
        Nodes.
    mixing
        LFR's mu: the share of edges between communities, 0..1.
    mean_degree
        Mean of the degrees; `max_degree` is their upper bound.
    max_degree
        Upper bound of the degrees.
    degree_exponent
        LFR's tau_1; 2 to 3 in its paper.
    communities
        Smallest and largest size of a community.
    community_exponent
        LFR's tau_2; 1 to 2 in its paper.
    seed
        Seed of the random number generator.

    Reference
    ---------
    Lancichinetti, Fortunato, Radicchi. Benchmark graphs for testing community detection
    algorithms. Physical Review E 78, 2008.

    Examples
    --------
    >>> data = planted_partition(n=1000, mixing=0.2, mean_degree=10)
    >>> data
    Dataset(planted-partition: 1,000 nodes, 5,072 edges, 26 classes)
    >>> tails, heads, _ = data.graph.edges()
    >>> print(f"{np.mean(data.labels[tails] != data.labels[heads]):.2f} of edges between")
    0.20 of edges between
    """
    _check(n, mixing, mean_degree, max_degree, communities)
    random = np.random.default_rng(seed)
    lowest = low_of_mean(mean_degree, exponent=degree_exponent, high=max_degree)
    degrees = rounded(
        power_law(n, exponent=degree_exponent, low=lowest, high=max_degree, random=random), random
    )
    degrees = np.minimum(degrees, max_degree)
    inner = rounded((1 - mixing) * degrees.astype(np.float64), random)
    sizes = _sizes_that_hold(int(inner.max()), n, communities, community_exponent, random)
    groups = _assigned(inner, sizes, random)
    inner = np.minimum(inner, sizes[groups] - 1)
    _make_even(inner, groups, len(sizes))
    inside = paired_inside(inner, groups, random)
    outer = degrees - inner if mixing else np.zeros_like(inner)
    across = paired_across(outer, groups, random)
    tails, heads = (np.concatenate(ends) for ends in zip(inside, across, strict=True))
    return Dataset(
        name="planted-partition",
        graph=Graph.from_edges((tails, heads), names=range(n)),
        labels=groups,
        classes=tuple(str(c + 1) for c in range(len(sizes))),
        description=f"{len(sizes)} planted communities, {mixing:g} of edges between them",
        source="Lancichinetti, Fortunato, Radicchi. Benchmark graphs. Physical Review E 78, 2008",
    )


def community_sizes(
    n: int, communities: tuple[int, int], exponent: float, random: np.random.Generator
) -> Nodes:
    """Draw power-law sizes that sum to n, within bounds where n allows it.

    Examples
    --------
    >>> sizes = community_sizes(1000, (20, 100), 1.5, np.random.default_rng(0))
    >>> int(sizes.sum()), bool(sizes.min() >= 20 and sizes.max() <= 100)
    (1000, True)
    """
    low, high = communities
    drawn = power_law(n // low + 1, exponent=exponent, low=low, high=high, random=random)
    sizes = np.minimum(rounded(drawn, random), high)
    used = int(np.searchsorted(np.cumsum(sizes), n)) + 1
    sizes = sizes[:used]
    sizes[-1] -= sizes.sum() - n
    if sizes[-1] < low and used > 1:
        rest, sizes = int(sizes[-1]), sizes[:-1]
        missing, spare = low - rest, sizes - low
        if (high - sizes).sum() < rest and spare.sum() >= missing:
            left = sizes - random.multivariate_hypergeometric(spare, missing)
            return np.append(left, low)
        for _ in range(rest):
            room = np.flatnonzero(sizes < high)
            sizes[random.choice(room) if len(room) else random.integers(len(sizes))] += 1
    return sizes


def _sizes_that_hold(
    inner: int,
    n: int,
    communities: tuple[int, int],
    exponent: float,
    random: np.random.Generator,
) -> Nodes:
    """Draw sizes, at least one of which has room for a node with that many inner edges."""
    for _ in range(_TRIES):
        sizes = community_sizes(n, communities, exponent, random)
        if sizes.max() > inner:
            return sizes
    raise GraphError(
        f"a node has {inner} edges inside its community, but {_TRIES} draws of sizes gave none "
        f"larger; raise the largest community, {communities[1]}, or lower max_degree"
    )


def _assigned(inner: Nodes, sizes: Nodes, random: np.random.Generator) -> Nodes:
    """Assign each node to a random community with more nodes than its inner degree."""
    nodes = random.permutation(len(inner))
    nodes = nodes[np.argsort(-inner[nodes], kind="stable")]
    largest_first = np.argsort(-sizes, kind="stable")
    groups: Nodes = _placed(nodes, inner, sizes, largest_first, random)
    return groups


@njit(cache=True)
def _placed(
    nodes: Nodes, inner: Nodes, sizes: Nodes, largest_first: Nodes, random: np.random.Generator
) -> Nodes:
    """Assign places to nodes sorted by decreasing inner degree, so that the open places only grow.

    If no place is open, the next smaller community is opened anyway.
    """
    places = np.empty(len(nodes), dtype=np.intp)
    groups = np.empty(len(nodes), dtype=np.intp)
    free = opened = 0
    for node in nodes:
        while opened < len(sizes) and (free == 0 or sizes[largest_first[opened]] > inner[node]):
            group = largest_first[opened]
            places[free : free + sizes[group]] = group
            free += sizes[group]
            opened += 1
        drawn = int(random.random() * free)
        groups[node] = places[drawn]
        free -= 1
        places[drawn] = places[free]
    return groups


def _make_even(inner: Nodes, groups: Nodes, n_groups: int) -> None:
    """Take one inner edge from the first node that has any, where a community's sum is odd."""
    odd = np.bincount(groups, weights=inner, minlength=n_groups) % 2 == 1
    able = np.flatnonzero(odd[groups] & (inner > 0))
    _, first = np.unique(groups[able], return_index=True)
    inner[able[first]] -= 1


def _check(
    n: int, mixing: float, mean_degree: float, max_degree: int, communities: tuple[int, int]
) -> None:
    low, high = communities
    between("mixing", mixing, 0, 1)
    at_least("the smallest community", low, 2)
    at_least("the largest community", high, low)
    at_least("n", n, low)
    at_least("mean_degree", mean_degree, 1)
    between("max_degree", max_degree, mean_degree, n - 1)
    at_least("the largest community (to hold the largest degree)", high, (1 - mixing) * max_degree)
