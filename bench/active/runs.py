"""One run: which nodes a strategy asked, and how well predictors do on the held-out half then."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bench.active.ours import JUDGE, OURS
from bench.active.rivals import RIVALS, SMALL, TOO_LARGE, logistic, poisson, rows_of
from lapwing import data, make

RUNS = Path("bench/out/active.jsonl")
STRATEGIES = OURS | RIVALS
GRAPHS = ("cora", "coauthor", "citeseer", "pubmed", "usps", "movies")
CURVE = (10, 20, 35, 50, 75, 100, 150, 200)
BUDGETS = (20, 50, 100, 200)
PREDICTORS = ("walks", "blend", "own")


def problem(name: str) -> data.Dataset:
    """The graph's largest component: GraphLearning divides by the degree of every node."""
    return data.load(name).largest_component()


def affordable(strategy: str, found: data.Dataset) -> bool:
    """Whether a strategy can be run on a graph of this size."""
    return found.graph.n_nodes <= TOO_LARGE.get(strategy, found.graph.n_nodes)


def halves(found: data.Dataset, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The nodes that are never asked and judge every strategy, and those that may be asked."""
    order = np.random.default_rng(seed).permutation(np.flatnonzero(np.asarray(found.labels) >= 0))
    return order[: len(order) // 2], np.sort(order[len(order) // 2 :])


def asked_by(strategy: str, found: data.Dataset, seed: int) -> tuple[list[int], float]:
    """The first 200 nodes a strategy asks of a pool, and its seconds per question."""
    labels, (_, pool) = np.asarray(found.labels), halves(found, seed)
    start, asked = time.perf_counter(), []
    for node in STRATEGIES[strategy](found.graph, labels, pool, seed):
        asked.append(node)
        if len(asked) == CURVE[-1]:
            break
    if len(set(asked)) < CURVE[-1] or not np.isin(asked, pool).all():
        raise AssertionError(f"{strategy} asked a node twice, or one it may not ask")
    return asked, (time.perf_counter() - start) / len(asked)


def guesses(predictor: str, strategy: str, found: data.Dataset, known: list[int]) -> np.ndarray:
    """A batch predictor's class of every node; "own": the one a rival's library would take."""
    graph, labels = found.graph, np.asarray(found.labels)
    if predictor in ("walks", "blend"):
        name = "pagerank" if predictor == "walks" else "blend"
        model = make(name, graph, n_classes=found.n_classes).fit(known, labels[known])
        return model.predict(np.arange(graph.n_nodes))
    if strategy.startswith("GL"):
        return np.asarray(poisson(graph)[0].fit_predict(np.array(known), labels[known]))
    told = np.full(graph.n_nodes, np.nan)
    told[known] = labels[known]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.asarray(logistic(labels).fit(rows_of(graph), told).predict(rows_of(graph)))


def accuracies(
    predictor: str, strategy: str, found: data.Dataset, asked: list[int], seed: int
) -> list[float]:
    """A predictor's accuracy on the held-out half at every budget."""
    labels, (held, _) = np.asarray(found.labels), halves(found, seed)
    budgets = CURVE if predictor == "walks" else BUDGETS
    if predictor == "own" and strategy in OURS:
        answers = _session_guesses(found, asked, budgets)
    else:
        answers = (guesses(predictor, strategy, found, asked[:b]) for b in budgets)
    return [float((answer[held] == labels[held]).mean()) for answer in answers]


def _session_guesses(
    found: data.Dataset, asked: list[int], budgets: tuple[int, ...]
) -> Iterator[np.ndarray]:
    """What `near-far` says at every budget, told one label after the other."""
    learner = make(JUDGE, found.graph)
    for count, node in enumerate(asked, start=1):
        learner.learn(node, int(found.labels[node]))
        if count in budgets:
            yield learner.predict(np.arange(found.graph.n_nodes))


def run(graph: str, strategy: str, seed: int, found: data.Dataset) -> dict[str, Any]:
    """Ask, then predict: one line of the results."""
    asked, seconds = asked_by(strategy, found, seed)
    accuracy = {
        predictor: accuracies(predictor, strategy, found, asked, seed)
        for predictor in PREDICTORS
        if predictor != "blend" or found.graph.n_nodes <= SMALL
    }
    return {
        "graph": graph, "strategy": strategy, "seed": seed, "ms": round(1000 * seconds, 2),
        "accuracy": accuracy, "asked": asked,
    }  # fmt: skip


def stored(path: Path) -> list[dict[str, Any]]:
    """The runs done so far; a line cut short by an interruption is done again."""
    lines = path.read_text().splitlines() if path.exists() else []
    return list(_whole(lines))


def _whole(lines: list[str]) -> Iterator[dict[str, Any]]:
    for line in lines:
        try:
            yield json.loads(line)
        except json.JSONDecodeError:
            continue
