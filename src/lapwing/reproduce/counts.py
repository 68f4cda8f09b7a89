"""How many printed numbers are reproduced, explained by an experiment, or not explained."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass
from pathlib import Path

from lapwing.figures.page import Page
from lapwing.reproduce.committed_results import committed_numbers
from lapwing.reproduce.comparison import checked
from lapwing.reproduce.reasons import EXPLAINED, REPRODUCED, Reason, reasons
from lapwing.reproduce.study import load_study, names

HEADER = (
    "study", "printed numbers", "reproduced before", "reproduced", "explained by an experiment",
    "of these by a fitted setting", "not explained", "of these with experiments", "experiments",
    "claims that hold at every point", "points of claims that hold",
)  # fmt: skip
BEFORE = "reproduced-before.csv"
"""The counts before reasons were tested: study, printed numbers, reproduced numbers."""
WORDS = """
A number is reproduced when ours differs from it by no more than the measure's tolerance or two
standard errors of the difference. It is explained when an experiment, one thing read differently,
meets it and does not meet fewer of the row's numbers on that graph than the study itself. An
experiment whose setting is fitted shows what can explain a number, not what does. Everything else
is not explained, and each study's page lists what was tried. Claims are counted point by point:
each rival at each grid value, or each step from one grid value to the next. *Before* is the count
before experiments were made; a study without one is new. Since then 29 reproduced numbers came with
new studies, and 4 with figures that print a single run, which is now taken to spread as ours do;
Ye et al.'s Table 6 lost 2 when it was run with ten draws instead of five.
"""


@dataclass(frozen=True)
class OutcomeCounts:
    """The counts of one study, in the order of the table."""

    printed: int = 0
    before: int = 0
    reproduced: int = 0
    explained: int = 0
    fitted: int = 0
    unexplained: int = 0
    tried: int = 0
    experiments: int = 0
    whole_claims: int = 0
    claims: int = 0
    points_held: int = 0
    points: int = 0


def counts_page(folder: Path) -> str:
    """The counts of all committed studies as a Markdown page.

    Examples
    --------
    >>> print(counts_page(Path("nowhere")).splitlines()[0])
    # Printed numbers, reproduced and explained
    """
    rows = dict(_rows(folder))
    columns = zip(*(astuple(each) for each in rows.values()), strict=True)
    whole = OutcomeCounts(*(sum(column) for column in columns))
    page = Page("Printed numbers, reproduced and explained")
    page.text(
        f"Of {whole.printed} numbers that the papers print, {whole.reproduced} are reproduced, "
        f"{whole.explained} more are met by an experiment that reads one thing differently, and "
        f"{whole.unexplained} are not explained by anything tried."
    )
    page.text("![Printed numbers by study](reproduced.png)")
    page.text(WORDS)
    page.numbers(HEADER, (_cells(name, told) for name, told in {**rows, "all": whole}.items()))
    page.text(
        "`lapwing reproduce STUDY --variants` runs a study's experiments; "
        "`lapwing reproduce --all --refresh` writes this page again from the committed numbers, "
        "and `python -m bench.pictures` draws its picture."
    )
    return page.markdown()


def _cells(name: str, told: OutcomeCounts) -> list[str]:
    *counts, whole, claims, held, points = astuple(told)
    return [name, *map(str, counts), f"{whole} of {claims}", f"{held} of {points}"]


def _rows(folder: Path) -> Iterator[tuple[str, OutcomeCounts]]:
    before = _before(folder / BEFORE)
    for name in names():
        study = load_study(name)
        own = committed_numbers(study, folder)
        if own is None:
            continue
        varied = committed_numbers(study.experiments(), folder)
        found = [each for each in reasons(own, varied) if each.kind]
        outcomes = [checked(own, claim) for claim in study.claims if not claim.beyond]
        stood = [each for each in outcomes if each.points]
        if not found and not stood:
            continue
        same = [each for each in found if each.kind == REPRODUCED]
        met = [each for each in found if each.kind == EXPLAINED]
        yield name, OutcomeCounts(
            len(found), before.get(name, 0), len(same), len(met),
            sum(_fitted(each) for each in met), len(found) - len(same) - len(met),
            sum(bool(each.experiments) for each in found if each not in met),
            len(study.variants),
            sum(each.holds == each.points for each in stood), len(stood),
            sum(each.holds for each in stood), sum(each.points for each in stood),
        )  # fmt: skip


def _fitted(reason: Reason) -> bool:
    """Whether only experiments with fitted settings meet the number."""
    return all(each.variant.fitted for each in reason.experiments if each.explains)


def _before(path: Path) -> Mapping[str, int]:
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        return {row["study"]: int(row["reproduced"]) for row in csv.DictReader(file)}
