"""What a session on a million nodes with 128 numbers each takes: memory, and time per question."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import numpy as np

from bench.attributes.runs import learner_on
from bench.scale.graphs import made
from bench.scale.timing import peak
from lapwing import active
from lapwing.graph import NodeTable
from lapwing.session.log.auditing.estimates import AUDIT_SHARE
from lapwing.session.log.dialogue import Dialogue
from lapwing.session.opening.parts import STRATEGY
from lapwing.session.store.memory import MemoryStore

NODES, COLUMNS, SEED = 1_000_000, 128, 7
QUESTIONS, CALM = 60, 20
"""Questions asked, and those before the median is taken."""
NOISE = 8.0
"""Of the columns, beside class means of variance 1: a single node's say little."""


def memory() -> dict[str, Any]:
    """One line: peaks of memory in GB before and after the session, seconds and accuracy."""
    graph, labels = made("S", NODES, SEED)
    random = np.random.default_rng(SEED)
    means = random.normal(size=(labels.max() + 1, COLUMNS)).astype(np.float32)
    numbers = random.standard_normal((NODES, COLUMNS), dtype=np.float32)
    numbers *= np.float32(NOISE)
    numbers += means[labels]
    graph, before = graph.with_node_table(NodeTable({"x": numbers}, NODES)), peak()
    start = time.process_time()
    dialogue = Dialogue.create(
        MemoryStore(),
        "memory",
        graph,
        make_learner=partial(learner_on, "pool", graph),
        make_strategy=lambda known: active.strategy(STRATEGY, graph, known, seed=SEED),
        classes=[str(k) for k in range(int(labels.max()) + 1)],
        header={"audit_share": AUDIT_SHARE, "seed": SEED},
    )
    spent = []
    for _ in range(QUESTIONS):
        turn = time.process_time()
        question = dialogue.ask()
        assert question is not None
        dialogue.tell(question.node, str(labels[question.node]))
        spent.append(time.process_time() - turn)
    reading = time.process_time()
    everyone = np.arange(NODES)
    right = float((dialogue.learner.predict(everyone) == labels).mean())
    return {
        "graph": "S", "order": "memory", "learner": "pool", "seed": SEED, "accuracy": [right],
        "nodes": NODES, "columns": COLUMNS, "questions": QUESTIONS,
        "before": round(before, 2), "peak": round(peak(), 2),
        "first": round(spent[0], 2), "median": round(float(np.median(spent[CALM:])), 3),
        "reading": round(time.process_time() - reading, 2),
        "cpu": round(time.process_time() - start, 1),
    }  # fmt: skip


def remembered(line: dict[str, Any]) -> str:
    """The line as a sentence of the page."""
    return (
        f"**A million nodes.** A session on graph S of `bench.scale` ({line['nodes']:,} nodes, "
        f"five edges each) whose nodes have {line['columns']} float32 numbers: {line['before']} GB "
        f"with graph and numbers made, {line['peak']} GB at the peak of a session of "
        f"{line['questions']} questions. The first question takes {line['first']} CPU s (rows of "
        f"attributes, which are spread over edges), the median later one with its answer "
        f"{1000 * line['median']:.0f} ms, predicting all nodes {line['reading']} s; "
        f"{100 * line['accuracy'][0]:.1f}% are right (`python -m bench.attributes --memory`)."
    )
