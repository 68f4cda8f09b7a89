"""Small weighted graphs for property tests, connected or not."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from lapwing.graph import Graph


@st.composite
def weighted_graphs(draw):
    """Two to fourteen nodes, at least one edge, weights between 0.1 and 10."""
    n = draw(st.integers(2, 14))
    pairs = [(i, j) for i in range(n) for j in range(i)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, min_size=1))
    weights = draw(st.lists(st.floats(0.1, 10.0), min_size=len(chosen), max_size=len(chosen)))
    return Graph.from_edges(np.array(chosen), weights=weights, names=range(n))


def sparse_graph(n: int, m: int, seed: int) -> Graph:
    """Up to m edges between n nodes drawn at random, connected or not."""
    ends = np.random.default_rng(seed).integers(0, n, (m, 2))
    return Graph.from_edges(ends[ends[:, 0] != ends[:, 1]], names=range(n))
