"""Which node next? Every strategy at equal budget, judged on held-out nodes it may not ask about.

Half of the nodes are held out by the seed and never asked; accuracy is over those alone, so no
strategy gains by asking about the nodes it would get wrong. Three predictors judge the same labels:
"walks" (personalised PageRank) and "blend" (lapwing's batch default) are the same for all, "own" is
each library's (near-far, the learner of lapwing's sessions; GraphLearning's Poisson learning;
logistic regression).

Every run is kept in bench/out/active.jsonl as soon as it is done; a second start goes on.

``python -m bench.active [--graphs cora usps] [--seeds 10] [--report]
[--strategies uncertain-reach random]``
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from bench.active.report import written
from bench.active.runs import GRAPHS, RUNS, STRATEGIES, affordable, problem, run, stored


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", nargs="*", default=GRAPHS)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--strategies", nargs="*", default=list(STRATEGIES))
    parser.add_argument("--runs", type=Path, default=RUNS)
    parser.add_argument("--report", action="store_true", help="Only write the tables and pictures.")
    chosen = parser.parse_args()
    chosen.runs.parent.mkdir(parents=True, exist_ok=True)
    done = {(r["graph"], r["strategy"], r["seed"]) for r in stored(chosen.runs)}
    for graph in () if chosen.report else chosen.graphs:
        found = problem(graph)
        for strategy in (s for s in chosen.strategies if affordable(s, found)):
            for seed in range(chosen.seeds):
                if (graph, strategy, seed) not in done:
                    line = run(graph, strategy, seed, found)
                    with chosen.runs.open("a") as file:
                        file.write(json.dumps(line) + "\n")
                    print(graph, strategy, seed, f"{line['ms']} ms", line["accuracy"], flush=True)
    print(written(stored(chosen.runs), Path("bench/results")))


if __name__ == "__main__":
    main()
