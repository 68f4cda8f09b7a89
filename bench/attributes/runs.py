"""One run: nodes asked in some order, and accuracies on the half that is never asked."""

from __future__ import annotations

import time
from functools import lru_cache, partial
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from bench.active.runs import halves
from bench.attributes.rivals import ASKS, RIVALS
from bench.attributes.split import BUDGETS
from lapwing import Graph, active, data, make
from lapwing.metrics import calibration_error
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


class Told(NamedTuple):
    """What a learner reaches at each budget, and the CPU seconds of all of it."""

    accuracy: list[float]
    calibration: list[float]
    cpu: float


def judged(model: Any, held: np.ndarray, labels: np.ndarray) -> tuple[float, float]:
    """Accuracy on held-out nodes, and by how much the confidence is off, as a share.

    Classes that have no label yet have no chance.
    """
    chances = model.predict_proba(held)
    chances = np.pad(chances, ((0, 0), (0, max(int(labels.max()) + 1 - chances.shape[1], 0))))
    right = float((model.predict(held) == labels[held]).mean())
    return right, float(calibration_error(chances, labels[held]))


@lru_cache(maxsize=4)
def asked_by_session(found: data.Dataset, seed: int, learner: str) -> tuple[list[int], Told]:
    """Nodes as a session asks them: audits at random, more where neighbours differ; what it led to.

    Reading and judging the held-out half counts among the seconds.
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
    budgets, asked, reached = budgets_of(found), list[int](), list[tuple[float, float]]()
    for count in range(1, budgets[-1] + 1):
        question = dialogue.ask()
        assert question is not None
        dialogue.tell(question.node, str(labels[question.node]))
        asked.append(question.node)
        if count in budgets:
            reached.append(judged(dialogue.learner, held, labels))
    return asked, told(reached, start)


def told(reached: list[tuple[float, float]], start: float) -> Told:
    return Told([r for r, _ in reached], [c for _, c in reached], time.process_time() - start)


def told_in_order(found: data.Dataset, seed: int, learner: str, asked: list[int]) -> Told:
    """What a learner that is told these nodes reaches; others' confidence is not looked at."""
    labels, (held, _) = np.asarray(found.labels), halves(found, seed)
    budgets, start = budgets_of(found), time.process_time()
    if learner in RIVALS:
        accuracy = list[float]()
        for count in budgets:
            guesses = RIVALS[learner](found, np.array(asked[:count]))
            accuracy.append(float((guesses[held] == labels[held]).mean()))
        return Told(accuracy, [], time.process_time() - start)
    reached = list[tuple[float, float]]()
    model = learner_on(learner, found.graph)
    for count, node in enumerate(asked[: budgets[-1]], start=1):
        model.learn(node, int(labels[node]))
        if count in budgets:
            reached.append(judged(model, held, labels))
    return told(reached, start)


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
    line: dict[str, Any] = {"graph": graph, "order": order, "learner": learner, "seed": seed}
    budgets = budgets_of(found)
    if order == "chosen" and learner in LEARNERS:
        asked, reached = asked_by_session(found, seed, learner)
        line["asked"], spent = asked, 0.0
    else:
        asked, spent = asked_for(found, seed, order, learner)
        reached = told_in_order(found, seed, learner, asked)
    accuracy, calibration, seconds = reached
    return {
        **line, "budgets": budgets, "accuracy": accuracy, "calibration": calibration,
        "cpu": round(seconds + spent, 2),
    }  # fmt: skip
