"""Is it as sure as it is right? Calibration on the held-out half while labels arrive.

Takes the nodes that `auto` asked in the runs of `python -m bench.active` and tells them, one after
the other, to the learner of sessions and to the online default; at each budget their probabilities
are judged on the held-out nodes.

``python -m bench.confidence [--graphs cora usps] [--seeds 5]``
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from bench.active.runs import BUDGETS, GRAPHS, RUNS, halves, problem, stored
from lapwing import data, make
from lapwing.catalog import DEFAULT, FOR_SESSIONS
from lapwing.metrics import calibration_error, log_loss

HEAD = """\
# As sure as right?

`python -m bench.confidence`: nodes asked by `auto`, probabilities judged on the held-out
half of the nodes after each number of labels, mean over seeds. Calibration error: by how many
points the confidence in the answers differs from the share that is right, mean over ten bins of
confidence. Log loss: in nats; lower is better.
"""


def judged(learner: str, found: data.Dataset, asked: list[int], seed: int) -> np.ndarray:
    """Calibration error and log loss at each budget."""
    labels, (held, _) = np.asarray(found.labels), halves(found, seed)
    model, rows = make(learner, found.graph, n_classes=found.n_classes), []
    for count, node in enumerate(asked, start=1):
        model.learn(node, int(labels[node]))
        if count in BUDGETS:
            chances = np.zeros((len(held), found.n_classes))
            said = model.predict_proba(held)
            chances[:, : said.shape[1]] = said
            rows.append((calibration_error(chances, labels[held]), log_loss(chances, labels[held])))
    return np.array(rows).T


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", nargs="*", default=GRAPHS)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--runs", type=Path, default=RUNS)
    chosen = parser.parse_args()
    runs = [run for run in stored(chosen.runs) if run["strategy"] == "auto"]
    missing = set(chosen.graphs) - {run["graph"] for run in runs}
    if missing:
        raise SystemExit(f"no runs on {', '.join(sorted(missing))}: python -m bench.active first")
    budgets = " | ".join(map(str, BUDGETS))
    lines = [HEAD, f"| graph | learner | {budgets} | log loss at {budgets.replace(' |', ',')} |"]
    lines += ["|---" * (len(BUDGETS) + 3) + "|"]
    for graph in chosen.graphs:
        found = problem(graph)
        for learner in (FOR_SESSIONS, DEFAULT):
            error, loss = np.mean(
                [
                    judged(learner, found, run["asked"], run["seed"])
                    for run in runs
                    if run["graph"] == graph and run["seed"] < chosen.seeds
                ],
                axis=0,
            )
            cells = " | ".join(f"{100 * value:.1f}" for value in error)
            losses = ", ".join(f"{value:.2f}" for value in loss)
            lines.append(f"| {graph} | {learner} | {cells} | {losses} |")
            print(lines[-1], flush=True)
    Path("bench/results/confidence.md").write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
