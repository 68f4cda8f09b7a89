"""The page of the cluster's costs, from the lines that were measured."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

HEADER = [
    "| nodes | edges | run | seconds | CPU s | CPU beside memory | MB moved per pass | peak MB | "
    "share and halo, MB | largest difference |",
    "|---|---|---|---|---|---|---|---|---|---|",
]
COLUMNS = 10
BYTES_PER_COLUMN = 4
METHOD = """## How it was measured

`python -m bench.cluster 1000000` and `python -m bench.cluster 5000000`, each run in a process of
its own on two cores of one machine; `python -m bench.cluster --page` writes this page. PageRank
with the defaults (17 passes, 10 classes, 1,000 random labels) on communities of 1,000 nodes with
nine tenths of the edges inside, node numbers shuffled.

"In memory" is `PageRank.fit` on the same graph in the same order. CPU is that of the driver, the
scheduler and all workers from the opening of the blocks to the scores, without starting processes.
Peak is that of the largest worker above an idle one, beside what its share of the matrix, three
columns and the halo of two of them take; of other runs it is that of the process. The largest
difference is that of the probabilities of 5,000 random nodes from those in memory. Moved is what
workers send each other in a pass; plain tasks send every worker's rows to every other worker.
"""


def lines_of(found: list[dict[str, Any]]) -> list[str]:
    """The lines of the table; of several measurements of one thing the last counts."""
    last = {(each["nodes"], each["what"]): each for each in found}
    lines = []
    for (nodes, what), each in sorted(last.items(), key=lambda item: item[0][0]):
        base = last.get((nodes, "in memory"))
        ratio = "" if base is None or "killed" in what else f"{each['cpu'] / base['cpu']:.2f}"
        cells = [
            f"{nodes:,}", f"{each['edges']:,}", what, f"{each['seconds']:.1f}",
            "" if "killed" in what else f"{each['cpu']:.1f}", ratio,
            f"{each['moved_mb']:.1f}" if "moved_mb" in each else "", f"{each['peak_mb']:.0f}",
            f"{each['share_mb']:.0f}" if "share_mb" in each else "",
            f"{each['apart']:.1e}" if "apart" in each else "",
        ]  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def cells_of(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def verdict(lines: list[str]) -> str:
    """What the table says, in words."""
    rows = [cells_of(line) for line in lines]
    nodes = max(int(row[0].replace(",", "")) for row in rows)
    largest = {row[2]: row for row in rows if int(row[0].replace(",", "")) == nodes}
    workers = {name: row for name, row in largest.items() if name.endswith("workers")}
    words = f"On {nodes:,} nodes and {next(iter(largest.values()))[1]} edges"
    told = [f"{name} take {row[5]} times the CPU of one process" for name, row in workers.items()]
    if "out of core" in largest:
        row = largest["out of core"]
        told.append(f"out of core takes {row[5]} times within {int(row[7]) / 1000:.1f} GB")
    apart = max(float(row[9]) for row in rows if row[9])
    return f"{words}, {', and '.join(told)}; all numbers agree to {apart:.0e}."


def moved_lines(lines: list[str]) -> list[str]:
    """How much is moved per pass, beside plain tasks."""
    found = [
        "| nodes | workers | moved, MB | plain tasks, MB | times less |",
        "|---|---|---|---|---|",
    ]
    for row in map(cells_of, lines):
        if row[2].endswith("workers"):
            nodes, count = int(row[0].replace(",", "")), int(row[2].split()[0])
            plain = nodes * COLUMNS * BYTES_PER_COLUMN * (count - 1) / 2**20
            moved = float(row[6])
            found.append(
                f"| {row[0]} | {count} | {moved:.1f} | {plain:.0f} | {plain / moved:.1f} |"
            )
    return found


def page(lines: list[str]) -> str:
    """The whole page."""
    parts = [
        "# What does a cluster cost?", verdict(lines),
        "\n".join(["## Runs", "", *HEADER, *lines]),
        "\n".join(["## What moves", "", *moved_lines(lines)]), METHOD,
    ]  # fmt: skip
    return "\n\n".join(parts)


def write(results: Path) -> None:
    """Write the page beside the measurements."""
    found = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    (results.parent / "cluster.md").write_text(page(lines_of(found)), encoding="utf-8")
