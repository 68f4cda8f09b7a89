"""What ``lapwing reproduce`` ran: written as reports, tables and pictures, told, and checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lapwing.cli.output import console, rows_table
from lapwing.figures.page import Page
from lapwing.io import write_text
from lapwing.reproduce import Results
from lapwing.reproduce.committed_pages import add_rows
from lapwing.reproduce.committed_results import departures, summary_csv
from lapwing.reproduce.reasons import EXPLAINED, REPRODUCED, reasons
from lapwing.reproduce.report import Circumstances, page_of, whole_page
from lapwing.reproduce.results import Numbers, write_database
from lapwing.reproduce.sections import headline


@dataclass
class Ran:
    """A study that was run by a command, how long it took, and what could not be run.

    `varied` are the committed numbers of its experiments, where there are any.
    """

    results: Results
    command: str
    seconds: float
    left_out: dict[str, str] = field(default_factory=dict)
    varied: Numbers | None = None

    @property
    def name(self) -> str:
        """The study's name."""
        return self.results.study.name

    def as_dict(self) -> dict[str, Any]:
        """The outcome, ready for JSON."""
        kinds = [each.kind for each in reasons(self.results, self.varied) if each.kind]
        return {
            "study": self.name,
            "trials": len(self.results.records),
            "seconds": self.seconds,
            "printed": len(kinds),
            "reproduced": kinds.count(REPRODUCED),
            "explained": kinds.count(EXPLAINED),
            "left_out": self.left_out,
        }


def write(
    runs: Sequence[Ran], output: Path, record: Path | None, *, some_rows: bool = False
) -> None:
    """Reports, tables and pictures of each study, and of all together.

    Where `some_rows` were run, the others of the recorded study stay as they are.
    """
    pages: dict[str, Page] = {}
    for run in runs:
        page = page_of(run.results, Circumstances(run.command, run.left_out), run.varied)
        pages[run.name] = page
        page.written(output / run.name / "report.html")
        _as_text(page, run, output / run.name, "report")
        if record is not None and some_rows:
            add_rows(run.results, record, run.command, run.varied)
        elif record is not None:
            _as_text(page, run, (record / run.name).parent, Path(run.name).name)
    if len(runs) > 1:
        whole_page(pages, "The papers, reproduced").written(output / "report.html")
    write_database([run.results for run in runs], output)


def _as_text(page: Page, run: Ran, folder: Path, stem: str) -> None:
    page.written(folder / f"{stem}.md")
    write_text(summary_csv(run.results, run.varied), folder / f"{stem}.csv")


def print_outcomes(runs: Sequence[Ran], output: Path) -> None:
    """Print the outcome of each study, and where its files are."""
    rows = [
        [run.name, len(run.results.records), f"{run.seconds:.0f} s",
         headline(run.results, run.varied)]
        for run in runs
    ]  # fmt: skip
    console.print(rows_table(["study", "trials", "took", "outcome"], rows))
    for run in runs:
        for what, why in run.left_out.items():
            console.print(f"left out of {run.name}: {what}: {why}", style="yellow", markup=False)
    report = output if len(runs) > 1 else output / runs[0].name
    console.print(f"report:  {report / 'report.html'}", soft_wrap=True)
    console.print(f"numbers: {output / 'results.parquet'}", soft_wrap=True)


def check(runs: Sequence[Ran], folder: Path) -> int:
    """Print how the runs agree with the committed results; return how many numbers do not."""
    wrong = 0
    for run in runs:
        found, compared = departures(run.results, folder)
        wrong += len(found)
        console.print(f"{run.name}: {compared - len(found)} of {compared} numbers agree")
        for each in found:
            console.print(f"  {each}", style="red", markup=False)
    return wrong
