"""Our numbers against the printed ones: reproduced or not, and why not where that is known."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from lapwing.reproduce.results import Cell, Results
from lapwing.reproduce.study import Claim, Study

SIGNIFICANT = 0.05
ORDERS: Mapping[str, Callable[[float, float], bool]] = {
    "below": operator.lt,
    "above": operator.gt,
    "at most": operator.le,
    "at least": operator.ge,
}


@dataclass(frozen=True)
class Verdict:
    """One number beside the printed one; `same` is None where nothing was printed."""

    cell: Cell
    printed: float | None = None
    printed_sd: float = 0.0
    same: bool | None = None
    reason: str = ""


def verdict(study: Study, cell: Cell) -> Verdict:
    """Whether a number is the printed one.

    It is when it differs by at most the measure's tolerance, or by at most two standard errors of
    the difference (the paper's runs are taken to be `study.runs`).

    Examples
    --------
    >>> from lapwing.reproduce import load
    >>> table = load("gu2013/table2")
    >>> verdict(table, Cell("cora", "OLLGC", None, "binary_error", (0.075, 0.076))).same
    True
    >>> verdict(table, Cell("cora", "OLLGC", None, "binary_error", (0.175, 0.176))).same
    False
    """
    told = study.printed.get(cell.graph, {}).get(cell.method, {})
    measure = study.measures[cell.measure]
    value = _at(study, told.get(cell.measure), cell.at)
    if value is None:
        return Verdict(cell)
    sd = _at(study, told.get(f"{cell.measure}_sd"), cell.at) or 0.0
    scale = 0.01 if measure.percent else 1.0
    value, sd = scale * value, scale * sd
    if measure.clock or not measure.compared:
        return Verdict(cell, value, sd)
    error = math.sqrt(cell.sd**2 / len(cell.values) + sd**2 / study.runs)
    same = abs(cell.mean - value) <= max(measure.tolerance, 2 * error)
    why = "" if same else _reason(study, cell)
    return Verdict(cell, value, sd, same, why)


def verdicts(results: Results) -> list[Verdict]:
    """Every number of a study with its verdict."""
    return [verdict(results.study, cell) for cell in results.cells()]


def _at(study: Study, value: Any, at: Any) -> float | None:
    """A printed value: a number, or one of a list along the grid ("" where none is printed)."""
    if isinstance(value, list | tuple):
        places = study.grid.values if study.grid else ()
        value = value[places.index(at)] if at in places and places.index(at) < len(value) else None
    return float(value) if isinstance(value, int | float) and not math.isnan(value) else None


def _reason(study: Study, cell: Cell) -> str:
    for known in study.known:
        if known.explains(cell.graph, cell.method, cell.measure):
            return known.reason
    return "the reason is not known"


@dataclass(frozen=True)
class PairedTest:
    """A paired t-test over seeds: mean difference, t, and two-sided p."""

    graph: str
    method: str
    rival: str
    measure: str
    difference: float
    t: float
    p: float

    @property
    def significant(self) -> bool:
        """Whether p is below 5%."""
        return self.p < SIGNIFICANT


def paired_tests(results: Results) -> Iterator[PairedTest]:
    """The paired t-tests that a study asks for, where at least two seeds were run."""
    for measure, method, rival in results.study.tests:
        for graph in results.graphs:
            one, other = (results.cell(graph, name, measure) for name in (method, rival))
            if one is None or other is None:
                continue
            n = min(len(one.values), len(other.values))
            if n < 2:
                continue
            apart = np.array(one.values[:n]) - np.array(other.values[:n])
            if np.ptp(apart) == 0:
                continue
            stats = import_module("scipy.stats")  # slow to import, rarely needed
            found = stats.ttest_1samp(apart, 0.0)
            yield PairedTest(graph, method, rival, measure, float(apart.mean()),
                       float(found.statistic), float(found.pvalue))  # fmt: skip


@dataclass(frozen=True)
class ClaimOutcome:
    """A claim, at how many points it holds, of how many, and where it does not."""

    claim: Claim
    holds: int
    points: int
    fails: tuple[str, ...]


def checked(results: Results, claim: Claim) -> ClaimOutcome:
    """Hold a claim against the results."""
    outcomes: list[tuple[str, bool]] = []
    for graph in claim.graphs or tuple(results.graphs):
        outcomes += _along(results, claim, graph) if claim.kind in ("falls", "rises") else (
            _against(results, claim, graph)
        )  # fmt: skip
    fails = tuple(where for where, holds in outcomes if not holds)
    return ClaimOutcome(claim, len(outcomes) - len(fails), len(outcomes), fails)


def _along(results: Results, claim: Claim, graph: str) -> list[tuple[str, bool]]:
    """One outcome: the last value against the first along the grid."""
    cells = [
        results.cell(graph, claim.method, claim.measure, at)
        for at in results.places(graph, claim.method)
        if at is not None
    ]
    means = [cell.mean for cell in cells if cell is not None]
    if len(means) < 2:
        return []
    down = means[-1] < means[0]
    return [(graph, down if claim.kind == "falls" else not down)]


def _against(results: Results, claim: Claim, graph: str) -> list[tuple[str, bool]]:
    outcomes = []
    for rival in claim.than:
        for at in results.places(graph, claim.method):
            if claim.at and at not in claim.at:
                continue
            ours = results.cell(graph, claim.method, claim.measure, at)
            place = at if at in results.places(graph, rival) else None
            theirs = results.cell(graph, rival, claim.measure, place)
            if ours is None or theirs is None:
                continue
            where = f"{graph}, {rival}" + ("" if at is None else f", at {at}")
            outcomes.append((where, bool(ORDERS[claim.kind](ours.mean, theirs.mean))))
    return outcomes
