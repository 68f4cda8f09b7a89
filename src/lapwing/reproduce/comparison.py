"""Compare our numbers with the printed ones, and check the paper's claims."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np

from lapwing.reproduce.parts import Claim
from lapwing.reproduce.results import Cell, Numbers, Results
from lapwing.reproduce.study import Study

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


def verdict(study: Study, cell: Cell) -> Verdict:
    """Whether a number is the printed one.

    It is when it differs by at most the measure's tolerance, or by at most two standard errors of
    the difference (the paper's runs are taken to be `study.runs`). Where the paper prints a
    single run, that run is taken to spread as ours do.

    Examples
    --------
    >>> from lapwing.reproduce import load_study
    >>> table = load_study("gu2013/table2")
    >>> verdict(table, Cell("cora", "OLLGC", None, "binary_error", (0.075, 0.076))).same
    True
    >>> verdict(table, Cell("cora", "OLLGC", None, "binary_error", (0.175, 0.176))).same
    False
    """
    told = study.printed.get(cell.graph, {}).get(cell.method, {})
    measure = study.measures[cell.measure]
    value = printed_value(study, told.get(cell.measure), cell.at)
    if value is None:
        return Verdict(cell)
    sd = printed_value(study, told.get(f"{cell.measure}_sd"), cell.at) or 0.0
    scale = 0.01 if measure.percent else 1.0
    value, sd = scale * value, scale * sd
    if measure.clock or not measure.compared or cell.graph in study.printed_for:
        return Verdict(cell, value, sd)
    theirs = sd or measure.spread or (cell.sd if study.runs == 1 else 0.0)
    error = math.sqrt(cell.sd**2 / cell.n + theirs**2 / study.runs)
    same = abs(cell.mean - value) <= max(measure.tolerance, 2 * error)
    return Verdict(cell, value, sd, same)


def verdicts(results: Numbers) -> list[Verdict]:
    """Every number of a study with its verdict."""
    return [verdict(results.study, cell) for cell in results.cells()]


def printed_value(study: Study, value: Any, at: Any) -> float | None:
    """What is printed at a grid value: the number, or one of a list along the grid.

    Examples
    --------
    >>> from lapwing.reproduce import load_study
    >>> printed_value(load_study("ye2017/table6"), [36.7, 38.9], 0.03)
    38.9
    """
    if isinstance(value, list | tuple):
        places = study.grid.values if study.grid else ()
        value = value[places.index(at)] if at in places and places.index(at) < len(value) else None
    return float(value) if isinstance(value, int | float) and not math.isnan(value) else None


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


def checked(results: Numbers, claim: Claim) -> ClaimOutcome:
    """Check a claim against the results, point by point.

    A point of "falls" and "rises" is a step from one grid value to the next; a point of the others
    is a rival at a grid value.

    Examples
    --------
    >>> from lapwing.reproduce import load_study
    >>> study = load_study("gu2013/figure1")
    >>> told = [{"graph": "cora", "method": "GPA", "at": at, "seed": 0,
    ...          "measured": {"binary_error": 1 / at if at != 100 else 1.0}}
    ...         for at in study.grid.values]
    >>> claim = next(each for each in study.claims if each.method == "GPA")
    >>> outcome = checked(Results(study, told), claim)
    >>> outcome.holds, outcome.points, outcome.fails
    (5, 6, ('cora, from 50 to 100',))
    """
    outcomes: list[tuple[str, bool]] = []
    for graph in claim.graphs or tuple(results.graphs):
        along = claim.kind in ("falls", "rises")
        outcomes += (_along if along else _against)(results, claim, graph)
    fails = tuple(where for where, holds in outcomes if not holds)
    return ClaimOutcome(claim, len(outcomes) - len(fails), len(outcomes), fails)


def _along(results: Numbers, claim: Claim, graph: str) -> list[tuple[str, bool]]:
    """One outcome for each step along the grid: every value against the one before it."""
    found = [
        (at, results.cell(graph, claim.method, claim.measure, at))
        for at in results.places(graph, claim.method)
        if at is not None and (not claim.at or at in claim.at)
    ]
    means = [(at, cell.mean) for at, cell in found if cell is not None]
    order = operator.lt if claim.kind == "falls" else operator.gt
    return [
        (f"{graph}, from {before} to {at}", bool(order(now, then)))
        for (before, then), (at, now) in pairwise(means)
    ]


def _against(results: Numbers, claim: Claim, graph: str) -> list[tuple[str, bool]]:
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
