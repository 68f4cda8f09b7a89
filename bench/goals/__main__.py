"""Finding the nodes of a class, whether claims hold, and what wrong answers cost.

Every run is kept in bench/out as soon as it is done; a second start goes on.

``python -m bench.goals [--seeds 20] [--simulations 200] [--wrong 4] [--minutes 7] [--report]``
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from bench.active.runs import stored
from bench.goals import coverage, finding, wrong_answers
from bench.goals.report import written

RUNS, CLAIMS = Path("bench/out/goals.jsonl"), Path("bench/out/goals-claims.jsonl")
WRONG = Path("bench/out/goals-wrong.jsonl")


def kept(path: Path, made: Callable[[], dict[str, Any]]) -> None:
    """Do a run and keep its line."""
    line = made()
    with path.open("a") as file:
        file.write(json.dumps(line) + "\n")
    print(line, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--simulations", type=int, default=200)
    parser.add_argument("--wrong", type=int, default=4, help="Seeds of sessions, wrong answers.")
    parser.add_argument("--strategies", nargs="*", default=list(finding.STRATEGIES))
    parser.add_argument("--minutes", type=float, default=1e9, help="Stop after so many minutes.")
    parser.add_argument("--report", action="store_true", help="Only write the page.")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    RUNS.parent.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + 60 * chosen.minutes
    done = {(r["graph"], r["size"], r["strategy"], r["seed"]) for r in stored(RUNS)}
    for seed in range(0 if chosen.report else chosen.seeds):
        for pair in finding.PAIRS:
            graph = finding.problem(pair)[0]
            for strategy in (s for s in chosen.strategies if finding.fits(s, graph)):
                if (*pair, strategy, seed) not in done and time.monotonic() < end:
                    kept(RUNS, partial(finding.run, pair, strategy, seed))
    claimed = {(r["graph"], r["size"], r["seed"]) for r in stored(CLAIMS)}
    for seed in range(0 if chosen.report else chosen.simulations):
        for pair in coverage.PAIRS:
            if (*pair, seed) not in claimed and time.monotonic() < end:
                kept(CLAIMS, partial(coverage.simulated, pair, seed))
    told = {(r["graph"], r["strategy"], r["rate"], r["looks"], r["seed"]) for r in stored(WRONG)}
    for seed in range(0 if chosen.report else chosen.wrong):
        for case in wrong_answers.CASES:
            if (*case, seed) not in told and time.monotonic() < end:
                kept(WRONG, partial(wrong_answers.answered, case, seed))
    print(written(stored(RUNS), stored(CLAIMS), stored(WRONG), Path("bench/results")))


if __name__ == "__main__":
    main()
