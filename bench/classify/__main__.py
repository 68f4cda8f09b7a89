"""Accuracy, calibration and CPU time of the default of `lapwing classify`, beside others.

Every run is kept in bench/out/classify.jsonl as soon as it is done; a second start goes on.
``--before`` marks runs of our own as those of an earlier version, which is imported instead.

``python -m bench.classify [--graphs cornell grid] [--methods classify] [--draws 5] [--before]
[--minutes 10] [--report]``
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from pathlib import Path

import numpy as np

from bench.active.runs import stored
from bench.classify.graphs import SETTINGS, drawn, draws_on, problem
from bench.classify.methods import OTHERS, OURS
from bench.classify.report import written
from lapwing.metrics import calibration_error

RUNS = Path("bench/out/classify.jsonl")


def measured(name: str, amount: float, method: str, seed: int) -> dict[str, object]:
    graph, labels = problem(name)
    known = drawn(labels, amount, seed)
    hidden = np.setdiff1d(np.flatnonzero(labels >= 0), known)
    start, k = time.process_time(), int(labels.max()) + 1
    guesses, chances = (OURS | OTHERS)[method](graph, known, labels[known], k)
    return {
        "graph": name, "amount": amount, "method": method, "seed": seed, "labels": len(known),
        "cpu": round(time.process_time() - start, 3),
        "accuracy": float(np.mean(guesses[hidden] == labels[hidden])),
        "calibration": calibration_error(chances[hidden], labels[hidden]),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", nargs="*", default=list(SETTINGS))
    parser.add_argument("--methods", nargs="*", default=[*OURS, *OTHERS])
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=1e9, help="Stop after so many minutes.")
    parser.add_argument("--before", action="store_true")
    parser.add_argument("--report", action="store_true", help="Only write the page.")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    RUNS.parent.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + 60 * chosen.minutes
    done = {(r["graph"], r["amount"], r["method"], r["seed"]) for r in stored(RUNS)}
    for name in () if chosen.report else chosen.graphs:
        draws = min(draws_on(problem(name)[0]), chosen.draws)
        for amount in SETTINGS[name]:
            for method in chosen.methods:
                called = f"{method}, before" if chosen.before else method
                for seed in range(draws):
                    if (name, amount, called, seed) in done or time.monotonic() > end:
                        continue
                    line = measured(name, amount, method, seed) | {"method": called}
                    with RUNS.open("a") as file:
                        file.write(json.dumps(line) + "\n")
                print(name, amount, called, flush=True)
    if chosen.report:
        print(written(stored(RUNS), Path("bench/results")))


if __name__ == "__main__":
    main()
