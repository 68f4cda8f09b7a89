"""The tables of a report: our numbers, and the printed ones under them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lapwing.figures.page import Page
from lapwing.reproduce.comparison import verdict
from lapwing.reproduce.results import Cell, Numbers
from lapwing.reproduce.study import Study


def add_tables(page: Page, results: Numbers) -> None:
    """A table for each measure that the study names, one per graph where there is a grid."""
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


def _places(results: Numbers, graph: str) -> list[Any]:
    """The grid values of a table's columns; None last, for methods run once."""
    have = {repr(at) for method in results.methods for at in results.places(graph, method)}
    grid = results.study.grid
    values: tuple[Any, ...] = (*(grid.values if grid else ()), None)
    return [at for at in values if repr(at) in have]


def _place(at: Any) -> str:
    return "once" if at is None else str(at)


def _rows(results: Numbers, measure: str, graph: str | None) -> Iterator[list[str]]:
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
    other = study.printed_for.get(cell.graph)
    return f"{ours}\nprinted {f'for {other} ' if other else ''}{printed}{mark}"
