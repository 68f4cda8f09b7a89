"""Sessions that ask until the target is proven: labels needed, and whether the claim was true."""

from __future__ import annotations

import time
from functools import cache
from typing import Any

import numpy as np

from lapwing import Graph, active, data, make
from lapwing.session import Dialogue
from lapwing.session.store.memory import MemoryStore

TARGETS = {
    "digits": 0.1, "cora": 0.25, "hubs": 0.1, "odd hubs": 0.1, "pubmed": 0.25, "usps": 0.05
}  # fmt: skip
GOALS = {
    ("digits", "pool"): ("mean", 110), ("cora", "pool"): ("mean", 285),
    ("hubs", "pool"): ("median", 150), ("odd hubs", "pool"): ("median", 150),
}  # fmt: skip
"""Labels to need at most."""
ODD = {"hubs": 0.015, "odd hubs": 0.037}
"""The shares of nodes that belong to the other camp than their links."""
RULES: dict[str, dict[str, Any]] = {
    "share": {"audit_share": 0.2},
    "planned": {"audit_share": 0.2, "target_error": None},
}
"""Before: a share of the questions are audits. Now: they are planned for the target."""
MOST = 1000


@cache
def published(name: str) -> data.Dataset:
    """The largest component of a data set."""
    return data.load(name).largest_component()


def hubs(seed: int, *, odd: float, n: int = 1224, mixed: float = 0.15) -> data.Dataset:
    """Two blocks with a few very large hubs; some nodes belong to the block they do not link to.

    Like links between blogs of two camps: 13 times as many edges as nodes, half of the nodes with
    few of them, and about 5% that no neighbour tells.
    """
    rng = np.random.default_rng([seed, 77])
    side = rng.permutation(np.arange(n) < 0.52 * n).astype(np.intp)
    weight = np.minimum(rng.pareto(1.3, n) + 0.15, 12.0)
    weight /= weight.sum()
    edges: set[tuple[int, int]] = set()
    while len(edges) < 12 * n:
        a, b = rng.choice(n, size=(2, 12 * n), p=weight)
        kept = (a != b) & (rng.random(len(a)) < np.where(side[a] == side[b], 1.0, mixed))
        edges |= set(zip(np.minimum(a, b)[kept].tolist(), np.maximum(a, b)[kept].tolist(),
                         strict=True))  # fmt: skip
    graph = Graph.from_edges(sorted(edges))
    labels = np.array([side[name] for name in graph.names])
    labels = np.where(rng.random(len(labels)) < odd, 1 - labels, labels)
    return data.Dataset("hubs", graph, labels, ("left", "right")).largest_component()


def stopped(kind: str, learner: str, rule: str, seed: int) -> dict[str, Any]:
    """One session, answered truly until its target is proven; what it took and claimed."""
    found = hubs(seed, odd=ODD[kind]) if kind in ODD else published(kind)
    graph, labels, target = found.graph, np.asarray(found.labels), TARGETS[kind]
    header = {key: target if value is None else value for key, value in RULES[rule].items()}
    session = Dialogue.create(
        MemoryStore(), kind, graph, classes=[str(name) for name in range(int(labels.max()) + 1)],
        header={"seed": seed, **header}, make_learner=lambda: make(learner, graph),
        make_strategy=lambda known: active.strategy("representative", graph, known, seed=seed),
    )  # fmt: skip
    began, proven = time.process_time(), False
    while not proven and len(session.state.labels) < MOST:
        question = session.ask()
        if question is None:
            break
        session.tell(question.node, str(labels[question.node]))
        proven = question.audit and session.error_estimate().below(target)
    left = np.flatnonzero(session.labels < 0)
    wrong = int((session.learner.predict(left) != labels[left]).sum())
    return {
        "graph": kind, "rule": rule, "learner": learner, "seed": seed, "target": target,
        "proven": proven, "labels": len(session.state.labels), "audits": len(session.state.audits),
        "errors": sum(session.state.audits), "bound": session.error_estimate().overall,
        "true": wrong / graph.n_nodes, "s": round(time.process_time() - began, 2),
    }  # fmt: skip
