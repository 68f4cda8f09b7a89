"""A report of a study: our numbers beside the printed ones, figures, tests, how it was run."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

from lapwing.figures.page import Page
from lapwing.reproduce.comparison import Verdict, checked, paired_tests, verdict, verdicts
from lapwing.reproduce.drawings import pictures
from lapwing.reproduce.results import Cell, Results
from lapwing.reproduce.study import Study

PACKAGES = ("lapwing", "numpy", "scipy", "numba", "scikit-learn")
CELLS = "Each cell: our mean ± standard deviation over the seeds"
PRINTED = (
    ", and under it the printed number, marked = where ours differs from it by no more than the "
    "tolerance or two standard errors of the difference, and ≠ where it differs by more"
)
BEYOND = " Rows that begin with + are not in the paper."


@dataclass(frozen=True)
class Circumstances:
    """How results came about: the command, and what could not be run and why."""

    command: str
    left_out: Mapping[str, str] = field(default_factory=dict)


def page_of(results: Results, how: Circumstances) -> Page:
    """The report of one study."""
    study = results.study
    page = Page(f"{study.where}: {study.title}")
    found = verdicts(results)
    page.text(headline(results, found), lead=True)
    page.heading("Protocol", level=3).text(study.protocol.strip())
    page.points(study.notes)
    _tables(page, results)
    for name, caption, figure in pictures(results):
        page.figure(figure, caption, name=name)
    _differences(page, found)
    _tests(page, results)
    _claims(page, results)
    _left_out(page, study, results, how)
    page.heading("How it was run", level=3).table(_circumstances(results, how))
    return page


def headline(results: Results, found: Sequence[Verdict]) -> str:
    """What came out, in one sentence.

    Examples
    --------
    >>> from lapwing.reproduce import Results, load
    >>> headline(Results(load("gu2013/table2"), []), [])
    'Nothing was run.'
    """
    if not results.records:
        return "Nothing was run."
    compared = [each for each in found if each.same is not None]
    same = sum(bool(each.same) for each in compared)
    words = []
    if compared:
        words.append(f"{same} of {len(compared)} printed numbers are reproduced")
    outcomes = [checked(results, claim) for claim in results.study.claims if not claim.beyond]
    stood = [each for each in outcomes if each.points]
    if stood:
        whole = sum(each.holds == each.points for each in stood)
        words.append(f"{whole} of {len(stood)} claims of the paper hold at every point")
    return (" and ".join(words) or "There are no printed numbers to compare with") + "."


def _legend(study: Study) -> str:
    """What a cell holds; printed numbers and rows beyond the paper only where there are some."""
    rows = BEYOND if any(method.beyond for method in study.methods) else ""
    return f"{CELLS}{PRINTED if study.printed else ''}.{rows}"


def _tables(page: Page, results: Results) -> None:
    study = results.study
    if not study.tables:
        return
    page.text(_legend(study))
    for name in study.tables:
        measure = study.measures[name]
        title = measure.title + (", %" if measure.percent and "%" not in measure.title else "")
        if study.grid is None:
            page.heading(title, level=3)
            page.numbers(["", *results.graphs], _rows(results, name, None))
            continue
        for graph in results.graphs:
            page.heading(f"{title}: {graph}", level=3)
            places = _places(results, graph)
            page.numbers([study.grid.title or study.grid.name, *(_place(at) for at in places)],
                         _rows(results, name, graph))  # fmt: skip


def _places(results: Results, graph: str) -> list[Any]:
    """The grid values of a table's columns; None last, for methods run once."""
    have = {repr(at) for method in results.methods for at in results.places(graph, method)}
    grid = results.study.grid
    values: tuple[Any, ...] = (*(grid.values if grid else ()), None)
    return [at for at in values if repr(at) in have]


def _place(at: Any) -> str:
    return "once" if at is None else str(at)


def _rows(results: Results, measure: str, graph: str | None) -> Iterator[list[str]]:
    for method in results.methods:
        name = ("+ " if results.study.method(method).beyond else "") + method
        if graph is None:
            cells = [results.cell(each, method, measure) for each in results.graphs]
        else:
            places = _places(results, graph)
            cells = [results.cell(graph, method, measure, at) for at in places]
        if any(cell is not None for cell in cells):
            yield [name, *(cell_text(results.study, cell) for cell in cells)]


def cell_text(study: Study, cell: Cell | None) -> str:
    """A cell of a table: ours, and under it what the paper prints.

    Examples
    --------
    >>> from lapwing.reproduce import Cell, load
    >>> print(cell_text(load("gu2013/table2"), Cell("cora", "GPA", None, "queries", (2485.0,))))
    2,485
    printed 2,485 =
    """
    if cell is None:
        return ""
    measure, found = study.measures[cell.measure], verdict(study, cell)
    ours = measure.shown(cell.mean)
    if len(cell.values) > 1 and cell.sd > 0:
        ours += f" ± {measure.shown(cell.sd)}"
    if found.printed is None:
        return ours
    printed = measure.shown(found.printed)
    if found.printed_sd:
        printed += f" ± {measure.shown(found.printed_sd)}"
    mark = "" if found.same is None else " =" if found.same else " ≠"
    return f"{ours}\nprinted {printed}{mark}"


def _differences(page: Page, found: Sequence[Verdict]) -> None:
    """Every printed number that was not reached, those of one reason together."""
    by_reason: dict[str, list[str]] = {}
    for each in found:
        if each.same is False:
            cell = each.cell
            at = "" if cell.at is None else f" at {cell.at}"
            by_reason.setdefault(each.reason, []).append(
                f"{cell.method} on {cell.graph}{at} ({cell.measure})"
            )
    if by_reason:
        page.heading("Not reproduced, and why", level=3)
        rows = [[reason, "; ".join(where)] for reason, where in by_reason.items()]
        page.numbers(["reason", "numbers"], rows)


def _tests(page: Page, results: Results) -> None:
    told = [
        [each.graph, each.measure, f"{each.method} less {each.rival}", f"{each.difference:+.4f}",
         f"{each.t:.1f}", f"{each.p:.1e}", "yes" if each.significant else "no"]
        for each in paired_tests(results)
    ]  # fmt: skip
    if told:
        page.heading("Paired t-tests over seeds", level=3)
        page.numbers(
            ["graph", "measure", "difference", "mean", "t", "p", "significant at 5%"], told
        )


def _claims(page: Page, results: Results) -> None:
    told = []
    for claim in results.study.claims:
        outcome = checked(results, claim)
        if outcome.points:
            words = ("+ " if claim.beyond else "") + claim.says
            told.append([words, f"{outcome.holds} of {outcome.points}", "; ".join(outcome.fails)])
    if told:
        page.heading("What the paper says of it", level=3)
        page.numbers(["claim", "holds at", "does not hold at"], told)


def _left_out(page: Page, study: Study, results: Results, how: Circumstances) -> None:
    told = [
        f"{method.name} on {graph}: {why}"
        for method in study.methods
        for graph, why in method.not_on.items()
        if graph in results.graphs
    ]
    told += [f"{what}: {why}" for what, why in how.left_out.items()]
    if told:
        page.heading("Left out", level=3).points(told)


def _circumstances(results: Results, how: Circumstances) -> list[tuple[str, Any]]:
    seeds = sorted({record["seed"] for record in results.records})
    return [
        ("command", how.command),
        ("seeds", f"{seeds[0]} to {seeds[-1]}" if seeds else "none"),
        ("trials", f"{len(results.records):,}"),
        ("time", f"{results.seconds():,.0f} s over all trials, each on one core"),
        ("versions", ", ".join(f"{name} {version(name)}" for name in PACKAGES)),
        ("machine", machine()),
    ]


def machine() -> str:
    """The kind of computer, for a reader who compares times.

    Examples
    --------
    >>> "cores" in machine()
    True
    """
    return (
        f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}, "
        f"Python {platform.python_version()}"
    )


def whole_page(pages: Mapping[str, Page], title: str) -> Page:
    """All reports in one page, with links to each."""
    page = Page(title)
    page.links((each.title, f"#{name.replace('/', '-')}") for name, each in pages.items())
    for name, each in pages.items():
        page.joined(each, name=name.replace("/", "-"))
    return page
