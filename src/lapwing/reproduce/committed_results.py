"""Results as they are committed, and a fresh run held against them."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lapwing.errors import InputError
from lapwing.reproduce.comparison import verdicts
from lapwing.reproduce.results import Cell, Results

COLUMNS = (
    "study", "graph", "method", "learner", "at", "measure",
    "mean", "sd", "n", "printed", "verdict", "reason",
)  # fmt: skip
WIDTH = 4.0
"""How many standard errors a fresh mean may lie from the committed one."""
SLACK = 0.01
"""And what share of it, for numbers whose spread is small or not known."""


def summary_csv(results: Results) -> str:
    """Every number as text: mean, spread, what was printed and the verdict."""
    held = io.StringIO()
    writer = csv.writer(held, lineterminator="\n")
    writer.writerow(COLUMNS)
    for each in verdicts(results):
        cell, study = each.cell, results.study
        said = {None: "", True: "reproduced", False: "not reproduced"}[each.same]
        writer.writerow(
            [study.name, cell.graph, cell.method, study.method(cell.method).learner,
             "" if cell.at is None else cell.at, cell.measure, f"{cell.mean:.6g}",
             f"{cell.sd:.6g}", len(cell.values),
             "" if each.printed is None else f"{each.printed:.6g}", said, each.reason]
        )  # fmt: skip
    return held.getvalue()


@dataclass(frozen=True)
class Departure:
    """A fresh number that does not fit the committed one."""

    cell: Cell
    committed: float
    allowed: float

    def __str__(self) -> str:
        at = "" if self.cell.at is None else f" at {self.cell.at}"
        return (
            f"{self.cell.graph}, {self.cell.method}{at}: {self.cell.measure} is "
            f"{self.cell.mean:.6g}, committed {self.committed:.6g} (± {self.allowed:.2g} allowed)"
        )


def departures(results: Results, folder: Path) -> tuple[list[Departure], int]:
    """The fresh numbers that do not fit those committed in a folder, and how many were compared.

    The fresh run may have fewer seeds, graphs and grid values. Its mean over n seeds may lie 4
    standard errors (of the committed spread, over n) or 1% from the committed mean. Times are left
    out.
    """
    path = folder / f"{results.study.name}.csv"
    if not path.exists():
        raise InputError(f"no committed results at {path}; name their folder with --results")
    committed = dict(_committed(path))
    found, compared = [], 0
    for cell in results.cells():
        if results.study.measures[cell.measure].clock:
            continue
        told = committed.get((cell.graph, cell.method, _text(cell), cell.measure))
        if told is None:
            continue
        mean, sd = told
        allowed = max(WIDTH * sd / math.sqrt(len(cell.values)), SLACK * abs(mean), 1e-9)
        compared += 1
        if abs(cell.mean - mean) > allowed:
            found.append(Departure(cell, mean, allowed))
    return found, compared


def _committed(path: Path) -> Iterator[tuple[tuple[str, ...], tuple[float, float]]]:
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            where = (row["graph"], row["method"], row["at"], row["measure"])
            yield where, (float(row["mean"]), float(row["sd"]))


def _text(cell: Cell) -> str:
    return "" if cell.at is None else str(cell.at)
