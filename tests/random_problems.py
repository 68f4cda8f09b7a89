"""Small random graphs, labellings, orders and noise, for theorems that must always hold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from lapwing import Graph

CASES = settings(max_examples=500, deadline=None)
"""How often each theorem is tried."""


@dataclass(frozen=True)
class RandomProblem:
    """A connected weighted graph, a labelling of it, and a generator for more of the same."""

    graph: Graph
    u: np.ndarray
    rng: np.random.Generator

    @property
    def n(self) -> int:
        return self.graph.n_nodes

    def laplacian(self) -> np.ndarray:
        return np.diag(self.graph.degrees) - self.graph.adjacency.toarray()

    def kernel(self, bias: float = 0.0, c: float = 0.0) -> np.ndarray:
        plus = np.linalg.pinv(self.laplacian(), hermitian=True)
        return plus + bias + c * np.eye(self.n)

    def order(self, *, repeats: bool = False) -> np.ndarray:
        if repeats:
            return self.rng.integers(0, self.n, size=3 * self.n)
        return self.rng.permutation(self.n)


@st.composite
def problems(draw, most: int = 10):
    """Trees, cycles and denser graphs; unit or wild weights; smooth, random or lopsided labels."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(3, most))
    extra = draw(st.integers(0, 2 * n))
    tree = [(i, int(rng.integers(0, i))) for i in range(1, n)]
    more = [tuple(rng.choice(n, 2, replace=False).tolist()) for _ in range(extra)]
    edges = {tuple(sorted(edge)) for edge in tree + more}
    wild = draw(st.booleans())
    weights = np.exp(rng.normal(0, 1.5, len(edges))) if wild else np.ones(len(edges))
    graph = Graph.from_edges(np.array(sorted(edges)), weights=weights, names=range(n))
    kind = draw(st.sampled_from(["random", "smooth", "lopsided"]))
    if kind == "random":
        u = rng.choice([-1, 1], n)
    elif kind == "smooth":
        values = np.linalg.eigh(np.diag(graph.degrees) - graph.adjacency.toarray())[1][:, 1]
        u = np.where(values > np.median(values), 1, -1)
    else:
        u = np.ones(n, dtype=int)
        u[rng.integers(0, n)] = -1
    return RandomProblem(graph, u.astype(np.intp), rng)


def play_worst(learner, labels: np.ndarray) -> list[int]:
    """Each node once, next the one with the worst margin: the greedy adversary's order."""
    left = list(range(len(labels)))
    order = []
    while left:
        margins = learner.margin(np.array(left)) * labels[left]
        node = left.pop(int(np.argmin(margins)))
        order.append(node)
        learner.learn(node, int(labels[node]))
    return order
