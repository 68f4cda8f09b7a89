"""Accuracy against labels with attributes: the pool, near-far, and what others would do.

Half of the nodes are held out by the seed and never asked; accuracy is over those alone. *Chosen*
nodes are those that a session asks (a fifth at random, more where neighbours differ): near-far's
own, the pool's own, and for all others those of the pool. Every run is kept in
bench/out/attributes.jsonl as soon as it is done; a second start goes on.

``python -m bench.attributes [--graphs cora acm] [--seeds 3] [--learners pool near-far GCN]
[--orders chosen random] [--minutes 10] [--costs] [--memory] [--graph-only] [--report]``
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from pathlib import Path

from bench.active.runs import stored
from bench.attributes.costs import COST_OF, COSTS_ON, cost
from bench.attributes.graph_only import ALONE, SIX
from bench.attributes.memory import memory
from bench.attributes.report import written
from bench.attributes.rivals import RIVALS
from bench.attributes.runs import LEARNERS, problem, run
from bench.attributes.split import GRAPHS, SEEDS

RUNS = Path("bench/out/attributes.jsonl")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", nargs="*", default=GRAPHS)
    parser.add_argument("--seeds", type=int, default=len(SEEDS))
    parser.add_argument("--learners", nargs="*", default=[*LEARNERS, *RIVALS])
    parser.add_argument("--orders", nargs="*", default=["chosen", "random"])
    parser.add_argument("--minutes", type=float, default=1e9, help="Stop after so many minutes.")
    parser.add_argument("--runs", type=Path, default=RUNS)
    parser.add_argument("--costs", action="store_true", help="Only measure cost per question.")
    parser.add_argument("--memory", action="store_true", help="Only measure a million nodes.")
    parser.add_argument(
        "--graph-only", action="store_true", help="Only the pool without attributes and near-far."
    )
    parser.add_argument("--report", action="store_true", help="Only write the page.")
    chosen = parser.parse_args()
    if chosen.graph_only:
        chosen.graphs, chosen.learners, chosen.orders = SIX, ALONE, ["chosen"]
    warnings.simplefilter("ignore")
    chosen.runs.parent.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + 60 * chosen.minutes
    done = {(r["graph"], r["order"], r["learner"], r["seed"]) for r in stored(chosen.runs)}
    todo = [
        (graph, order, learner, seed)
        for seed in range(chosen.seeds)
        for graph in chosen.graphs
        for order in chosen.orders
        for learner in chosen.learners
    ]
    for graph in COSTS_ON if chosen.costs else ():
        for learner in COST_OF:
            line = cost(graph, learner)
            with chosen.runs.open("a") as file:
                file.write(json.dumps(line) + "\n")
            print(graph, learner, line["ask"], line["tell"], "ms", flush=True)
    if chosen.memory:
        line = memory()
        with chosen.runs.open("a") as file:
            file.write(json.dumps(line) + "\n")
        print(line)
    for key in () if chosen.report or chosen.costs or chosen.memory else todo:
        if key not in done and time.monotonic() < end:
            graph, order, learner, seed = key
            line = run(graph, problem(graph), order, learner, seed)
            with chosen.runs.open("a") as file:
                file.write(json.dumps(line) + "\n")
            shown = [round(100 * value, 1) for value in line["accuracy"]]
            print(*key, shown, f"{line['cpu']} s", flush=True)
    if chosen.report:
        print(written(stored(chosen.runs), Path("bench/results")))


if __name__ == "__main__":
    main()
