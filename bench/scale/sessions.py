"""Sessions whose teacher knows the truth."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import lapwing
from bench.scale.timing import Found, peak, row, spent
from lapwing import Graph

ATTRIBUTES = 128


def session(graph: Graph, labels: np.ndarray, seed: int, labelled: int) -> dict[str, Any]:
    """A session whose teacher knows the truth: accuracy, first question, next questions."""
    hidden = np.random.default_rng(seed).permutation(graph.n_nodes)[:20_000]
    opened: list[lapwing.Session] = []

    def begin() -> None:
        opened.append(lapwing.Session(graph, classes=range(10), seed=seed))
        opened[0].ask()

    begun = spent(begin)
    held, taken, right = opened[0], [], {}
    question = held.ask()
    for count in range(1, labelled + 1):
        held.tell(question.node, labels[question.node])
        if count in (50, 200, 1_000):
            said = held.dialogue.learner.predict(hidden)
            right[count] = float(np.mean(said == labels[hidden]))
        start = time.process_time()
        question = held.ask()
        taken.append(time.process_time() - start)
    works = [row("first question of a session", begun)]
    works.append(row("predictions of a session", spent(held.predictions)))
    asked = taken[:200]
    return {
        "first": begun[0], "right": right, "peak": peak(), "works": works,
        "median": float(np.median(asked)), "p99": float(np.quantile(asked, 0.99)),
    }  # fmt: skip


def attributes(graph: Graph, labels: np.ndarray, seed: int) -> Found:
    """A session of 20 labels where every node has 128 numbers in single precision."""
    random = np.random.default_rng(seed)
    centres = random.standard_normal((10, ATTRIBUTES), dtype=np.float32)
    numbers = random.standard_normal((graph.n_nodes, ATTRIBUTES), dtype=np.float32)
    for label in range(10):
        numbers[labels == label] += centres[label] / 2
    described, said = graph.with_node_table({"numbers": numbers}), []
    del numbers

    def label() -> None:
        held = lapwing.Session(described, classes=range(10), seed=seed)
        for _ in range(20):
            question = held.ask()
            held.tell(question.node, labels[question.node])
        said.append(held.predictions().columns["label"])

    took = spent(label)
    right = np.mean(np.array([-1 if each is None else int(each) for each in said[0]]) == labels)
    what = f"session, {ATTRIBUTES} attributes, 20 labels"
    return [row(what, took, right=float(right))]
