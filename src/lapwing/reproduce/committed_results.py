"""Compare a fresh run with the committed results."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lapwing.errors import InputError
from lapwing.io import table_text
from lapwing.reproduce.reasons import reasons
from lapwing.reproduce.results import Cell, Numbers, Results
from lapwing.reproduce.study import Study

COLUMNS = (
    "study", "graph", "method", "learner", "at", "measure",
    "mean", "sd", "n", "printed", "verdict", "experiment", "reason",
)  # fmt: skip
WIDTH = 4.0
"""Number of standard errors allowed between a fresh mean and the committed one."""
SLACK = 0.01
"""Relative difference allowed for numbers whose spread is small or unknown."""


class CommittedNumbers(Numbers):
    """The numbers of a study as they are committed: means, spreads and how many seeds."""

    def __init__(self, study: Study, path: Path) -> None:
        self.study = study
        places: dict[str, Any] = {str(at): at for at in (study.grid.values if study.grid else ())}
        methods = {method.name for method in study.methods}
        self._cells = {}
        for (graph, method, at, measure), told in _committed(path):
            if graph in study.graphs and method in methods and (not at or at in places):
                place = places[at] if at else None
                found = Cell(graph, method, place, measure, (), told)
                self._cells[graph, method, repr(place), measure] = found
        self._at = {key[:3] for key in self._cells}

    def measured_at(self) -> set[tuple[str, str, str]]:
        """Where there are numbers: graph, method and the grid value's repr."""
        return self._at

    def cell(self, graph: str, method: str, measure: str, at: Any = None) -> Cell | None:
        """One number, or None where it was not committed."""
        return self._cells.get((graph, method, repr(at), measure))


def committed_numbers(study: Study, folder: Path) -> CommittedNumbers | None:
    """What is committed of a study in a folder, or None.

    Examples
    --------
    >>> from lapwing.reproduce import load_study
    >>> committed_numbers(load_study("gu2013/table2"), Path("nowhere")) is None
    True
    """
    path = folder / f"{study.name}.csv"
    return CommittedNumbers(study, path) if path.exists() else None


def summary_csv(results: Numbers, varied: Numbers | None = None) -> str:
    """Every number as text: mean, spread, what was printed, the verdict and the reason."""
    rows: list[list[Any]] = []
    for each in reasons(results, varied):
        found, cell, study = each.verdict, each.verdict.cell, results.study
        said = {None: "", True: "reproduced", False: "not reproduced"}[found.same]
        rows.append(
            [study.name, cell.graph, cell.method, study.method(cell.method).learner,
             "" if cell.at is None else str(cell.at), cell.measure, f"{cell.mean:.6g}",
             f"{cell.sd:.6g}", cell.n, "" if found.printed is None else f"{found.printed:.6g}",
             said, each.by, " ".join(filter(None, (each.words, each.remark)))]
        )  # fmt: skip
    return table_text({name: [row[at] for row in rows] for at, name in enumerate(COLUMNS)})


class MergedNumbers(CommittedNumbers):
    """Committed numbers, with those of a fresh run of some rows in their place.

    Examples
    --------
    >>> from lapwing.reproduce import Results, load_study
    >>> study = load_study("herbster2006/octopus")
    >>> MergedNumbers(Results(study, []), Path("nowhere.csv")).cells()
    []
    """

    def __init__(self, fresh: Results, path: Path) -> None:
        super().__init__(fresh.study, path)
        for cell in fresh.cells():
            told = (cell.mean, cell.sd, cell.n)
            key = (cell.graph, cell.method, repr(cell.at), cell.measure)
            self._cells[key] = Cell(cell.graph, cell.method, cell.at, cell.measure, (), told)
        self._at = {key[:3] for key in self._cells}


@dataclass(frozen=True)
class Departure:
    """A fresh number that does not agree with the committed one."""

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
        mean, sd, _ = told
        allowed = max(WIDTH * sd / math.sqrt(cell.n), SLACK * abs(mean), 1e-9)
        compared += 1
        if abs(cell.mean - mean) > allowed:
            found.append(Departure(cell, mean, allowed))
    return found, compared


def _committed(path: Path) -> Iterator[tuple[tuple[str, str, str, str], tuple[float, float, int]]]:
    if not path.exists():
        return
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            where = (row["graph"], row["method"], row["at"], row["measure"])
            yield where, (float(row["mean"]), float(row["sd"]), int(row["n"]))


def _text(cell: Cell) -> str:
    return "" if cell.at is None else str(cell.at)
