"""Is it as sure as it is right? Calibration on the held-out half while labels arrive.

Takes the nodes that `uncertain-reach` asked in the runs of `python -m bench.active` and tells
them, one after the other, to `near-far` and to the online default; at each budget
their probabilities are judged on the held-out nodes.

``python -m bench.confidence [--graphs cora usps] [--seeds 5]``
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from bench.active.runs import BUDGETS, GRAPHS, RUNS, halves, problem, stored
from bench.pictures import RESULTS, drawn
from lapwing import data, make
from lapwing.catalog import DEFAULT
from lapwing.metrics import calibration_error, log_loss

METHOD = """\
## Method

`python -m bench.confidence` teaches each learner the nodes that `uncertain-reach` asked about in
`python -m bench.active`. After each number of labels, the probabilities are judged on the half of
the nodes that was held out. All numbers are means over seeds.

- Calibration error: by how many points the confidence differs from the share of right answers,
  mean over ten bins of confidence.
- Log loss: in nats; lower is better.
"""
NEAR_FAR = "near-far"


def verdict(rows: list[str]) -> str:
    """How often `near-far` is the better calibrated one, and by how much it is off."""
    cells = [row.strip("| ").split(" | ") for row in rows]
    off = {(row[0], row[1]): [float(cell) for cell in row[2:-1]] for row in cells}
    graphs = list(dict.fromkeys(row[0] for row in cells))
    pairs = [
        pair
        for graph in graphs
        for pair in zip(off[graph, NEAR_FAR], off[graph, DEFAULT], strict=True)
    ]
    better = sum(ours < other for ours, other in pairs)
    means = [np.mean([off[graph, name] for graph in graphs]) for name in (NEAR_FAR, DEFAULT)]
    return (
        f"`{NEAR_FAR}`, the first expert of the pool in sessions, is better calibrated than "
        f"`{DEFAULT}` in {better} of {len(pairs)} comparisons. On average its confidence is off by "
        f"{means[0]:.1f} points, that of `{DEFAULT}` by {means[1]:.1f}."
    )


def page(rows: list[str]) -> str:
    """The whole page; `rows` are the lines of its table."""
    budgets = " | ".join(map(str, BUDGETS))
    lines = [
        "# Is it as sure as it is right?", "", verdict(rows), "",
        "![Calibration error by number of labels](confidence.png)", "",
        "Calibration error in points after each number of labels, and log loss:", "",
        f"| graph | learner | {budgets} | log loss at {budgets.replace(' |', ',')} |",
        "|---" * (len(BUDGETS) + 3) + "|", *rows, "", METHOD,
    ]  # fmt: skip
    return "\n".join(lines)


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
    runs = [run for run in stored(chosen.runs) if run["strategy"] == "uncertain-reach"]
    missing = set(chosen.graphs) - {run["graph"] for run in runs}
    if missing:
        raise SystemExit(f"no runs on {', '.join(sorted(missing))}: python -m bench.active first")
    rows: list[str] = []
    for graph in chosen.graphs:
        found = problem(graph)
        for learner in (NEAR_FAR, DEFAULT):
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
            rows.append(f"| {graph} | {learner} | {cells} | {losses} |")
            print(rows[-1], flush=True)
    (RESULTS / "confidence.md").write_text(page(rows), encoding="utf-8")
    drawn("confidence")


if __name__ == "__main__":
    main()
