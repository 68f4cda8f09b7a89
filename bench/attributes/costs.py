"""What a question and an answer cost in a session, by learner."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import numpy as np

from bench.attributes.runs import learner_on, problem
from lapwing import active
from lapwing.session.log.auditing.estimates import AUDIT_SHARE
from lapwing.session.log.dialogue import Dialogue
from lapwing.session.opening.parts import STRATEGY
from lapwing.session.store.memory import MemoryStore

COSTS_ON = ("cora", "pubmed")
COST_OF = ("near-far", "pool without attributes", "pool")
FIRST, LAST = 20, 120
"""Questions before the first are not counted, nor any after the last."""


def cost(name: str, learner: str) -> dict[str, Any]:
    """Mean CPU milliseconds to ask, and to take in an answer and be ready to predict again."""
    found = problem(name)
    labels, graph = np.asarray(found.labels), found.graph
    dialogue = Dialogue.create(
        MemoryStore(),
        "cost",
        graph,
        make_learner=partial(learner_on, learner, graph),
        make_strategy=lambda known: active.strategy(STRATEGY, graph, known, seed=0),
        classes=[str(k) for k in range(found.n_classes)],
        header={"audit_share": AUDIT_SHARE, "seed": 0},
    )
    spent = np.zeros((LAST, 2))
    for count in range(LAST):
        start = time.process_time()
        question = dialogue.ask()
        middle = time.process_time()
        assert question is not None
        dialogue.tell(question.node, str(labels[question.node]))
        dialogue.learner.predict_proba(question.node)
        spent[count] = middle - start, time.process_time() - middle
    ask, tell = 1e3 * spent[FIRST:].mean(axis=0)
    return {
        "graph": name, "order": "cost", "learner": learner, "seed": 0, "accuracy": [],
        "ask": round(float(ask), 2), "tell": round(float(tell), 2), "cpu": 0.0,
    }  # fmt: skip
