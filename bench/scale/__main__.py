"""Measure what size costs: ``python -m bench.scale [--quick] [--graphs P S W] [--sizes N ...]``."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from bench.pictures import RESULTS, drawn
from bench.scale.page import SESSION_HEADER, cells_of, page, session_line, work_lines
from bench.scale.work import measure

SIZES, QUICK = (10_000, 100_000, 1_000_000, 5_000_000), (10_000,)
MOST_FOR_MANY = 100_000
"""Sessions on larger graphs have 200 labels instead of 1,000."""
PAGE = RESULTS / "scale.md"


def kept(place: tuple[str, str]) -> tuple[list[str], list[str]]:
    """The lines of the committed page that are about other graphs: works, then sessions."""
    found: tuple[list[str], list[str]] = [], []
    if PAGE.exists():
        for line in PAGE.read_text(encoding="utf-8").splitlines():
            cells = cells_of(line) if line.startswith("|") else []
            if cells and cells[0] in ("P", "S", "W") and tuple(cells[:2]) != place:
                found[len(cells) == len(cells_of(SESSION_HEADER[0]))].append(line)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--graphs", nargs="+", choices=("P", "S", "W"), default=["P", "S", "W"])
    parser.add_argument("--sizes", nargs="+", type=int)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--labels", type=int)
    asked = parser.parse_args()
    for n in asked.sizes or (QUICK if asked.quick else SIZES):
        for kind in asked.graphs:
            labelled = asked.labels or (1_000 if n <= MOST_FOR_MANY else 200)
            with tempfile.TemporaryDirectory() as folder:
                found = measure(kind, n, asked.seed, labelled, Path(folder))
            work, sessions = kept((kind, f"{n:,}"))
            work, sessions = [*work, *work_lines(found)], [*sessions, session_line(found)]
            for lines in (work, sessions):
                lines.sort(
                    key=lambda line: (cells_of(line)[0], len(cells_of(line)[1]), cells_of(line)[1])
                )
            PAGE.write_text(page(work, sessions), encoding="utf-8")
            drawn("scale")
            print(session_line(found), *work_lines(found), sep="\n", flush=True)


if __name__ == "__main__":
    main()
