"""Committed reports whose words are written again from the committed numbers, without a run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from lapwing.errors import InputError
from lapwing.figures.page import Page
from lapwing.reproduce.committed_results import committed_numbers, summary_csv
from lapwing.reproduce.results import Numbers
from lapwing.reproduce.sections import (
    CLAIMS,
    DIFFERENCES,
    EXPERIMENTS,
    GAINS,
    PROTOCOL,
    add_claims,
    add_differences,
    add_experiments,
    add_gains,
    add_protocol,
    headline,
)
from lapwing.reproduce.study import Study

WRITTEN = (PROTOCOL, DIFFERENCES, EXPERIMENTS, GAINS, CLAIMS)
"""The sections that are written again; the others stay as they were committed."""
LAST = ("Left out", "How it was run")
TESTS = "Paired t-tests over seeds"


def refresh(study: Study, folder: Path) -> None:
    """Write a study's committed page and table again: protocol, reasons, experiments, claims.

    The numbers stay as they are, and so do tables, pictures and how it was run.
    """
    own = committed_numbers(study, folder)
    if own is None:
        raise InputError(f"no committed results of {study.name} in {folder}; run it with --record")
    varied = committed_numbers(study.experiments(), folder)
    page, table = folder / f"{study.name}.md", folder / f"{study.name}.csv"
    page.write_text(refreshed(page.read_text(encoding="utf-8"), own, varied), encoding="utf-8")
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
    pictures = [line for line in kept.get(PROTOCOL, "").splitlines() if line.startswith("![")]
    page = Page(f"{own.study.where}: {own.study.title}")
    page.text(headline(own, varied), lead=True)
    add_protocol(page, own.study)
    page.lines += [f"{line}\n" for line in pictures]
    _keep(page, {name: body for name, body in kept.items() if name not in (*LAST, TESTS)})
    add_differences(page, own, varied)
    add_experiments(page, own, varied)
    add_gains(page, own)
    _keep(page, {name: body for name, body in kept.items() if name == TESTS})
    add_claims(page, own)
    _keep(page, {name: body for name, body in kept.items() if name in LAST})
    return page.markdown()


def _sections(text: str) -> dict[str, str]:
    """The sections of a page by their headings, in order."""
    parts = re.split(r"^### (.*)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def _keep(page: Page, sections: Mapping[str, str]) -> None:
    for name, body in sections.items():
        if name not in WRITTEN:
            page.heading(name, level=3)
            page.lines += [body.strip("\n"), ""]
