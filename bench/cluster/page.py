"""The page of the cluster's costs, from the lines that were measured."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bench.pictures import drawn

HEADER = [
    "| nodes | edges | run | seconds | CPU s | of it opening | CPU beside memory | without opening "
    "| peak MB | share and halo, MB | largest difference |",
    "|---|---|---|---|---|---|---|---|---|---|---|",
]
MOVED = [
    "| nodes | workers | moved in a pass, MB | plain tasks, MB | times fewer | CPU s of a pass for "
    "moving | plain tasks, CPU s | times less |",
    "|---|---|---|---|---|---|---|---|",
]
COLUMNS = 10
BYTES_PER_COLUMN = 4
PLAIN_SHARE, PLAIN_CPU = 49 / 40, 13.0
"""Plain tasks on two workers moved 49 MB for a matrix of 40, and took 12 to 14 CPU s per GB."""
METHOD = """## How it was measured

`python -m bench.cluster 1000000` and `python -m bench.cluster 5000000`, each run in a process of
its own on two cores of one machine that others used, too: CPU seconds are meant. `python -m
bench.cluster --page` writes this page. PageRank with the defaults (22 passes, 10 classes, 1,000
random labels) on communities of 1,000 nodes with nine tenths of the edges inside, node numbers
shuffled.

Five million nodes were measured on a machine that did nothing else, but for the run in memory,
beside which other commands ran for a while and which is dearer for that. On an idle machine, just
before the first message of a job was sent in 32 bits instead of 16 (one of 22), it took 25.2 CPU
seconds, 9.6 of them for opening, and 2 and 4 workers took 21.3 and 26.1; that is 1.06 and 1.32
times the CPU of one process without opening. At a load of 5 to 9 it was 0.89 and 1.60 times.

"In memory" opens the same folder as one graph and runs `PageRank.fit`; opening it includes finding
its components, which blocks have on disk. CPU is that of the driver, the scheduler and all workers,
without starting processes. Peak is that of the largest worker above an idle one, messages included.
Beside it stands what its share takes of what one process holds for the same work, the matrix and
three columns (the last of them, the labels, a worker holds for labelled nodes only), and the halo
of two columns. Of other runs the peak is that of the process. The largest difference is that of
the probabilities of 5,000 random nodes from those in memory.

Moved is what workers send each other in a pass: how the rows that others need have changed, in 16
bits for a number. Its CPU is what a pass takes beyond one in memory; a worker's own part of it is
a little cheaper, since it holds labels of labelled nodes only. Plain tasks, measured once on a
million nodes with two workers, moved 49 MB for a matrix of 40 MB and took 13 CPU seconds per GB;
the table scales that with the nodes.
"""

Line = dict[str, Any]


def last_lines(found: list[Line]) -> list[Line]:
    """Of several measurements of one thing the last; smaller graphs first."""
    last = {(each["nodes"], each["what"]): each for each in found}
    order = ("in memory", "out of core", "2 workers", "4 workers", "2 workers, one killed")
    return sorted(last.values(), key=lambda each: (each["nodes"], order.index(each["what"])))


def base_of(lines: list[Line], each: Line) -> Line:
    """The run in memory on the same graph."""
    return next(
        one for one in lines if one["nodes"] == each["nodes"] and one["what"] == "in memory"
    )


def passes_only(each: Line) -> float:
    return float(each["cpu"] - each.get("opening", 0.0))


def row_of(lines: list[Line], each: Line) -> str:
    base = base_of(lines, each)
    cells = [
        f"{each['nodes']:,}", f"{each['edges']:,}", each["what"], f"{each['seconds']:.0f}",
        f"{each['cpu']:.1f}", f"{each['opening']:.1f}" if "opening" in each else "",
        f"{each['cpu'] / base['cpu']:.2f}",
        f"{passes_only(each) / passes_only(base):.2f}" if "opening" in each else "",
        f"{each['peak_mb']:.0f}", f"{each['share_mb']:.0f}" if "share_mb" in each else "",
        f"{each['apart']:.1e}" if "apart" in each else "",
    ]  # fmt: skip
    if "killed" in each["what"]:  # the counts of a killed process are lost with it
        cells[4:8] = ["", "", "", ""]
    return f"| {' | '.join(cells)} |"


def moved_row(lines: list[Line], each: Line) -> str:
    """What a pass moves and what that costs, beside plain tasks."""
    base, count = base_of(lines, each), int(each["what"].split()[0])
    plain = PLAIN_SHARE * each["nodes"] * COLUMNS * BYTES_PER_COLUMN / 1e6 * (count - 1)
    cost = (passes_only(each) - passes_only(base)) / each["passes"]
    dear = PLAIN_CPU * plain / 1000
    moved = each["moved_mb"] * 2**20 / 1e6
    cells = [
        f"{each['nodes']:,}", str(count), f"{moved:.0f}", f"{plain:.0f}", f"{plain / moved:.1f}",
        f"{cost:.2f}", f"{dear:.2f}", f"{dear / cost:.1f}",
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


def _is_whole(each: Line) -> bool:
    """Whether no worker was killed in a run on workers."""
    return str(each["what"]).endswith("workers")


def verdict(lines: list[Line]) -> str:
    """What the tables say, in words."""
    nodes = max(each["nodes"] for each in lines)
    largest = {each["what"]: each for each in lines if each["nodes"] == nodes}
    base = largest["in memory"]
    words = [
        f"{name} take {each['cpu'] / base['cpu']:.2f} times the CPU of one process with opening "
        f"the graph, {passes_only(each) / passes_only(base):.2f} times without"
        for name, each in largest.items()
        if name.endswith("workers")
    ]
    if "out of core" in largest:
        each = largest["out of core"]
        words.append(
            f"out of core takes {each['cpu'] / base['cpu']:.2f} times, within "
            f"{each['peak_mb'] / 1000:.2f} GB instead of {base['peak_mb'] / 1000:.1f}"
        )
    fits = [each["peak_mb"] / each["share_mb"] for each in largest.values() if _is_whole(each)]
    words.append(f"a worker's peak is at most {max(fits):.2f} times its share and halo")
    apart = max(each["apart"] for each in lines if "apart" in each)
    told = "; ".join(words)
    return f"On {nodes:,} nodes and {base['edges']:,} edges, {told}. All agree to {apart:.0e}."


def page(lines: list[Line]) -> str:
    """The whole page."""
    workers = [each for each in lines if each["what"].endswith("workers")]
    parts = [
        "# What does a cluster cost?", verdict(lines),
        "![CPU seconds of the same work in memory, out of core and on workers](cluster.png)",
        "\n".join(["## Runs", "", *HEADER, *(row_of(lines, each) for each in lines)]),
        "\n".join(["## What moves", "", *MOVED, *(moved_row(lines, each) for each in workers)]),
        METHOD,
    ]  # fmt: skip
    return "\n\n".join(parts)


def write(results: Path) -> None:
    """Write the page beside the measurements, and draw its picture."""
    found = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    (results.parent / "cluster.md").write_text(page(last_lines(found)), encoding="utf-8")
    drawn("cluster", results.parent)
