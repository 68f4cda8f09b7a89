"""Sessions with wrong answers: what they cost, and what second looks win back."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import rankdata

from lapwing import active, data, make
from lapwing.metrics import calibration_error
from lapwing.session import Dialogue
from lapwing.session.log.second_looks import held_out_chances, judged
from lapwing.session.store.memory import MemoryStore

QUESTIONS = 200


class Case(NamedTuple):
    """A graph, how nodes are chosen, the share of wrong answers, and whether odd ones are asked."""

    graph: str
    strategy: str
    rate: float
    looks: bool


CASES = tuple(
    Case(graph, strategy, rate, looks)
    for graph in ("cora", "pubmed")
    for strategy in ("random", "representative")
    for rate in (0.0, 0.1, 0.2)
    for looks in (False, True)
)


def answered(case: Case, seed: int) -> dict[str, Any]:
    """One session of 200 questions; with second looks it then goes on to 200 labels.

    A wrong answer is any other class, all alike, each time independently; so is one to a second
    look.
    """
    found = data.load(case.graph).largest_component()
    graph, truth = found.graph.with_node_table({}), np.asarray(found.labels)
    kinds = int(truth.max()) + 1
    session = Dialogue.create(
        MemoryStore(), case.graph, graph, classes=[str(each) for each in range(kinds)],
        header={"seed": seed, "audit_share": 0.2, "second_looks": case.looks},
        make_learner=lambda: make("pool", graph),
        make_strategy=lambda known: active.strategy(case.strategy, graph, known, seed=seed),
    )  # fmt: skip
    began, looks, changed = time.process_time(), 0, 0
    line: dict[str, Any] = {**case._asdict(), "seed": seed}
    while len(session.state.labels) < QUESTIONS:
        question = session.ask()
        assert question is not None
        node, before = question.node, session.state.labels.get(question.node)
        draw = np.random.default_rng([seed, node, len(session.state.looks.heard.get(node, ()))])
        slip = int(draw.random() < case.rate) * int(draw.integers(1, kinds))
        said = (int(truth[node]) + slip) % kinds
        session.tell(node, str(said))
        looks += before is not None
        changed += before is not None and before != said
        if len(session.state.labels) + looks == QUESTIONS:
            line |= _measured(session, truth)
    line |= {"second": looks, "changed": changed, "s": round(time.process_time() - began, 1)}
    return line | {"accuracy at 200 labels": _accuracy(session, truth)[0]}


def _accuracy(session: Dialogue, truth: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    left = np.flatnonzero(session.labels < 0)
    chances = session.chances(left)
    return 100.0 * float((chances.argmax(axis=1) == truth[left]).mean()), left, chances


def _measured(session: Dialogue, truth: np.ndarray) -> dict[str, Any]:
    """Accuracy and calibration error on nodes without a label, and what suspicion tells."""
    accuracy, left, chances = _accuracy(session, truth)
    state, count = session.state, len(session.classes)
    held_out = held_out_chances(state.labels, count, state.copied_learner())
    found = judged(state.labels, state.looks, held_out, count, state.was_chosen)
    wrong = np.array([state.labels[node] != truth[node] for node in found.nodes])
    ranks, bad = rankdata(found.suspicion.wrong), int(wrong.sum())
    pairs = bad * (len(wrong) - bad)
    return {
        "accuracy": accuracy,
        "calibration": 100.0 * calibration_error(chances, truth[left]),
        "labels": len(state.labels),
        "wrong": sum(int(label != truth[node]) for node, label in state.labels.items()),
        "estimated": found.suspicion.rate,
        "auc": float(ranks[wrong].sum() - bad * (bad + 1) / 2) / pairs if pairs else None,
    }
