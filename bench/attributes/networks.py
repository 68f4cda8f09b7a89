"""The pool beside graph networks that get the same labels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bench.attributes.lines import Lines, marked, paired
from bench.attributes.split import BUDGETS, GRAPHS

NETWORKS = ("GCN", "APPNP", "SGC", "C&S")


class Lead(NamedTuple):
    """The pool's mean accuracy less a network's, in points, and its standard error."""

    network: str
    points: float
    error: float | None
    """None with a single seed."""

    @property
    def is_behind(self) -> bool:
        """Whether the network is ahead by more than one standard error."""
        return self.points < -(self.error or 0.0)

    def __str__(self) -> str:
        error = "" if self.error is None else f" ± {self.error:.1f}"
        return f"{self.points:+.1f}{error} ({self.network})"


def leads(lines: Lines) -> dict[str, list[Lead]]:
    """The pool's lead over the best network at each budget, by graph."""
    found = {}
    for graph in GRAPHS:
        rows = []
        for network in NETWORKS:
            both = paired(lines, graph, ("chosen", "pool"), ("chosen", network))
            if both is not None:
                rows.append([_lead(network, gaps) for gaps in (both[0] - both[1]).T])
        if rows:
            found[graph] = [
                min(held, key=lambda lead: lead.points) for held in zip(*rows, strict=True)
            ]
    return found


def _lead(network: str, gaps: np.ndarray) -> Lead:
    error = float(gaps.std(ddof=1) / np.sqrt(len(gaps))) if len(gaps) > 1 else None
    return Lead(network, float(gaps.mean()), error)


def behind(lines: Lines) -> str:
    """How often the pool is behind the best network, and where."""
    found = leads(lines)
    every = [lead for held in found.values() for lead in held]
    if not every:
        return ""
    where = [
        f"{marked(graph)} at {BUDGETS[k]}: {lead.points:+.1f}"
        for graph, held in found.items()
        for k, lead in enumerate(held)
        if lead.is_behind
    ]
    return (
        " Against the best of GCN, APPNP, SGC and C&S it is ahead in "
        f"{sum(lead.points > 0 for lead in every)} of {len(every)} comparisons and behind by more "
        f"than a standard error in {len(where)}{' (' + ', '.join(where) + ')' if where else ''}."
    )


def beside_networks(lines: Lines) -> list[str]:
    """The pool beside the best of the graph networks at each budget, chosen labels."""
    rows = []
    for graph, held in leads(lines).items():
        cells = [*map(str, held), *[""] * (len(BUDGETS) - len(held))]
        runs = {
            name: list(lines[graph, "chosen", name].values())
            for name in ("pool", *NETWORKS)
            if lines.get((graph, "chosen", name))
        }
        spent = {
            name: float(np.median([run["cpu"] for run in made])) for name, made in runs.items()
        }
        parts = {name: len(made[0]["budgets"]) for name, made in runs.items()}
        parts["pool"] = len(runs["pool"][0]["asked"])
        once = {name: 1000 * spent[name] / parts[name] for name in spent}
        whole = ", ".join(f"{name} {seconds:.1f}" for name, seconds in spent.items())
        single = ", ".join(f"{name} {ms:,.0f}" for name, ms in once.items())
        rows.append(f"| {marked(graph)} | {' | '.join(cells)} | {whole} | {single} |")
    if not rows:
        return []
    head = " | ".join(map(str, BUDGETS))
    return [
        "The pool less the best of GCN, APPNP, SGC and C&S on the same chosen labels, in points:",
        "",
        f"| graph | {head} | CPU s, whole run | CPU ms, one answer |",
        "|---" * (len(BUDGETS) + 3) + "|", *rows, "",
    ]  # fmt: skip
