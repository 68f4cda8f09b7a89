"""The results page: a verdict, a picture, one table of accuracies and one of the rest."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from bench.classify.graphs import CHOOSE, DRAWS, FEWER_DRAWS, LARGE, OTHER_SEEDS, SETTINGS
from bench.classify.methods import OTHERS
from lapwing.figures import new_figure

Runs = dict[tuple[str, float, str], list[dict[str, Any]]]
"""Runs by graph, amount of labels and method."""
OURS = ("classify", "graph only", "classify, before", "graph only, before")
TITLE = "# How right is `lapwing classify`?"
METHOD = f"""\
## Method

`python -m bench.classify`, then `--report`. Labels are drawn at random, one of every class first;
accuracy and calibration error (ten bins) are over all other nodes of the largest component, in %
and points, as means over seeds 0 to {DRAWS - 1} (0 to {FEWER_DRAWS - 1} above {LARGE:,} nodes; the
last table says how many were run). *classify* is the default with the attributes of the node table
if there are any, *graph only* the same without them; *before*, if there, the default at 4b76967.
CPU seconds are the median of a fit with its predictions on a shared machine; rows of graphs above
1,000 nodes are read from the cache after the first fit, which the column *first* shows.

Settings were chosen on {"; ".join(CHOOSE)}; seeds from 100 on. Graphs marked * are among them and
are reported at other seeds. All other graphs played no part, with two exceptions: the correlation
of neighbours' attributes was printed for all attributed graphs before the threshold of the trust in
neighbours (0.05, between 0.014 on texas and 0.189 on cora) was set, and how columns of places in
the graph are weighed was decided with `near-far`, among others on citeseer, pubmed, acm and
amazon-photo, seeds from 100 on. How far a graph without communities takes the trust in neighbours
back (`community_prior`) was chosen on texas, chameleon, cora, digits, karate, network2 and 89
generated graphs of 36 to 2,500 nodes (hubs and leaves, shops, classes by degree, labels at random,
social graphs, trees, roads, citations). The grid has six classes in
regions around random points, *blocks* sixteen squares; *shops* are accounts that pay shops that pay
banks; *random labels* have nothing to do with their graph; *books* has two groups and a small one
between them. A method or graph without a number was not run.
"""


def gathered(runs: list[dict[str, Any]]) -> Runs:
    """One run per seed: the last, where a draw was run twice."""
    found: dict[tuple[str, float, str], dict[int, dict[str, Any]]] = defaultdict(dict)
    for run in runs:
        found[run["graph"], run["amount"], run["method"]][run["seed"]] = run
    return {key: list(held.values()) for key, held in found.items()}


def mean(runs: Runs, graph: str, amount: float, method: str, what: str) -> float | None:
    held = runs.get((graph, amount, method))
    return 100 * float(np.mean([run[what] for run in held])) if held else None


def rows_of(runs: Runs) -> list[tuple[str, float]]:
    return [
        (graph, amount)
        for graph, amounts in SETTINGS.items()
        for amount in amounts
        if runs.get((graph, amount, "graph only"))
    ]


def leads(runs: Runs, other: str, mine: str = "classify") -> dict[tuple[str, float], float]:
    """How many points the default is ahead of another method, over the draws that both have."""
    found = {}
    for graph, amount in rows_of(runs):
        ours = {run["seed"]: run["accuracy"] for run in runs.get((graph, amount, mine), [])}
        theirs = {run["seed"]: run["accuracy"] for run in runs.get((graph, amount, other), [])}
        both = sorted(set(ours) & set(theirs))
        if both:
            found[graph, amount] = 100 * float(np.mean([ours[s] - theirs[s] for s in both]))
    return found


def headline(runs: Runs) -> str:
    floor = leads(runs, "largest class", "graph only")
    below = [
        f"{named(g)} at {shown(a)} ({lead:.1f})" for (g, a), lead in floor.items() if lead < -1
    ]
    words = (
        f"From the graph alone it is below the largest class by more than a point on "
        f"{', '.join(below)}."
        if below
        else f"From the graph alone it is nowhere more than a point below the largest class "
        f"(least {min(floor.values()):+.1f}, {len(floor)} settings)."
    )
    before = leads(runs, "classify, before")
    gain = (
        f"The default gains {np.mean(list(before.values())):.1f} points on the one before on "
        f"average over {len(before)} settings (least {min(before.values()):+.1f}). "
        if before
        else ""
    )
    rivals = [leads(runs, name) for name in OTHERS if name.startswith(("scikit", "Graph"))]
    best = [min(r[key] for r in rivals if key in r) for key in rows_of(runs)
            if any(key in r for r in rivals)]  # fmt: skip
    return (
        f"{gain}{words} It is ahead of the best of scikit-network and GraphLearning in "
        f"{sum(lead > 0 for lead in best)} of {len(best)} settings."
    )


def named(graph: str) -> str:
    return f"{graph}*" if graph in OTHER_SEEDS else graph


def shown(amount: float) -> str:
    return f"{amount:.0f}" if amount >= 1 else f"{amount:.0%}"


def table(runs: Runs, what: str, methods: list[str]) -> list[str]:
    lines = [f"| graph | labels | {' | '.join(methods)} |", "|---" * (len(methods) + 2) + "|"]
    for graph, amount in rows_of(runs):
        cells = [mean(runs, graph, amount, method, what) for method in methods]
        words = ["" if cell is None else f"{cell:.1f}" for cell in cells]
        lines.append(f"| {named(graph)} | {shown(amount)} | {' | '.join(words)} |")
    return [*lines, ""]


def costs(runs: Runs) -> list[str]:
    head = ["graph", "labels", "draws", "classify, CPU s", "first", "before", "Poisson"]
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for graph, amount in rows_of(runs):
        ours = runs.get((graph, amount, "classify"), [])
        spent = [run["cpu"] for run in sorted(ours, key=lambda run: run["seed"])]
        cells = [f"{np.median(spent):.2f}", f"{spent[0]:.2f}"] if spent else ["", ""]
        for method in ("classify, before", "Poisson"):
            held = [run["cpu"] for run in runs.get((graph, amount, method), [])]
            cells.append(f"{np.median(held):.2f}" if held else "")
        lines.append(f"| {named(graph)} | {shown(amount)} | {len(spent)} | {' | '.join(cells)} |")
    return [*lines, ""]


def draw(runs: Runs, folder: Path) -> None:
    keys = rows_of(runs)
    figure, axes = new_figure(width=8.0, height=4.2)
    ax, at = axes[0, 0], np.arange(len(keys))
    marks = {"largest class": "_", "scikit-network diffusion": "x", "classify, before": "o"}
    for method, mark in (marks | {"graph only": "s", "classify": "D"}).items():
        values = [mean(runs, *key, method, "accuracy") for key in keys]
        if all(value is None for value in values):
            continue
        ax.plot(at, [np.nan if v is None else v for v in values], mark, label=method, markersize=6)
    ax.set_xticks(
        at, [f"{named(g)} {shown(a)}" for g, a in keys], rotation=60, fontsize=7, ha="right"
    )
    ax.set_ylabel("accuracy, %", fontsize=9)
    ax.legend(fontsize=7, frameon=False)
    figure.savefig(folder / "classify.png", dpi=110)


def written(runs: list[dict[str, Any]], folder: Path) -> Path:
    """classify.md and its picture."""
    found = gathered(runs)
    methods = [m for m in (*OURS, *OTHERS) if any(key[2] == m for key in found)]
    known = [m for m in methods if m in OURS or m in ("Poisson", "scikit-network diffusion")]
    page = [
        TITLE, "", headline(found), "", "![accuracy by graph](classify.png)", "",
        "## Accuracy, %", "", *table(found, "accuracy", methods),
        "## Calibration error, points", "", *table(found, "calibration", known),
        "## CPU seconds per fit", "", *costs(found), METHOD,
    ]  # fmt: skip
    draw(found, folder)
    path = folder / "classify.md"
    path.write_text("\n".join(page), encoding="utf-8")
    return path
