"""The report of a study: numbers, figures, tests and how it was run."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

from lapwing.figures.page import Page
from lapwing.reproduce.comparison import verdict
from lapwing.reproduce.drawings import pictures
from lapwing.reproduce.results import Cell, Numbers, Results
from lapwing.reproduce.sections import (
    add_claims,
    add_differences,
    add_experiments,
    add_gains,
    add_protocol,
    add_tests,
    headline,
)
from lapwing.reproduce.study import Study

PACKAGES = ("lapwing", "numpy", "scipy", "numba", "scikit-learn")


@dataclass(frozen=True)
class Circumstances:
    """How results were made: the command, and what could not be run and why."""

    command: str
    left_out: Mapping[str, str] = field(default_factory=dict)


def page_of(results: Results, how: Circumstances, varied: Numbers | None = None) -> Page:
    """The report of one study; `varied` are the numbers of its experiments, where there are."""
    study = results.study
    page = Page(f"{study.where}: {study.title}")
    page.text(headline(results, varied), lead=True)
    add_protocol(page, study)
    _tables(page, results)
    for name, caption, figure in pictures(results):
        page.figure(figure, caption, name=name)
    add_differences(page, results, varied)
    add_experiments(page, results, varied)
    add_gains(page, results)
    add_tests(page, results)
    add_claims(page, results)
    _left_out(page, study, results, how)
    page.heading("How it was run", level=3).table(_circumstances(results, how))
    return page


def _tables(page: Page, results: Results) -> None:
    study = results.study
    if not study.tables:
        return
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
    >>> from lapwing.reproduce import Cell, load_study
    >>> cell = Cell("cora", "GPA", None, "queries", (2485.0,))
    >>> print(cell_text(load_study("gu2013/table2"), cell))
    2,485
    printed 2,485 =
    """
    if cell is None:
        return ""
    measure, found = study.measures[cell.measure], verdict(study, cell)
    ours = measure.shown(cell.mean)
    if cell.n > 1 and cell.sd > 0:
        ours += f" ± {measure.shown(cell.sd)}"
    if found.printed is None:
        return ours
    printed = measure.shown(found.printed)
    if found.printed_sd:
        printed += f" ± {measure.shown(found.printed_sd)}"
    mark = "" if found.same is None else " =" if found.same else " ≠"
    return f"{ours}\nprinted {printed}{mark}"


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
