"""How long a person waits for the next question: on PubMed, and on a million nodes.

The million nodes lie in planted communities of ten kinds. A question is timed as a session asks:
the strategy and the learner take in the answer before, the next node is chosen and guessed at, and
both are on disk, by `lapwing.Session` as `lapwing label` opens it.

``python -m bench.questions [--answers 200]``
"""

from __future__ import annotations

import argparse
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from bench.pictures import RESULTS, drawn
from lapwing import Session, data
from lapwing.session import Store

LIMITS = {"pubmed": 0.05, "planted, 1M nodes": 1.0}


def problem(name: str) -> data.Dataset:
    if name == "pubmed":
        return data.load("pubmed").largest_component()
    found = data.planted_partition(n=1_000_000, mean_degree=10, mixing=0.2)
    return replace(found, labels=found.labels % 10, classes=tuple("0123456789"))


def measured(name: str, answers: int) -> str:
    """One row: the start, then seconds from an answer to the next question."""
    found = problem(name)
    graph, labels = found.graph, np.asarray(found.labels)
    classes = [str(k) for k in range(found.n_classes)]
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "s.db") as store:
        start = time.perf_counter()
        session = Session(graph, classes, name="s", store=store, seed=0, background=True)
        question = session.ask()
        begun, waits, busy = time.perf_counter() - start, [], []
        while question is not None and len(waits) < answers:
            start, started = time.perf_counter(), time.process_time()
            session.tell(question.node, str(labels[int(question.node)]))
            question = session.ask()
            waits.append(time.perf_counter() - start)
            busy.append(time.process_time() - started)
    ms, cpu = 1000 * np.array(waits), 1000 * np.array(busy)
    limit = 1000 * LIMITS[name]
    return (
        f"| {name} | {graph.n_nodes:,} | {graph.n_edges:,} | {begun:.1f} s | {np.median(ms):.0f} | "
        f"{np.percentile(ms, 95):.0f} | {ms.max():.0f} | {np.median(cpu):.0f} / "
        f"{np.percentile(cpu, 95):.0f} / {cpu.max():.0f} | "
        f"{(ms < limit).mean():.1%} of {len(ms)} under {limit:.0f} ms |"
    )


def verdict(rows: list[str]) -> str:
    """The median wait on each graph."""
    cells = [row.strip("| ").split(" | ") for row in rows]
    told = [f"{row[4]} ms on {row[0]}" for row in cells]
    worst = max(cells, key=lambda row: float(row[6]))
    return (
        f"The median time from an answer to the next question is {' and '.join(told)}. "
        f"The longest wait was {worst[6]} ms."
    )


def page(rows: list[str], answers: int) -> str:
    """The whole page; `rows` are the lines of its table."""
    lines = [
        "# How long does the next question take?", "", verdict(rows), "",
        "![Time from an answer to the next question](questions.png)", "",
        "Times in milliseconds:", "",
        "| graph | nodes | edges | start | median | 95% | most | CPU median / 95% / most | |",
        "|---|---|---|---|---|---|---|---|---|", *rows, "",
        "## Method", "",
        f"`python -m bench.questions --answers {answers}` runs sessions as people open them on one",
        "thread; a fifth of the questions are audits. A question is timed from the answer before",
        "it until the new question is on disk, with learner and strategy up to date. The start is",
        "the time from an open graph to the first question.", "",
    ]  # fmt: skip
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=int, default=200)
    parser.add_argument("--graphs", nargs="*", default=list(LIMITS))
    chosen = parser.parse_args()
    measured("pubmed", 3)
    rows = [measured(name, chosen.answers) for name in chosen.graphs]
    text = page(rows, chosen.answers)
    (RESULTS / "questions.md").write_text(text, encoding="utf-8")
    drawn("questions")
    print(text)


if __name__ == "__main__":
    main()
