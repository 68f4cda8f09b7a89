"""Measure what size costs: ``python -m bench.scale [--quick] [--graphs P S W] [--sizes N ...]``.

``--graphs PubMed`` measures that graph alone, which has a size of its own; ``--only kernel rows``
measures these parts alone, and the other lines of the graph stay as they are.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

from bench.pictures import RESULTS, drawn
from bench.scale import published
from bench.scale.page import GRAPHS, SESSION_HEADER, cells_of, page, session_line, work_lines
from bench.scale.work import measure

SIZES, QUICK = (10_000, 100_000, 1_000_000, 5_000_000), (10_000,)
MOST_FOR_MANY = 100_000
"""Sessions on larger graphs have 200 labels instead of 1,000."""
PAGE = RESULTS / "scale.md"


def kept(place: tuple[str, str], works: set[str] | None = None) -> tuple[list[str], list[str]]:
    """The lines of the committed page that are about other graphs: works, then sessions.

    If only some `works` were measured, all lines but theirs.
    """
    found: tuple[list[str], list[str]] = [], []
    if PAGE.exists():
        for line in PAGE.read_text(encoding="utf-8").splitlines():
            cells = cells_of(line) if line.startswith("|") else []
            held = len(cells) == len(cells_of(SESSION_HEADER[0]))
            old = tuple(cells[:2]) == place and (works is None or held or cells[2] in works)
            if cells and cells[0] in GRAPHS and not old:
                found[held].append(line)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--graphs", nargs="+", choices=GRAPHS, default=["P", "S", "W"])
    parser.add_argument("--sizes", nargs="+", type=int)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--labels", type=int)
    parser.add_argument("--only", nargs="+")
    asked = parser.parse_args()
    if "PubMed" in asked.graphs:
        write(published.measured())
    for n in asked.sizes or (QUICK if asked.quick else SIZES):
        for kind in (each for each in asked.graphs if each != "PubMed"):
            labelled = asked.labels or (1_000 if n <= MOST_FOR_MANY else 200)
            with tempfile.TemporaryDirectory() as folder:
                write(measure(kind, n, asked.seed, labelled, Path(folder), asked.only))


def write(found: dict[str, Any]) -> None:
    """Put the lines of one graph on the page, in place of those it had."""
    fresh = [session_line(found)] if "session" in found else []
    some = None if found.get("whole", True) else {part["what"] for part in found["parts"]}
    place = (found["kind"], f"{found['n']:,}")
    work, sessions = kept(place, some)
    if "session" not in found:
        sessions = kept(("", ""))[1]
    work, sessions = [*work, *work_lines(found)], [*sessions, *fresh]
    for lines in (work, sessions):
        lines.sort(key=lambda line: (cells_of(line)[0], len(cells_of(line)[1]), cells_of(line)[1]))
    PAGE.write_text(page(work, sessions), encoding="utf-8")
    drawn("scale")
    print(*fresh, *work_lines(found), sep="\n", flush=True)


if __name__ == "__main__":
    main()
