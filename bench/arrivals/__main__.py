"""Nodes and edges that arrive: following them against computing everything again.

The last half of a graph's nodes arrives in 20 steps: PubMed in the order of its file, movies by
year, co-authors in the order of their file. At each step the learners that grow, the same learners
made anew and other libraries predict the nodes that are there and have no label. CPU seconds are
those of following the step (or computing everything again) and predicting the nodes that arrived.

On a million nodes and five million edges: edges one at a time, 100,000 at once, and what a read
costs after an edge was removed.

``python -m bench.arrivals [--graphs pubmed movies coauthor] [--methods near-far ...]
[--million 1000000]`` measures these methods on these graphs, or the large one, and keeps the page's
other lines.
"""

from __future__ import annotations

import argparse
import os
import re
import tempfile
import warnings

from bench.arrivals.million import million
from bench.arrivals.page import REPORTED, page
from bench.arrivals.steps import GROWING, OTHERS, load_compiled, steps
from bench.pictures import RESULTS, drawn, tables

METHODS = (*GROWING, *OTHERS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", nargs="*", default=[])
    parser.add_argument("--methods", nargs="*", default=METHODS, choices=METHODS)
    parser.add_argument("--million", type=int, metavar="NODES")
    chosen = parser.parse_args()
    file = RESULTS / "arrivals.md"
    kept = tables(file.read_text()) if file.is_file() else [[], []]
    old = [["| " + " | ".join(row) + " |" for row in table[1:]] for table in kept]
    with tempfile.TemporaryDirectory() as cache, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of other libraries
        os.environ["LAPWING_CACHE"] = cache  # rows are computed, not read
        if chosen.graphs:
            load_compiled()
        found = [row for name in chosen.graphs for row in steps(name, chosen.methods)]
        large = million(chosen.million) if chosen.million else old[1]
    rows = [
        row for name in REPORTED for each in METHODS for row in latest(name, each, found, old[0])
    ]
    file.write_text(page(rows, large), encoding="utf-8")
    drawn("arrivals")
    print(page(rows, large))


def latest(name: str, method: str, found: list[str], old: list[str]) -> list[str]:
    """The line of a method on a graph, measured now or kept."""
    mine = re.compile(rf"\| {re.escape(name)} \| [\d,]+ \| {re.escape(method)}( \||,)")
    return [row for row in (*found, *old) if mine.match(row)][:1]


if __name__ == "__main__":
    main()
