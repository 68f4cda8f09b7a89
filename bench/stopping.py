"""Does "stop: with 95% confidence the error is below 10%" hold? Simulated sessions count how often.

Each session asks a simulated person until the advice is to stop, looking after every answer; the
claim is then held against the true error on the nodes not asked. Four kinds of graph in turn: clear
and muddled blocks, drawn anew for each session, digits, and Cora, where the target is 30%. Half of
the questions are audits, so that a session takes a few hundred answers.

``python -m bench.stopping [--sessions 200]``
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from bench.pictures import RESULTS, drawn
from lapwing import active, data, make
from lapwing.session import Dialogue, Store

KINDS = ("clear blocks", "muddled blocks", "digits", "cora")
TARGETS = {"cora": 0.3}


@lru_cache(maxsize=2)
def stored(name: str) -> data.Dataset:
    return data.load(name).largest_component()


NEAR_FAR = "near-far"


def problem(kind: str, seed: int) -> data.Dataset:
    if kind in ("digits", "cora"):
        return stored(kind)
    between = {"clear blocks": 0.004, "muddled blocks": 0.006}[kind]
    sizes = (250, 200, 150)
    return data.stochastic_block_model(sizes=sizes, within=0.06, between=between, seed=seed)


def stopped(store: Store, kind: str, seed: int) -> tuple[bool, float, float, int, int]:
    """Whether the advice came, the bound claimed, the true error then, labels and nodes."""
    found, target = problem(kind, seed), TARGETS.get(kind, 0.1)
    graph, labels = found.graph, np.asarray(found.labels)
    session = Dialogue.create(
        store, f"{kind} {seed}", graph, header={"seed": seed, "audit_share": 0.5},
        make_learner=lambda: make(NEAR_FAR, graph),
        make_strategy=lambda known: active.strategy("uncertain-reach", graph, known),
    )  # fmt: skip
    advised = False
    while not advised and (question := session.ask()) is not None:
        session.tell(question.node, str(labels[question.node]))
        advised = question.audit and session.error_estimate().below(target)
    rest = np.flatnonzero(session.labels == -1)
    numbers = np.array([int(name) for name in session.classes] + [-1])
    wrong = numbers[session.learner.predict(rest)] != labels[rest]
    true = float(wrong.mean()) if len(rest) else 0.0
    return advised, session.error_estimate().upper, true, graph.n_nodes - len(rest), graph.n_nodes


def row(kind: str, runs: Iterable[tuple[bool, float, float, int, int]]) -> str:
    every = list(runs)
    stops = [run for run in every if run[0]]
    kept = sum(true < claimed for _, claimed, true, _, _ in stops)
    true = [100 * run[2] for run in stops]
    asked, nodes = np.median([run[3] for run in stops]), np.median([run[4] for run in stops])
    return (
        f"| {kind} | {len(every)} | {len(stops)} | {kept} ({kept / max(len(stops), 1):.1%}) | "
        f"{np.mean(true):.1f} / {np.max(true):.1f} | {asked:.0f} of {nodes:.0f} |"
    )


def verdict(total: str) -> str:
    """How often the advice was right; from the table's last line."""
    _, _, stops, kept, true, labels = total.strip("| ").split(" | ")
    return (
        f"The error was below the claimed bound in {kept.partition(' ')[0]} of {stops} "
        f"sessions. The advice came after {labels} nodes (median), when the true error was "
        f"{true.partition(' ')[0]} % on average."
    )


def page(rows: list[str], sessions: int, seconds: float) -> str:
    """The whole page; `rows` are the lines of its table, the last one over all graphs."""
    lines = [
        "# Is the advice to stop right?", "", verdict(rows[-1]), "",
        "![The error claimed and the true error when lapwing advises to stop](stopping.png)", "",
        "| graph | sessions | advised to stop | claim kept | true error %, mean / most | labels |",
        "|---|---|---|---|---|---|", *rows, "",
        "## Method", "",
        f"`python -m bench.stopping --sessions {sessions}` lets a simulated person answer",
        "a session with the learner `near-far` until",
        'the advice "with 95% confidence the error is below 10%" (30% on cora), checked after',
        "each audit. The claim is kept if the true error on the nodes not asked about is below the",
        f"bound. This took {seconds:.0f} seconds.", "",
    ]  # fmt: skip
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=200)
    chosen = parser.parse_args()
    start = time.perf_counter()
    runs: dict[str, list[tuple[bool, float, float, int, int]]] = {kind: [] for kind in KINDS}
    with Store("sqlite://") as store:
        for seed in range(chosen.sessions):
            kind = KINDS[seed % len(KINDS)]
            runs[kind].append(stopped(store, kind, seed))
            print(kind, seed, runs[kind][-1], flush=True)
    rows = [row(kind, found) for kind, found in runs.items() if found]
    rows.append(row("**all**", [run for found in runs.values() for run in found]))
    text = page(rows, chosen.sessions, time.perf_counter() - start)
    (RESULTS / "stopping.md").write_text(text, encoding="utf-8")
    drawn("stopping")
    print(text)


if __name__ == "__main__":
    main()
