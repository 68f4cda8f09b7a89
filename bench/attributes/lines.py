"""The runs of this bench, by what was run."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np

from bench.attributes.split import OTHER_SEEDS

Lines = dict[tuple[str, str, str], dict[int, dict[str, Any]]]
"""Runs by graph, order and learner, then by seed."""


def gathered(runs: list[dict[str, Any]]) -> Lines:
    found: Lines = defaultdict(dict)
    for run in runs:
        found[run["graph"], run["order"], run["learner"]][run["seed"]] = run
    return found


def paired(
    lines: Lines, graph: str, one: tuple[str, str], other: tuple[str, str]
) -> tuple[np.ndarray, np.ndarray] | None:
    """Two curves, each of an order and a learner, over the seeds that both have."""
    first, second = (lines.get((graph, *key), {}) for key in (one, other))
    seeds = sorted(set(first) & set(second))
    if not seeds:
        return None
    rows = [100 * np.array([held[s]["accuracy"] for s in seeds]) for held in (first, second)]
    return rows[0], rows[1]


def marked(graph: str) -> str:
    """The name of a graph; with a star if settings were chosen on other seeds of it."""
    return f"{graph}*" if graph in OTHER_SEEDS else graph
