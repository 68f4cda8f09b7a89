"""goals.md: positives among 100 questions, and the coverage of the bounds of recall."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from bench.goals import coverage
from bench.goals.finding import PAIRS, QUESTIONS, STRATEGIES, Pair, problem
from bench.pictures import drawn

OURS = ("look-ahead, graph", "look-ahead, attributes")
TARGETS = {
    (Pair("cora", 214), OURS[0]): 78, (Pair("cora", 131), OURS[0]): 82,
    (Pair("cora", 214), OURS[1]): 90, (Pair("cora", 131), OURS[1]): 88,
    (Pair("citeseer", 115), OURS[1]): 17,
}  # fmt: skip
"""Positives to reach; on Citeseer's scattered class, with what the graph has to offer."""
METHOD = """\
## Method

`python -m bench.goals` starts each run from one positive node drawn by the seed, asks 100 questions
on the largest component of the graph and counts the positive answers. `random`, `uncertain-reach`
and `margin` (with `near-far`) are lapwing's strategies for predictions with few errors. Where they
are installed, GraphLearning's uncertainty sampling with Poisson learning (GL, graphs of up to 5,000
nodes) and scikit-activeml's margin sampling with logistic regression on spectral rows (AML) are run
too; both are given a negative node besides. *Greedy* asks the likeliest node, *look-ahead* does so
until fewer than half of the latest ten answers were positive (`lapwing.active.ActiveSearch`, as
sessions use it). PubMed comes without attributes here.

The targets: 78 and 82 on Cora's classes from the graph alone, 90 and 88 with attributes, and 17 on
Citeseer's scattered class, which looking ahead reaches with attributes and plain greed without.

Reach and smoothing are those of `uncertain-reach`. The other settings were chosen with seeds from
500 on, on other classes of Cora and Citeseer (304, 308, 344, 379, 388 nodes), Digits and Coauthor;
the first trials with those seeds also printed the classes shown here. The horizon of the look-ahead
was lowered from 50 to 25 after a first run on the seeds shown here, by a comparison on Citeseer's
308 nodes and Coauthor.

The claims about recall: greedy searches from the graph alone that begin with 60% of the positive
nodes, so that hits soon become rare and audits come, with up to 120 questions (half of the nodes on
smaller graphs) and audits drawn as in a session. Bounds at 95% are looked at after every tenth
question. A search counts as *held* only if the true number of positive nodes was inside the bounds
every time. Bounds and estimates are those at the end. While audits are few, the estimate assumes
too many hidden nodes (5% where no label reaches), and the bounds are wide.
"""


def hits_of(runs: list[dict[str, Any]]) -> dict[tuple[Pair, str], np.ndarray]:
    """The hits of every run, by class and strategy."""
    found: dict[tuple[Pair, str], list[int]] = defaultdict(list)
    for run in runs:
        found[Pair(run["graph"], run["size"]), run["strategy"]].append(run["hits"])
    return {key: np.array(hits) for key, hits in found.items()}


def headline(hits: dict[tuple[Pair, str], np.ndarray], claims: list[dict[str, Any]]) -> str:
    """The verdict: targets met, the worst of looking ahead, and the coverage."""
    met = [hits[key].mean() >= target for key, target in TARGETS.items() if key in hits]
    behind = max(
        hits[pair, f"greedy, {kind}"].mean() - hits[pair, f"look-ahead, {kind}"].mean()
        for pair, strategy in hits
        if strategy.startswith("look-ahead")
        for kind in (strategy.split(", ")[1],)
    )
    held = np.mean([claim["held"] for claim in claims])
    return (
        f"Of {len(met)} targets, {sum(met)} are met. Looking ahead finds at most {behind:.1f} "
        f"fewer of {QUESTIONS} than plain greed. The bounds of recall held throughout in "
        f"{held:.1%} of {len(claims):,} searches."
    )


def finding_table(hits: dict[tuple[Pair, str], np.ndarray]) -> list[str]:
    """One line per class, one column per strategy: the mean, and its standard error."""
    names = [name for name in STRATEGIES if any(strategy == name for _, strategy in hits)]
    lines = ["| class | share | " + " | ".join(names) + " |", "|---" * (len(names) + 2)]
    lines[1] += "|"
    for pair in PAIRS:
        share = problem(pair)[1].mean()
        cells = []
        for strategy in names:
            found = hits.get((pair, strategy))
            error = "" if found is None or len(found) < 2 else (
                f" ± {found.std(ddof=1) / np.sqrt(len(found)):.1f}"
            )  # fmt: skip
            cells.append("" if found is None else f"{found.mean():.1f}{error} ({len(found)})")
        lines.append(f"| {pair} | {share:.1%} | " + " | ".join(cells) + " |")
    return [*lines, "", "Positives among 100 questions: mean ± standard error (runs).", ""]


def claims_table(claims: list[dict[str, Any]]) -> list[str]:
    """One line per class: how often the bounds held, and how wide they were at the end."""
    lines = [
        "| class | searches | held | audits | true recall | estimate | lower | upper |",
        "|---" * 8 + "|",
    ]
    for pair in coverage.PAIRS:
        mine = [c for c in claims if (c["graph"], c["size"]) == pair]
        if not mine:
            continue
        means = [np.mean([c[name] for c in mine])
                 for name in ("recall", "estimate", "lower", "upper")]  # fmt: skip
        lines.append(
            f"| {pair} | {len(mine)} | {np.mean([c['held'] for c in mine]):.1%} | "
            f"{np.mean([c['audits'] for c in mine]):.0f} | "
            + " | ".join(f"{100 * each:.0f}%" for each in means)
            + " |"
        )
    return [*lines, ""]


def written(runs: list[dict[str, Any]], claims: list[dict[str, Any]], folder: Path) -> Path:
    """goals.md and its picture."""
    hits = hits_of(runs)
    lines = [
        "# Finding the nodes of a class", "", headline(hits, claims), "",
        "![Positives among 100 questions, by strategy](goals.png)", "",
        *finding_table(hits), "## Claims about recall", "", *claims_table(claims), METHOD,
    ]  # fmt: skip
    path = folder / "goals.md"
    path.write_text("\n".join(lines), encoding="utf-8")
    drawn("goals", folder)
    return path
