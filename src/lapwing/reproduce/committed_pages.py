"""Committed reports, written again from the committed numbers without a run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from lapwing.errors import InputError
from lapwing.figures.page import Page
from lapwing.reproduce.committed_results import MergedNumbers, committed_numbers, summary_csv
from lapwing.reproduce.results import Numbers, Results
from lapwing.reproduce.sections import (
    add_claims,
    add_differences,
    add_experiments,
    add_gains,
    add_protocol,
    headline,
)
from lapwing.reproduce.study import Study
from lapwing.reproduce.tables import add_tables

KEPT = (TESTS, LEFT_OUT, HOW) = ("Paired t-tests over seeds", "Left out", "How it was run")
"""The sections that need more than the numbers; they stay as they were committed."""


def refresh(study: Study, folder: Path) -> None:
    """Write a study's committed page and table again: protocol, tables, reasons, claims.

    The numbers stay as they are, and so do pictures, tests and how it was run.
    """
    own = committed_numbers(study, folder)
    if own is None:
        raise InputError(f"no committed results of {study.name} in {folder}; run it with --record")
    varied = committed_numbers(study.experiments(), folder)
    page, table = folder / f"{study.name}.md", folder / f"{study.name}.csv"
    page.write_text(refreshed(page.read_text(encoding="utf-8"), own, varied), encoding="utf-8")
    table.write_text(summary_csv(own, varied), encoding="utf-8")


def add_rows(fresh: Results, folder: Path, command: str, varied: Numbers | None) -> None:
    """Put the numbers of a run of some rows into a study's committed page and table.

    The other rows stay as they were committed; the page says by which command rows were added.
    """
    name = fresh.study.name
    page, table = folder / f"{name}.md", folder / f"{name}.csv"
    if not (page.exists() and table.exists()):
        raise InputError(f"no committed results of {name} in {folder} to add rows to")
    own = MergedNumbers(fresh, table)
    text = page.read_text(encoding="utf-8").rstrip("\n")
    line = f"| some rows | {command} |"
    text += "" if line in text else f"\n{line}"
    page.write_text(refreshed(text + "\n", own, varied), encoding="utf-8")
    table.write_text(summary_csv(own, varied), encoding="utf-8")


def refreshed(text: str, own: Numbers, varied: Numbers | None) -> str:
    r"""A committed page with its words written again.

    Examples
    --------
    >>> from lapwing.reproduce import Results, load_study
    >>> study = load_study("herbster2006/octopus")
    >>> old = "# Old\n\n### Protocol\n\nOld words.\n\n### How it was run\n\nOnce.\n"
    >>> new = refreshed(old, Results(study, []), None)
    >>> new.splitlines()[0], "Old words" in new, new.endswith("Once.\n")
    ('# Herbster and Pontil 2006, Figure 5 and section 5.1: ...', False, True)
    """
    kept = _sections(text)
    page = Page(f"{own.study.where}: {own.study.title}")
    page.text(headline(own, varied), lead=True)
    add_protocol(page, own.study)
    add_tables(page, own)
    page.lines += [f"{line}\n" for line in text.splitlines() if line.startswith("![")]
    add_differences(page, own, varied)
    add_experiments(page, own, varied)
    add_gains(page, own)
    _keep(page, kept, TESTS)
    add_claims(page, own)
    _keep(page, kept, LEFT_OUT)
    _keep(page, kept, HOW)
    return page.markdown()


def _sections(text: str) -> dict[str, str]:
    """The sections of a page by their headings, in order."""
    parts = re.split(r"^### (.*)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def _keep(page: Page, sections: Mapping[str, str], name: str) -> None:
    if name in sections:
        page.heading(name, level=3)
        page.lines += [sections[name].strip("\n"), ""]
