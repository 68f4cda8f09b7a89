"""One run: nodes asked in some order, and accuracies on the half that is never asked."""

from __future__ import annotations

import time
from functools import lru_cache, partial
from itertools import islice
from typing import Any

import numpy as np

from bench.active.runs import halves
from bench.attributes.rivals import ASKS, RIVALS
from bench.attributes.split import BUDGETS
from lapwing import Graph, active, data, make
from lapwing.session.log.auditing.estimates import AUDIT_SHARE
from lapwing.session.log.dialogue import Dialogue
from lapwing.session.opening.parts import STRATEGY
from lapwing.session.store.memory import MemoryStore

LEARNERS = ("pool", "pool without attributes", "near-far")


@lru_cache(maxsize=1)
def problem(name: str) -> data.Dataset:
    return data.load(name).largest_component()


def budgets_of(found: data.Dataset) -> list[int]:
    """The budgets that fit into the half that may be asked."""
    return [b for b in BUDGETS if b <= found.graph.n_nodes // 2]


def learner_on(name: str, graph: Graph) -> Any:
    if name == "near-far":
        return make("near-far", graph)
    return make("pool", graph, use=() if name.endswith("without attributes") else None)


@lru_cache(maxsize=4)
def asked_by_session(found: data.Dataset, seed: int, learner: str) -> tuple[list[int], list[Any]]:
    """Nodes as a session asks them: audits at random, more where neighbours differ; and accuracies.

    The second part is the accuracy at each budget, then the CPU seconds of all of it.
    """
    labels, (held, _) = np.asarray(found.labels), halves(found, seed)
    start, graph = time.process_time(), found.graph
    dialogue = Dialogue.create(
        MemoryStore(),
        "bench",
        graph,
        make_learner=partial(learner_on, learner, graph),
        make_strategy=lambda known: active.strategy(STRATEGY, graph, known, seed=seed),
        classes=[str(k) for k in range(found.n_classes)],
        header={"audit_share": AUDIT_SHARE, "seed": seed, "forbidden": held.tolist()},
    )
    budgets, asked, accuracy = budgets_of(found), list[int](), list[Any]()
    for count in range(1, budgets[-1] + 1):
        question = dialogue.ask()
        assert question is not None
        dialogue.tell(question.node, str(labels[question.node]))
        asked.append(question.node)
        if count in budgets:
            accuracy.append(float((dialogue.learner.predict(held) == labels[held]).mean()))
    return asked, [*accuracy, time.process_time() - start]


def told_in_order(
    found: data.Dataset, seed: int, learner: str, asked: list[int]
) -> tuple[list[float], float]:
    """Accuracies at each budget of a learner that is told these nodes, and its CPU seconds."""
    labels, (held, _) = np.asarray(found.labels), halves(found, seed)
    budgets, start, accuracy = budgets_of(found), time.process_time(), list[float]()
    if learner in RIVALS:
        for count in budgets:
            guesses = RIVALS[learner](found, np.array(asked[:count]))
            accuracy.append(float((guesses[held] == labels[held]).mean()))
        return accuracy, time.process_time() - start
    model = learner_on(learner, found.graph)
    for count, node in enumerate(asked[: budgets[-1]], start=1):
        model.learn(node, int(labels[node]))
        if count in budgets:
            accuracy.append(float((model.predict(held) == labels[held]).mean()))
    return accuracy, time.process_time() - start


def random_order(found: data.Dataset, seed: int) -> list[int]:
    _, pool = halves(found, seed)
    return [int(node) for node in np.random.default_rng([seed, 1]).permutation(pool)[: BUDGETS[-1]]]


def asked_for(found: data.Dataset, seed: int, order: str, learner: str) -> tuple[list[int], float]:
    """The nodes whose labels a rival gets, and the CPU seconds if it chose them itself."""
    if order == "random":
        return random_order(found, seed), 0.0
    if learner not in ASKS:
        return asked_by_session(found, seed, "pool")[0], 0.0
    start, (_, pool) = time.process_time(), halves(found, seed)
    asker = ASKS[learner](found.graph, np.asarray(found.labels), pool, seed)
    return list(islice(asker, budgets_of(found)[-1])), time.process_time() - start


def run(graph: str, found: data.Dataset, order: str, learner: str, seed: int) -> dict[str, Any]:
    """One line of the results; `order` is random, or chosen by the learner itself or the pool."""
    line = {"graph": graph, "order": order, "learner": learner, "seed": seed}
    budgets = budgets_of(found)
    if order == "chosen" and learner in LEARNERS:
        asked, told = asked_by_session(found, seed, learner)
        accuracy, seconds = told[:-1], told[-1]
        line["asked"] = asked
    else:
        asked, spent = asked_for(found, seed, order, learner)
        accuracy, seconds = told_in_order(found, seed, learner, asked)
        seconds += spent
    return {**line, "budgets": budgets, "accuracy": accuracy, "cpu": round(seconds, 2)}
