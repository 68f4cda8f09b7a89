"""Tables and pictures from the runs: accuracies with intervals, labels needed, and a verdict."""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from scipy import stats

from bench.active.runs import BUDGETS, CURVE, GRAPHS, PREDICTORS, STRATEGIES
from bench.pictures import drawn
from lapwing.figures import new_figure
from lapwing.figures.style import PALETTE

Curves = dict[str, np.ndarray]
"""Accuracy by strategy: one row per seed, one column per budget."""
FEWEST_SEEDS = 10
OURS = "uncertain-reach"
BOTH = (OURS, "random")
"""These two have more seeds than the others; what is said of them alone uses all of them."""
PICTURE = "![Accuracy of uncertain-reach and of all other strategies](active.png)"
TITLE = "# Which node to ask about next?"
METHOD = """\
## Method

`python -m bench.active` measures the accuracy in % on the half of the nodes that is held out and
never asked about, on the largest component of each graph: mean and 95% interval over seeds. The
verdicts compare `uncertain-reach` with the best mean of all other strategies by a t-test paired
over seeds: best, tied (p > 0.05) or behind.

- **Predictors.** *walks* (personalised PageRank) and *blend* (lapwing's batch default, on graphs
  of up to 5,000 nodes) are the same for all strategies. *own* is `near-far`, the learner of
  sessions, for lapwing's strategies, Poisson learning for GraphLearning's (GL), and logistic
  regression on spectral rows for scikit-activeml's (AML).
- **Start.** GL and AML start from one random label per class, lapwing's strategies from nothing.
- **Limits.** AML probabilistic sees 200 random candidates per question, expected-error 100. On
  graphs of more than 5,000 nodes, GL's margin and model change refit after every fifth answer
  (one of their options), and AML probabilistic and expected-error are left out; on more than
  10,000 nodes, so is AML typiclust. They take minutes per run.
- **Last columns of the summary.** Where `uncertain-reach` gains least over random, and the
  number of labels with which it reaches random's accuracy at 200 labels, over all seeds these two
  were run with (30; `--seeds 30 --strategies uncertain-reach random`).
- **Tuning.** The scale of `uncertain-reach`'s doubt and `near-far`'s settings were chosen on
  seeds from 100 on. Two older choices in `uncertain-reach` were judged on seeds 0 to 9, so 10 to 29
  are the cleaner ones.
"""


def headline(lines: list[str]) -> str:
    """How often `uncertain-reach` is best, tied and behind, counted in the lines of the summary."""
    words = [word for line in lines for word in line.split(" | ")[3 : 3 + len(BUDGETS)]]
    counts = {word: words.count(word) for word in ("best", "tied", "behind")}
    return (
        f"`{OURS}` is the best strategy in {counts['best']} of {sum(counts.values())} comparisons, "
        f"tied in {counts['tied']} and behind in {counts['behind']}."
    )


def curves_of(
    runs: list[dict[str, Any]],
    graph: str,
    predictor: str,
    strategies: Iterable[str] = STRATEGIES,
) -> Curves:
    """Accuracies of the strategies with at least ten seeds, over the seeds that all these have."""
    found: dict[str, dict[int, list[float]]] = defaultdict(dict)
    for run in runs:
        if run["graph"] == graph and predictor in run["accuracy"]:
            found[run["strategy"]][run["seed"]] = run["accuracy"][predictor]
    names = [name for name in strategies if len(found[name]) >= FEWEST_SEEDS]
    shared = sorted(set.intersection(*(set(found[name]) for name in names))) if names else []
    return {name: np.array([found[name][seed] for seed in shared]) for name in names}


def half_width(values: np.ndarray) -> np.ndarray:
    """Half the 95% interval of the mean over seeds (Student's t)."""
    n = len(values)
    return stats.t.ppf(0.975, n - 1) * values.std(axis=0, ddof=1) / np.sqrt(n)


def verdict(curves: Curves, column: int) -> str:
    """How `uncertain-reach` stands against the best other at one budget, paired over seeds."""
    ours = curves[OURS][:, column]
    others = {name: rows[:, column] for name, rows in curves.items() if name != OURS}
    best = max(others, key=lambda name: others[name].mean())
    lead = ours - others[best]
    if lead.mean() >= 0:
        return f"best (+{100 * lead.mean():.1f} over {best})"
    p = float(stats.ttest_rel(ours, others[best]).pvalue)
    word = "tied" if p > 0.05 else "behind"
    return f"{word} ({100 * lead.mean():.1f} to {best}, p = {p:.2f})"


def needed(rows: np.ndarray, goal: float) -> float:
    """Labels at which the mean curve first reaches an accuracy, between the budgets measured."""
    mean = rows.mean(axis=0)
    for k, value in enumerate(mean):
        if value >= goal:
            if k == 0:
                return float(CURVE[0])
            low, high = mean[k - 1], value
            return CURVE[k - 1] + (goal - low) / (high - low) * (CURVE[k] - CURVE[k - 1])
    return float("inf")


def table(predictor: str, curves: Curves) -> list[str]:
    columns = [CURVE.index(b) if predictor == "walks" else k for k, b in enumerate(BUDGETS)]
    lines = [f"| {predictor} | " + " | ".join(str(b) for b in BUDGETS) + " |"]
    lines.append("|---|" + "---|" * len(BUDGETS))
    for name, rows in curves.items():
        mean, width = 100 * rows.mean(axis=0), 100 * half_width(rows)
        cells = " | ".join(f"{mean[c]:.1f} ± {width[c]:.1f}" for c in columns)
        lines.append(f"| {f'**{name}**' if name == OURS else name} | {cells} |")
    lines.append("| *verdict* | " + " | ".join(verdict(curves, c) for c in columns) + " |")
    return [*lines, ""]


def least(predictor: str, curves: Curves) -> str:
    """Where `uncertain-reach` gains least over random, of all budgets measured, in points."""
    budgets = CURVE if predictor == "walks" else BUDGETS
    gains = 100 * (curves[OURS] - curves["random"]).mean(axis=0)
    return f"{gains.min():+.1f} at {budgets[int(np.argmin(gains))]}"


def summary(runs: list[dict[str, Any]]) -> list[str]:
    """One line per graph and predictor: the verdicts without their numbers."""
    budgets = " | ".join(map(str, BUDGETS))
    lines = [
        f"| graph | predictor | others | {budgets} | {OURS} less random, least | "
        "labels it needs | seeds of these |",
        "|---" * (len(BUDGETS) + 6) + "|",
    ]
    for graph in GRAPHS:
        for predictor in PREDICTORS:
            curves = curves_of(runs, graph, predictor)
            if "random" not in curves:
                continue
            columns = [CURVE.index(b) if predictor == "walks" else k for k, b in enumerate(BUDGETS)]
            words = " | ".join(verdict(curves, c).partition(" ")[0] for c in columns)
            both = curves_of(runs, graph, predictor, BOTH)
            goal = float(both["random"].mean(axis=0)[-1])
            labels = f"{needed(both[OURS], goal):.0f}" if predictor == "walks" else ""
            lines.append(
                f"| {graph} | {predictor} | {len(curves) - 1} | {words} | "
                f"{least(predictor, both)} | {labels} | {len(both[OURS])} |"
            )
    return [*lines, ""]


def labels_table(curves: Curves) -> list[str]:
    goal = float(curves["random"].mean(axis=0)[-1])
    shown = {
        name: f"{labels:.0f}" if np.isfinite(labels) else f"> {CURVE[-1]}"
        for name, labels in ((name, needed(rows, goal)) for name, rows in curves.items())
    }
    words = ", ".join(f"{name} {labels}" for name, labels in shown.items())
    return [
        f"Labels to reach random's accuracy at {CURVE[-1]} ({100 * goal:.1f}%, walks): {words}."
    ]


def draw(graph: str, curves: Curves, folder: Path) -> Path:
    figure, axes = new_figure(width=6.0, height=4.0)
    ax = axes[0, 0]
    for k, (name, rows) in enumerate(curves.items()):
        style = ("-", "--", ":")[k // len(PALETTE)]
        wide = 2.4 if name in BOTH else 1.0
        ax.plot(CURVE, 100 * rows.mean(axis=0), style, label=name, linewidth=wide,
                color="black" if name == OURS else PALETTE[k % len(PALETTE)])  # fmt: skip
        if name in BOTH:
            low, high = (100 * (rows.mean(axis=0) + s * half_width(rows)) for s in (-1, 1))
            ax.fill_between(CURVE, low, high, alpha=0.12, color="black", linewidth=0)
    ax.set_xlabel("labels", fontsize=9)
    ax.set_ylabel("accuracy on held-out nodes, % (walks)", fontsize=9)
    ax.set_title(f"{graph}, {len(rows)} seeds; shaded: 95% interval", fontsize=9, loc="left")
    ax.legend(fontsize=6, frameon=False, ncol=2, loc="lower right")
    held = io.BytesIO()
    figure.savefig(held, format="png", dpi=110)
    path = folder / f"active-{graph}.png"
    Image.open(held).convert("RGB").quantize(64).save(path, optimize=True)
    return path


def written(runs: list[dict[str, Any]], folder: Path) -> Path:
    """active.md, its overview and one picture per graph."""
    folder.mkdir(parents=True, exist_ok=True)
    told = summary(runs)
    lines = [TITLE, "", headline(told[2:]), "", PICTURE, "", *told, METHOD]
    for graph in GRAPHS:
        walks = curves_of(runs, graph, "walks")
        if "random" not in walks:
            continue
        lines += [f"## {graph}", "", f"![{graph}](active-{graph}.png)", ""]
        lines += [f"{len(walks[OURS])} seeds. {_speed(runs, graph)}", ""]
        for predictor in PREDICTORS:
            curves = curves_of(runs, graph, predictor)
            lines += table(predictor, curves) if curves else []
        lines += [*labels_table(walks), ""]
        draw(graph, walks, folder)
    path = folder / "active.md"
    path.write_text("\n".join(lines), encoding="utf-8")
    drawn("active", folder)
    return path


def _speed(runs: list[dict[str, Any]], graph: str) -> str:
    times: dict[str, list[float]] = defaultdict(list)
    for run in runs:
        if run["graph"] == graph:
            times[run["strategy"]].append(run["ms"])
    words = ", ".join(f"{name} {np.median(ms):.3g}" for name, ms in times.items())
    return f"Milliseconds per question, including the start: {words}."
