"""One run of finding: how many of 100 questions hit the positive class, by strategy."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from bench.active.rivals import RIVALS, SMALL, logistic, poisson, rows_of
from lapwing import Graph, active, data, make
from lapwing.active import ActiveSearch

QUESTIONS = 100


class Pair(NamedTuple):
    """A graph and one of its classes, by its size in the largest component."""

    graph: str
    size: int

    def __str__(self) -> str:
        return f"{self.graph} {self.size}"


PAIRS = (
    Pair("cora", 214), Pair("cora", 131), Pair("citeseer", 115), Pair("pubmed", 4103),
    Pair("pubmed", 7875), Pair("amazon-photo", 331),
)  # fmt: skip
"""The classes of which results are reported."""


@cache
def problem(pair: Pair) -> tuple[Graph, np.ndarray]:
    """The largest component of a graph, and which of its nodes are positive."""
    found = data.load(pair.graph).largest_component()
    (label,) = np.flatnonzero(found.class_sizes() == pair.size)
    return found.graph, np.asarray(found.labels) == label


Asker = Callable[[Graph, np.ndarray, int, int], Iterator[int]]
"""Nodes to ask about, from the graph, what is positive (for answers), a known node and a seed."""


def searching(
    graph: Graph, positive: np.ndarray, start: int, seed: int, *, attributes: bool, ahead: int
) -> Iterator[int]:
    """lapwing's search, greedy or looking ahead, from the graph alone or with attributes."""
    known = {start: 1}
    ask = ActiveSearch(
        graph, known, positive=[1], columns={} if attributes else None, ahead=ahead, seed=seed
    )
    left = np.delete(np.arange(graph.n_nodes), start)
    while len(left):
        node = ask(None, left)
        yield node
        left = left[left != node]
        known[node] = int(positive[node])


def usual(
    graph: Graph, positive: np.ndarray, start: int, seed: int, *, name: str, learns: bool = False
) -> Iterator[int]:
    """A strategy that is meant to lower the error of all predictions."""
    known = {start: 1}
    ask = active.strategy(name, graph, known, seed=seed)
    learner = make("near-far", graph, n_classes=2) if learns else None
    if learner is not None:
        learner.learn(start, 1)
    left = np.delete(np.arange(graph.n_nodes), start)
    while len(left):
        node = int(ask(learner, left))
        yield node
        left = left[left != node]
        known[node] = int(positive[node])
        if learner is not None:
            learner.learn(node, known[node])


def rival(graph: Graph, positive: np.ndarray, start: int, seed: int, *, name: str) -> Iterator[int]:
    """A strategy of another library, which is given one negative node besides."""
    asked = RIVALS[name](graph, positive.astype(np.intp), np.arange(graph.n_nodes), seed)
    given = {next(asked), next(asked)} | {start}
    yield from (node for node in asked if node not in given)


def likeliest(
    graph: Graph, positive: np.ndarray, start: int, seed: int, *, library: str
) -> Iterator[int]:
    """Greed with the predictor of another library, which is given one negative node besides."""
    labels, rng = positive.astype(np.intp), np.random.default_rng(seed)
    known = [start, int(rng.choice(np.flatnonzero(~positive)))]
    left = np.setdiff1d(np.arange(graph.n_nodes), known)
    while len(left):
        if library == "GL":
            scores = poisson(graph)[0].fit(np.array(known), labels[known])[:, 1]
        else:
            told = np.full(graph.n_nodes, np.nan)
            told[known] = labels[known]
            scores = logistic(labels).fit(rows_of(graph), told).predict_proba(rows_of(graph))[:, 1]
        node = int(left[np.argmax(scores[left])])
        yield node
        known.append(node)
        left = left[left != node]


STRATEGIES: dict[str, Asker] = {
    "random": partial(usual, name="random"),
    "uncertain-reach": partial(usual, name="uncertain-reach"),
    "margin": partial(usual, name="margin", learns=True),
    "GL margin": partial(rival, name="GL margin"),
    "AML margin": partial(rival, name="AML margin"),
    "GL greedy": partial(likeliest, library="GL"),
    "AML greedy": partial(likeliest, library="AML"),
    "greedy, graph": partial(searching, attributes=False, ahead=0),
    "look-ahead, graph": partial(searching, attributes=False, ahead=40),
    "greedy, attributes": partial(searching, attributes=True, ahead=0),
    "look-ahead, attributes": partial(searching, attributes=True, ahead=40),
}


def fits(strategy: str, graph: Graph) -> bool:
    """Whether a strategy has what it needs: attributes, its library, a graph of its size."""
    if "attributes" in strategy:
        return len(graph.node_table) > 0
    library = {"GL": "graphlearning", "AML": "skactiveml"}.get(strategy.split(" ")[0])
    if library is not None and find_spec(library) is None:
        return False
    return strategy != "GL margin" or graph.n_nodes <= SMALL


def run(pair: Pair, strategy: str, seed: int) -> dict[str, Any]:
    """Ask 100 questions from one known positive node: one line of the results."""
    graph, positive = problem(pair)
    start = int(np.random.default_rng(seed).choice(np.flatnonzero(positive)))
    began, hits = time.process_time(), 0
    for _, node in zip(
        range(QUESTIONS), STRATEGIES[strategy](graph, positive, start, seed), strict=False
    ):
        hits += int(positive[node])
    return {
        "graph": pair.graph, "size": pair.size, "strategy": strategy, "seed": seed, "hits": hits,
        "ms": round(1000 * (time.process_time() - began) / QUESTIONS, 2),
    }  # fmt: skip
