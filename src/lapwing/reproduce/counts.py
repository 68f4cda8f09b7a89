"""How many printed numbers are reproduced, explained by an experiment, or not explained."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lapwing.figures.page import Page
from lapwing.reproduce.committed_results import committed_numbers
from lapwing.reproduce.comparison import checked
from lapwing.reproduce.reasons import EXPLAINED, REPRODUCED, reasons
from lapwing.reproduce.study import load_study, names

HEADER = (
    "study", "printed numbers", "reproduced", "explained by an experiment", "not explained",
    "experiments", "claims that hold at every point", "points of claims that hold",
)  # fmt: skip
WORDS = """
Every number that the papers print in a table or in the text, as the committed results have it. A
number is reproduced when ours differs from it by no more than the measure's tolerance or two
standard errors of the difference. It is explained when an experiment, one thing read differently,
meets it and does not meet fewer of the row's numbers on that graph than the study itself. An
experiment whose setting is fitted shows what can explain a number, not what does. Everything else
is not explained, whatever a study remarks on it. Claims are counted point by point: each rival at
each grid value, or each step from one grid value to the next.
"""


def counts_page(folder: Path) -> str:
    """The counts of all committed studies as a Markdown page.

    Examples
    --------
    >>> print(counts_page(Path("nowhere")).splitlines()[0])
    # Printed numbers, reproduced and explained
    """
    page = Page("Printed numbers, reproduced and explained").text(WORDS)
    rows = dict(_rows(folder))
    rows["all"] = [sum(column) for column in zip(*rows.values(), strict=True)] or [0] * 9
    page.numbers(
        HEADER,
        (
            [name, *map(str, told[:5]), f"{told[5]} of {told[6]}", f"{told[7]} of {told[8]}"]
            for name, told in rows.items()
        ),
    )
    page.text(
        "`lapwing reproduce STUDY --variants` runs a study's experiments; "
        "`lapwing reproduce --all --refresh` writes this page again from the committed numbers."
    )
    return page.markdown()


def _rows(folder: Path) -> Iterator[tuple[str, list[int]]]:
    for name in names():
        study = load_study(name)
        own = committed_numbers(study, folder)
        if own is None:
            continue
        varied = committed_numbers(study.experiments(), folder)
        kinds = [each.kind for each in reasons(own, varied) if each.kind]
        outcomes = [checked(own, claim) for claim in study.claims if not claim.beyond]
        stood = [each for each in outcomes if each.points]
        if not kinds and not stood:
            continue
        same, met = kinds.count(REPRODUCED), kinds.count(EXPLAINED)
        yield name, [
            len(kinds), same, met, len(kinds) - same - met, len(study.variants),
            sum(each.holds == each.points for each in stood), len(stood),
            sum(each.holds for each in stood), sum(each.points for each in stood),
        ]  # fmt: skip
