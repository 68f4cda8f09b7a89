"""How far the confidence of sessions is off, while labels arrive."""

from __future__ import annotations

import numpy as np

from bench.attributes.lines import Lines
from bench.attributes.split import BUDGETS

SHOWN = ("pool", "pool without attributes", "near-far")


def sureness(lines: Lines) -> list[str]:
    """Calibration errors of our learners, each asking for itself; empty if none was measured."""
    rows = []
    for (graph, order, learner), held in sorted(lines.items()):
        off = [run["calibration"] for run in held.values() if run.get("calibration")]
        if order == "chosen" and learner in SHOWN and off:
            cells = [f"{value:.1f}" for value in 100 * np.mean(off, axis=0)]
            cells += [""] * (len(BUDGETS) - len(cells))
            rows.append(f"| {graph} | {learner} | {' | '.join(cells)} | {len(off)} |")
    if not rows:
        return []
    head = " | ".join(map(str, BUDGETS))
    return [
        "## How sure it is",
        "",
        "Calibration error in points (ten bins, held-out nodes), with chosen labels:",
        "",
        f"| graph | learner | {head} | seeds |", "|---" * (len(BUDGETS) + 3) + "|", *rows, "",
    ]  # fmt: skip
