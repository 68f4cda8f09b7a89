"""Nodes that arrive in 20 steps: following them against computing everything again."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from bench import peers
from bench.arrivals.clock import cpu
from lapwing import Graph, data, make
from lapwing.errors import MissingExtraError
from lapwing.types import UNKNOWN

STEPS, TOLD, SEED = 20, 0.05, 0
GROWING = {"push-lgc": range(1, STEPS + 1), "near-far": range(3, STEPS + 1, 5)}
"""Learners, and the steps at which everything is computed again; they are as late on average."""
AT_ONCE = ("push-lgc",)
"""Learners that can be told all labels at once."""
OTHERS = ("scikit-network PageRank", "GraphLearning Poisson")
SLOW = ("GraphLearning Poisson",)
"""Run at the last step only."""


def in_order(name: str) -> tuple[Graph, np.ndarray]:
    """A graph whose nodes are numbered in the order in which they arrive, and its labels."""
    found = data.load(name)
    found = found if name == "movies" else found.largest_component()
    order = np.arange(found.graph.n_nodes)
    if name == "movies":
        years = [int(re.findall(r"\((\d{4})", str(title))[-1]) for title in found.graph.names]
        order = np.argsort(years, kind="stable")
    sources, targets, weights = found.graph.subgraph(order).edges()
    return part_of((sources, targets, weights), len(order)), np.asarray(found.labels)[order]


def part_of(edges: tuple[np.ndarray, np.ndarray, np.ndarray], n: int) -> Graph:
    """The graph of the first n nodes."""
    sources, targets, weights = edges
    there = np.maximum(sources, targets) < n
    return Graph.from_edges(
        (sources[there], targets[there]), weights=weights[there], names=range(n)
    )


def accuracy(guesses: np.ndarray, labels: np.ndarray, hidden: np.ndarray) -> float:
    return float((guesses[hidden] == labels[hidden]).mean())


def steps(name: str, methods: Collection[str] = (*GROWING, *OTHERS), seed: int = SEED) -> list[str]:
    """One row per method: 20 steps on one graph."""
    whole, labels = in_order(name)
    n, k = whole.n_nodes, int(labels.max()) + 1
    told = (np.random.default_rng(seed).random(n) < TOLD) & (labels != UNKNOWN)
    cuts = np.linspace(n // 2, n, STEPS + 1).astype(int)
    edges = whole.edges()
    sources, targets, weights = edges
    late = np.maximum(sources, targets)
    rows: dict[str, list[list[float]]] = {each: [] for each in methods}
    now = part_of(edges, int(cuts[0]))
    growing = {each: taught(each, now, labels, np.flatnonzero(told[: cuts[0]]), k)
               for each in methods if each in GROWING}  # fmt: skip
    for step, (low, high) in enumerate(pairwise(cuts.tolist()), start=1):
        came = (late >= low) & (late < high)
        ends = sources[came], targets[came]
        arrived, known = np.flatnonzero(told[low:high]) + low, np.flatnonzero(told[:high])
        every, hidden = np.arange(high), ~told[:high] & (labels[:high] != UNKNOWN)
        now, added = cpu(partial(grown, now, range(low, high), ends, weights[came]))
        for each, learner in growing.items():
            _, spent = cpu(partial(follow, learner, now, labels, arrived, every[low:]))
            right = accuracy(learner.predict(every), labels[:high], hidden)
            found = [right, np.nan, spent + added, np.nan, np.nan]
            if step in GROWING[each]:
                anew, found[3] = cpu(partial(again_from, each, edges, labels, known, high, k))
                found[1] = accuracy(anew.predict(every), labels[:high], hidden)
                if each in AT_ONCE:
                    found[4] = cpu(partial(fitted, each, edges, labels, known, high, k))[1]
            rows[each].append(found)
            print(name, step, each, *(f"{value:.4f}" for value in found), file=sys.stderr)
        for each in methods:
            if each in GROWING or (each in SLOW and step < STEPS):
                continue
            guesses, again = cpu(partial(guessed_by, each, now, labels, known, k))
            if guesses is not None:
                found = accuracy(guesses, labels[:high], hidden)
                rows[each].append([found, found, np.nan, again, np.nan])
    return [row_of(name, n, each, np.array(found)) for each, found in rows.items() if found]


def load_compiled() -> None:
    """Follow a small graph once, so that compiled code is loaded."""
    found = data.planted_partition(n=400, mean_degree=6)
    labels, edges = np.asarray(found.labels), found.graph.edges()
    for each in GROWING:
        learner = taught(each, part_of(edges, 300), labels, np.arange(0, 300, 9), found.n_classes)
        follow(learner, part_of(edges, 400), labels, np.array([310]), np.arange(300, 400))


def taught(method: str, graph: Graph, labels: np.ndarray, known: np.ndarray, k: int) -> Any:
    """A learner on a graph that has learned some labels and predicted every node."""
    learner = make(method, graph, n_classes=k)
    for node in known.tolist():
        learner.learn(node, int(labels[node]))
    learner.predict(np.arange(graph.n_nodes))
    return learner


def grown(graph: Graph, nodes: range, ends: Any, weights: np.ndarray) -> Graph:
    """The graph with the nodes and edges of a step."""
    return graph.with_nodes(nodes).with_edges(ends, weights)


def follow(
    learner: Any, graph: Graph, labels: np.ndarray, arrived: np.ndarray, new: np.ndarray
) -> None:
    """Follow a step: the graph, the labels that came with it, and predictions of its nodes."""
    learner.grow(graph)
    for node in arrived.tolist():
        learner.learn(node, int(labels[node]))
    learner.predict(new)


def again_from(
    method: str, edges: Any, labels: np.ndarray, known: np.ndarray, high: int, k: int
) -> Any:
    """Everything anew: the graph, the learner on it and all labels, one after the other."""
    return taught(method, part_of(edges, high), labels, known, k)


def fitted(
    method: str, edges: Any, labels: np.ndarray, known: np.ndarray, high: int, k: int
) -> None:
    """Everything anew, told all labels at once: no guess before any of them."""
    learner = make(method, part_of(edges, high), n_classes=k)
    learner.fit(known, labels[known])
    learner.predict(np.arange(high))


def guessed_by(
    peer: str, graph: Graph, labels: np.ndarray, known: np.ndarray, k: int
) -> np.ndarray | None:
    """Another library's guesses from scratch; it gets the nodes that have edges."""
    joined = np.flatnonzero(graph.degrees > 0)
    place = np.full(graph.n_nodes, -1)
    place[joined] = np.arange(len(joined))
    there = known[place[known] >= 0]
    try:
        found = peers.PEERS[peer](graph.subgraph(joined), place[there], labels[there], k)[0]
    except MissingExtraError:
        return None
    guesses = np.full(graph.n_nodes, UNKNOWN)
    guesses[joined] = np.asarray(found)
    return guesses


def row_of(name: str, n: int, method: str, found: np.ndarray) -> str:
    """A line of the table; times are means over the steps.

    `found` holds accuracy, accuracy again, CPU seconds, those again, and with labels at once.
    """
    ours, again, spent, full, at_once = found.T
    own, compared = method in GROWING, ~np.isnan(full)
    gap = f"{100 * max(np.nanmax(again - ours), 0.0):.2f}" if own else ""
    less = f"{full[compared].mean() / spent.mean():.0f}" if own else ""
    follow = f"{1000 * spent.mean():.1f}" if own else ""
    quick = f"{1000 * at_once.mean():.1f}" if method in AT_ONCE else ""
    label = method if own else f"{method}, from scratch"
    return (
        f"| {name} | {n:,} | {label} | {100 * ours[-1]:.1f} | {gap} | {compared.sum()} | "
        f"{follow} | {1000 * full[compared].mean():.1f} | {less} | {quick} |"
    )
