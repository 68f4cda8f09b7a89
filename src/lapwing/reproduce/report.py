"""The report of a study: numbers, figures, tests and how it was run."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

from lapwing.figures.page import Page
from lapwing.reproduce.drawings import pictures
from lapwing.reproduce.results import Numbers, Results
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
from lapwing.reproduce.tables import add_tables

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
    add_tables(page, results)
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
