"""A two-dimensional layout of a graph."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy import sparse

from lapwing.embed.cache import RowCache
from lapwing.embed.drawing.forces import relaxed, spaced
from lapwing.embed.drawing.levels import Level, graph_levels
from lapwing.embed.drawing.packing import discs, outline, ring_centres
from lapwing.graph import Graph
from lapwing.types import Array, Nodes

VERSION = 2
"""Part of the key in a cache; another number makes layouts anew."""
OWN_LAYOUT = 12
"""Smaller components are drawn as discs of dots, without forces."""
MOST_LAYOUTS = 60
"""So many components at most are laid out by forces, the largest ones."""
WORK = 20_000_000
"""Edges to move per level, over all rounds; the number of rounds follows from it."""


def layout(graph: Graph, *, seed: int = 0) -> Array:
    """Return two coordinates per node: neighbours attract, other nodes repel.

    The largest component is laid out first: its nodes are merged level by level, the coarsest level
    is arranged, and each finer level starts from the places of the coarser one (Walshaw 2003). The
    forces are 1/(1 + distance^2), which keeps clusters apart, against random other nodes, so a
    round costs O(edges); large graphs get fewer rounds. The result is turned to be wide rather than
    high. Small components are packed around the large one. Coordinates lie between -1 and 1, a few
    stray nodes are drawn nearer. The same seed gives the same layout.

    References
    ----------
    Walshaw, "A multilevel algorithm for force-directed graph-drawing", Journal of Graph Algorithms
    and Applications 7 (2003).

    Examples
    --------
    >>> triangles = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)]
    >>> places = layout(Graph.from_edges(triangles))
    >>> near = np.linalg.norm(places[0] - places[1])
    >>> far = np.linalg.norm(places[0] - places[5])
    >>> places.shape, bool(near < far)
    ((6, 2), True)
    """
    *_, (_, places) = layout_stages(graph, seed=seed)
    return places


def cached_layout(graph: Graph, cache: RowCache, *, seed: int = 0) -> Array:
    """Return the layout kept in a cache, or compute and keep it.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> graph = Graph.from_edges([(0, 1), (1, 2)])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     cache = RowCache(Path(folder))
    ...     first, again = cached_layout(graph, cache), cached_layout(graph, cache)
    >>> bool((first == again).all())
    True
    """
    key = layout_key(graph, seed=seed)
    kept = cache.load(key)
    if kept is None:
        kept = layout(graph, seed=seed)
        cache.store(key, kept)
    return kept


def layout_key(graph: Graph, *, seed: int = 0) -> str:
    """Return the key of a graph's layout in a cache."""
    return f"layout {VERSION} of {graph.hash}, seed {seed}"


def layout_stages(graph: Graph, *, seed: int = 0) -> Iterator[tuple[float, Array]]:
    """Yield the layout as it gets better: the share of the work done, and two coordinates per node.

    The last one is `layout`'s. On large graphs the first comes early, so it can be shown.

    Examples
    --------
    >>> stages = list(layout_stages(Graph.from_edges([(k, k + 1) for k in range(2000)])))
    >>> [round(share, 1) for share, _ in stages][-1], all(p.shape == (2001, 2) for _, p in stages)
    (1.0, True)
    """
    if graph.n_nodes == 0:
        yield 1.0, np.zeros((0, 2))
        return
    sizes = np.bincount(graph.components)
    ranked = np.argsort(-sizes, kind="stable")
    core = np.flatnonzero(graph.components == ranked[0])
    around = _Surroundings(graph, sizes, ranked, seed)
    adjacency = sparse.csr_array(graph.adjacency)
    whole = len(core) == graph.n_nodes
    part = adjacency if whole else sparse.csr_array(adjacency[core][:, core])
    for share, places in _component_stages(part, seed):
        yield share, around.completed(core, _settled(places))


class _Surroundings:
    """The components other than the largest, each laid out for itself."""

    def __init__(self, graph: Graph, sizes: Nodes, ranked: Nodes, seed: int) -> None:
        self.n_nodes, self.sizes = graph.n_nodes, sizes[ranked[1:]]
        place = np.empty(len(sizes), dtype=np.intp)
        place[ranked] = np.arange(len(sizes))
        order = np.argsort(place[graph.components], kind="stable")
        self.nodes = order[sizes[ranked[0]] :]
        self.shapes = discs(self.sizes, 1.0) if len(self.sizes) else np.zeros((0, 2))
        start = 0
        for size in self.sizes[:MOST_LAYOUTS].tolist():
            if size < OWN_LAYOUT:
                break
            members = self.nodes[start : start + size]
            part = sparse.csr_array(graph.adjacency)[members][:, members]
            *_, (_, places) = _component_stages(sparse.csr_array(part), seed)
            settled = _settled(places)
            reach = max(float(np.abs(settled).max()), 1e-9)
            self.shapes[start : start + size] = settled * (np.sqrt(size) / reach)
            start += size

    def completed(self, core: Nodes, places: Array) -> Array:
        """Return all nodes' places, from those of the largest component, between -1 and 1."""
        found = np.zeros((self.n_nodes, 2))
        reach = max(float(np.hypot(*places.T).max()), 1e-9)
        found[core] = places / reach
        if len(self.sizes):
            unit = 0.55 / np.sqrt(max(len(core), 1))
            centres = ring_centres(unit * np.sqrt(self.sizes), outline(found[core]), unit)
            found[self.nodes] = np.repeat(centres, self.sizes, axis=0) + unit * self.shapes
        return np.asarray(found / max(float(np.abs(found).max()), 1e-12))


def _component_stages(adjacency: sparse.csr_array, seed: int) -> Iterator[tuple[float, Array]]:
    """Yield the places of a connected graph's nodes after each level, and those of the finest."""
    rng = np.random.default_rng(seed)
    levels = graph_levels(adjacency, rng)
    costs = [_rounds(level.adjacency) * level.adjacency.nnz for level in levels]
    done = 0.0
    places = rng.standard_normal((levels[-1].adjacency.shape[0], 2)).astype(np.float32)
    places *= np.float32(0.5 * np.sqrt(len(places)))
    for number in range(len(levels) - 1, -1, -1):
        level, first = levels[number], number == len(levels) - 1
        if not first:
            groups = level.groups
            assert groups is not None
            growth = np.sqrt(len(groups) / len(places))
            jitter = rng.standard_normal((len(groups), 2)) * 0.3
            places = (growth * places[groups] + jitter).astype(np.float32)
        _move(places, level.adjacency, first=first, last=number == 0, seed=seed)
        done += costs[number]
        yield done / max(sum(costs), 1), _unmerged(places, levels[:number])


def _move(
    places: np.ndarray, adjacency: sparse.csr_array, *, first: bool, last: bool, seed: int
) -> None:
    upper = sparse.triu(adjacency, k=1).tocoo()
    if upper.nnz == 0:
        return
    ends = np.ascontiguousarray(np.stack([upper.row, upper.col], axis=1).astype(np.int64))
    pulls = np.minimum(upper.data / np.median(upper.data), 3.0).astype(np.float32)
    relaxed(places, ends, pulls, _rounds(adjacency), 1.0 if first else 0.5, 0.05, seed)
    if last:
        wide, high = np.ptp(np.quantile(places, [0.02, 0.98], axis=0), axis=0)
        usual = float(np.sqrt(wide * high / len(places)))
        spaced(places, float(np.clip(usual, 1e-3, 0.35)), 12, seed)


def _rounds(adjacency: sparse.csr_array) -> int:
    """Return the number of rounds for a level: many if it is small, few if it is large."""
    return int(np.clip(WORK / max(adjacency.nnz, 1), 12, 200))


def _unmerged(places: np.ndarray, finer: list[Level]) -> Array:
    """Return a place for each node of the finest level: that of its group."""
    for level in reversed(finer):
        assert level.groups is not None
        places = places[level.groups]
    return np.asarray(places, dtype=np.float64)


def _settled(places: Array) -> Array:
    """Centre and turn the places; draw strays closer, so that they do not shrink the rest."""
    places = _turned(places - np.median(places, axis=0))
    distance = np.maximum(np.hypot(*places.T), 1e-12)
    usual = max(float(np.quantile(distance, 0.97)), 1e-12)
    beyond = np.maximum(distance / usual - 1.0, 0.0)
    wanted = np.where(beyond > 0, usual * (1.0 + 0.15 * (1.0 - np.exp(-3.0 * beyond))), distance)
    return np.asarray(places * (wanted / distance)[:, None])


def _turned(places: Array) -> Array:
    """Turn the places so that they are wide rather than high, as screens are."""
    _, axes = np.linalg.eigh(places.T @ places)
    longest = axes[:, 1] * (1.0 if axes[0, 1] >= 0 else -1.0)
    across = np.array([-longest[1], longest[0]])
    return np.asarray(places @ np.stack([longest, across], axis=1))
