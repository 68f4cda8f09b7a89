"""The pool without attributes beside near-far, on the six graphs of `bench.active`."""

from __future__ import annotations

import numpy as np

from bench.active.runs import GRAPHS as SIX
from bench.attributes.lines import Lines, paired
from bench.attributes.split import BUDGETS

ALONE = ("pool without attributes", "near-far")


def graph_only(lines: Lines) -> list[str]:
    """What the pool loses or gains without attributes; each learner asks for itself."""
    rows, gaps = [], list[float]()
    for graph in SIX:
        both = paired(lines, graph, *(("chosen", name) for name in ALONE))
        if both is None:
            continue
        apart = both[0] - both[1]
        gaps += apart.mean(axis=0).tolist()
        error = apart.std(axis=0, ddof=1) / np.sqrt(len(apart)) if len(apart) > 1 else None
        cells = [
            f"{both[1].mean(axis=0)[k]:.1f}, {gap:+.1f}"
            + ("" if error is None else f" ± {error[k]:.1f}")
            for k, gap in enumerate(apart.mean(axis=0))
        ]
        rows.append(f"| {graph} | {' | '.join(cells)} | {len(apart)} |")
    if not rows:
        return []
    head = " | ".join(map(str, BUDGETS))
    return [
        "## Without attributes",
        "",
        f"On the six graphs of `bench.active`, the pool without attributes is more than half a "
        f"point below `near-far` in {sum(gap < -0.5 for gap in gaps)} of {len(gaps)} comparisons "
        f"and more than half a point above it in {sum(gap > 0.5 for gap in gaps)} (least "
        f"{min(gaps):+.1f}, mean {np.mean(gaps):+.1f}). Accuracy of near-far, then the "
        "pool's lead; each asks for itself (`python -m bench.attributes --graph-only`). Settings "
        "were chosen on other seeds of cora and coauthor, and on none of the other four:",
        "",
        f"| graph | {head} | seeds |", "|---" * (len(BUDGETS) + 2) + "|", *rows, "",
    ]  # fmt: skip
