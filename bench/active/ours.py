"""lapwing's own strategies, each with the learner that `lapwing label` would give it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from lapwing import Graph, active, make

JUDGE = "near-far"
"""The learner whose predictions judge our strategies: the graph alone, as for all others."""
Asker = Callable[[Graph, np.ndarray, np.ndarray, int], Iterator[int]]
"""Nodes to ask about, from the graph, all labels (for answers), the pool, and a seed."""


def by(name: str, *, learns: bool = False) -> Asker:
    """One of lapwing's strategies, with the default learner where it reads one."""

    def ask(graph: Graph, labels: np.ndarray, pool: np.ndarray, seed: int) -> Iterator[int]:
        known: dict[int, int] = {}
        strategy = active.strategy(name, graph, known, seed=seed)
        model = make(JUDGE, graph) if learns else None
        left = pool.copy()
        while len(left):
            node = int(strategy(model, left))
            yield node
            left = left[left != node]
            known[node] = int(labels[node])
            if model is not None:
                model.learn(node, known[node])

    return ask


OURS: dict[str, Asker] = {
    "uncertain-reach": by("uncertain-reach"),
    "random": by("random"),
    "margin": by("margin", learns=True),
    "entropy": by("entropy", learns=True),
    "vopt": by("vopt"),
    "sigma-opt": by("sigma-opt"),
    "error-bound": by("error-bound"),
    "model-change": by("model-change", learns=True),
    "expected-error": by("expected-error"),
}
