"""The results page: a verdict, a picture and one table per graph."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from bench.attributes.choices import CHOICES
from bench.attributes.graph_only import graph_only
from bench.attributes.lines import Lines, gathered, marked, paired
from bench.attributes.memory import remembered
from bench.attributes.networks import behind, beside_networks
from bench.attributes.questions import QUESTIONS
from bench.attributes.split import BUDGETS, CHOOSE, CHOOSE_SEEDS, GRAPHS, OTHER_SEEDS, REPORT
from bench.attributes.sureness import sureness
from lapwing.figures import new_figure

TITLE = "# What attributes add, and graphs whose neighbours differ"
METHOD = f"""\
## Method

`python -m bench.attributes` measures the accuracy in % on the half of the nodes that is held out
and never asked about, on the largest component of each graph: mean and standard error over seeds.

- **Split.** Settings were chosen on {", ".join(CHOOSE)}, seeds from
  {CHOOSE_SEEDS.start} on. {", ".join(REPORT)} played no part,
  but for one choice: how columns of places in the graph are weighed (`lapwing.linalg.eigen`), of
  some thirty ways, was decided on citeseer, acm and amazon-photo, too, by `near-far` with random
  labels.
  {", ".join(OTHER_SEEDS)} (marked *) are reported at other seeds than they were chosen on.
- **Chosen labels.** `near-far` and `pool` are asked as in a session: a fifth of the questions are
  drawn at random; the others are chosen by `uncertain-reach` (near-far) and `representative`
  (pool). *AML margin* chooses itself (scikit-activeml's margin, among 500 random nodes,
  from one label per class on; logistic regression, C = 10, on the pool's rows of attributes spread
  over edges). All other methods get the labels that the pool asked for.
- **Others.** Usual settings, nothing tuned: GCN and APPNP with 64 hidden units, 200 epochs of Adam
  (0.01), weight decay 5e-4, dropout 0.5; SGC with two steps; Correct & Smooth on logistic
  regression (C = 10), 50 steps of 0.8; label spreading with 0.9.
- **Not run.** A graph or method without a row has not been run yet. A lead without a standard
  error rests on one seed.
- **Time.** CPU seconds for all labels of a run, up to 200, on one core of a machine that was busy
  with other work, which lengthens CPU seconds, too: compare within a graph. Reading and judging the
  held-out half four times is among the pool's and near-far's. The networks multiply sparse
  matrices by rows, with transposes made once. They are fitted four times in a run, once for each
  budget; the pool chooses 200 questions and learns each answer before the next. *One answer* is
  the same work for both: what the next answer costs until all nodes are predicted anew (the median
  run). The first run of a process loads compiled code, which other means of texas, the first graph,
  contain.
"""


def curve(lines: Lines, graph: str, order: str, learner: str) -> np.ndarray | None:
    """One row per seed, one column per budget; None if there are no runs."""
    held = lines.get((graph, order, learner))
    return None if not held else 100 * np.array([held[s]["accuracy"] for s in sorted(held)])


def needed(rows: np.ndarray, goal: float) -> str:
    """Labels at which the mean curve reaches an accuracy, between budgets; as text."""
    mean, budgets = rows.mean(axis=0), BUDGETS[: rows.shape[1]]
    for k, value in enumerate(mean):
        if value >= goal:
            if k == 0:
                return f"{budgets[0]} or fewer"
            low = mean[k - 1]
            share = (goal - low) / (value - low)
            return f"{budgets[k - 1] + share * (budgets[k] - budgets[k - 1]):.0f}"
    return f"more than {budgets[-1]}"


def gains(lines: Lines) -> list[tuple[str, np.ndarray, np.ndarray]]:
    """The graphs with both learners: near-far's and the pool's mean accuracies, chosen labels."""
    found = []
    for graph in GRAPHS:
        both = paired(lines, graph, ("chosen", "pool"), ("chosen", "near-far"))
        if both is not None:
            found.append((graph, both[1].mean(axis=0), both[0].mean(axis=0)))
    return found


def headline(lines: Lines) -> str:
    pairs = gains(lines)
    steps = [step for _, base, ours in pairs for step in (ours - base).tolist()]
    worst = min(
        (float((ours - base)[k]), graph, BUDGETS[k])
        for graph, base, ours in pairs
        for k in range(len(base))
    )
    seeds = max(len(lines[graph, "chosen", "pool"]) for graph, _, _ in pairs)
    few = " These are first numbers: one seed." if seeds == 1 else f" Seeds: up to {seeds}."
    return (
        f"With attributes, the pool gains {np.mean(steps):.1f} points over `near-far` on average "
        f"over {len(pairs)} graphs and up to four budgets of chosen labels. It is above it in "
        f"{sum(step > 0 for step in steps)} of {len(steps)} comparisons; the least gain is "
        f"{worst[0]:+.1f} ({worst[1]}, {worst[2]} labels).{few}{behind(lines)}{asking(lines)}"
    )


def asking(lines: Lines) -> str:
    """Where the pool's chosen labels are worse than random ones by more than a point."""
    worse, compared = [], 0
    for graph, _, _ in gains(lines):
        both = paired(lines, graph, ("chosen", "pool"), ("random", "pool"))
        if both is not None:
            compared += 1
            least = float((both[0] - both[1]).mean(axis=0).min())
            worse += [f"{graph} ({least:.1f})"] if least < -1.0 else []
    if not compared:
        return " Random labels were not run here: see the sessions below for chosen beside random."
    if not worse:
        return f" Chosen labels are nowhere a point worse than random ones ({compared} graphs)."
    return f" Chosen labels are still worse than random ones on {', '.join(worse)}."


def summary(lines: Lines) -> list[str]:
    rows = [
        "| graph | near-far, last budget | labels the pool needs for it | "
        "pool less near-far, first budget | chosen less random (pool), least |",
        "|---|---|---|---|---|",
    ]
    for graph, base, ours in gains(lines):
        both, least = paired(lines, graph, ("chosen", "pool"), ("random", "pool")), "-"
        if both is not None:
            gap = (both[0] - both[1]).mean(axis=0)
            least = f"{gap.min():+.1f} at {BUDGETS[int(gap.argmin())]}"
        rows.append(
            f"| {marked(graph)} | {base[-1]:.1f} at {BUDGETS[len(base) - 1]} | "
            f"{needed(ours[None], float(base[-1]))} | {ours[0] - base[0]:+.1f} | {least} |"
        )
    return [*rows, ""]


def costs(lines: Lines) -> list[str]:
    """What a question and an answer cost, by graph and learner."""
    rows = [
        f"| {graph} | {learner} | {run['ask']:.1f} | {run['tell']:.1f} |"
        for (graph, order, learner), held in lines.items()
        for run in held.values()
        if order == "cost"
    ]
    if not rows:
        return []
    return [
        "CPU milliseconds to ask and to take in an answer, mean over questions 21 to 120 of one "
        "session (`python -m bench.attributes --costs`):",
        "",
        "| graph | learner | ask | answer |", "|---|---|---|---|", *rows, "",
    ]  # fmt: skip


def large(lines: Lines) -> list[str]:
    """What a million nodes with attributes take, if that was measured."""
    held = [
        run for (_, order, _), runs in lines.items() if order == "memory" for run in runs.values()
    ]
    return [remembered(held[-1]), ""] if held else []


def table(lines: Lines, graph: str, order: str) -> list[str]:
    names = [learner for g, o, learner in lines if (g, o) == (graph, order)]
    curves = {name: curve(lines, graph, order, name) for name in dict.fromkeys(names)}
    kept = {name: rows for name, rows in curves.items() if rows is not None}
    if not kept:
        return []
    budgets = BUDGETS[: next(iter(kept.values())).shape[1]]
    head = " | ".join(map(str, budgets))
    rows = [f"| {order} labels | {head} | CPU s | seeds |", "|---" * (len(budgets) + 3) + "|"]
    for name, values in kept.items():
        error = values.std(axis=0, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else None
        cells = [
            f"{mean:.1f}" + ("" if error is None else f" ± {error[k]:.1f}")
            for k, mean in enumerate(values.mean(axis=0))
        ]
        cpu = np.mean([run["cpu"] for run in lines[graph, order, name].values()])
        rows.append(f"| {name} | {' | '.join(cells)} | {cpu:.1f} | {len(values)} |")
    return [*rows, ""]


def draw(lines: Lines, folder: Path) -> None:
    pairs = gains(lines)
    figure, axes = new_figure(width=7.0, height=4.0)
    ax = axes[0, 0]
    for k, (name, offset) in enumerate((("near-far", -0.2), ("pool", 0.2))):
        values = [pair[1 + k][-1] for pair in pairs]
        ax.bar(np.arange(len(pairs)) + offset, values, 0.38, label=f"{name}, most labels")
        first = [pair[1 + k][0] for pair in pairs]
        ax.plot(np.arange(len(pairs)) + offset, first, "k_", markersize=9)
    ax.set_xticks(np.arange(len(pairs)), [marked(p[0]) for p in pairs], rotation=30, fontsize=7)
    ax.set_ylabel("accuracy on held-out nodes, %", fontsize=9)
    ax.set_title("Chosen labels; black marks: 20 labels", fontsize=9, loc="left")
    ax.legend(fontsize=7, frameon=False)
    figure.savefig(folder / "attributes.png", dpi=110)


def written(runs: list[dict[str, Any]], folder: Path) -> Path:
    """attributes.md and its picture."""
    lines = gathered(runs)
    page = [TITLE, "", headline(lines), "", "![near-far and the pool](attributes.png)", ""]
    page += [
        *summary(lines),
        *beside_networks(lines),
        *costs(lines),
        *large(lines),
        METHOD,
        CHOICES + QUESTIONS,
        *graph_only(lines),
        *sureness(lines),
    ]
    for graph in GRAPHS:
        tables = [*table(lines, graph, "chosen"), *table(lines, graph, "random")]
        page += [f"## {marked(graph)}", "", *tables] if tables else []
    draw(lines, folder)
    path = folder / "attributes.md"
    path.write_text("\n".join(page), encoding="utf-8")
    return path
