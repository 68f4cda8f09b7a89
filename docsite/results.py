"""Committed measurements, read from the tables under ``bench/results``."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from docsite.docstrings import in_cell

FOLDER = Path(__file__).resolve().parents[1] / "bench" / "results"
COLUMNS = (
    "study", "graph", "method", "learner", "measure", "mean", "sd", "n", "printed", "verdict",
    "reason",
)  # fmt: skip
SHOWN = {".md", ".png", ".svg", ".csv", ".html"}


@dataclass(frozen=True)
class Row:
    """One number of one study: ours, and the paper's where it prints one."""

    paper: str
    study: str
    graph: str
    method: str
    learner: str
    measure: str
    mean: str
    sd: str
    n: str
    printed: str
    verdict: str
    reason: str

    @property
    def value(self) -> str:
        """Mean and standard deviation as people write them."""
        if not self.mean:
            return ""
        return number(self.mean) + (f" ± {number(self.sd)}" if self.sd else "")


def rows(folder: Path = FOLDER) -> list[Row]:
    """Every number of every ``<paper>/<study>.csv``; none where nothing is committed."""
    found = []
    for path in sorted(folder.glob("*/*.csv")):
        with path.open(encoding="utf-8", newline="") as lines:
            table = csv.DictReader(lines)
            if not {"learner", "measure", "mean"} <= set(table.fieldnames or ()):
                continue
            for line in table:
                cells = {name: (line.get(name) or "").strip() for name in COLUMNS}
                cells["study"] = path.stem
                found.append(Row(paper=path.parent.name, **cells))
    return found


def table(found: Iterable[Row], *, up: str = "../") -> str:
    """The rows as a Markdown table whose studies are links; empty for no rows."""
    lines = [
        f"| [{row.paper}/{row.study}]({up}results/{row.paper}/{row.study}.md) | {row.graph} "
        f"| {in_cell(row.method)} | {row.measure} | {row.value} | {number(row.printed)} "
        f"| {in_cell(row.verdict + (f': {row.reason}' if row.reason else ''))} |"
        for row in found
    ]
    if not lines:
        return ""
    head = "| study | graph | as | measure | ours | printed | |\n|---|---|---|---|--:|--:|---|"
    return "\n".join([head, *lines])


def number(text: str) -> str:
    """A number to four figures; other words as they are.

    Examples
    --------
    >>> number("0.123456"), number("1234567"), number("n/a"), number("")
    ('0.1235', '1,234,567', 'n/a', '')
    """
    try:
        value = float(text)
    except ValueError:
        return text
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def files(folder: Path = FOLDER) -> list[Path]:
    """Everything committed that a page may show or link to."""
    return sorted(path for path in folder.rglob("*") if path.suffix in SHOWN)


def index(folder: Path = FOLDER) -> str:
    """The list of all studies, by paper; the page that was committed, if there is one."""
    written = folder / "index.md"
    if written.exists():
        return written.read_text(encoding="utf-8")
    parts = [
        "# Measured",
        "What the commands of [Reproduce a paper](../reproduce-a-paper.md) found in a full run, "
        "our numbers beside the printed ones.",
    ]
    for paper in sorted(path for path in folder.glob("*") if path.is_dir()):
        pages = [f"- [{page.stem}]({paper.name}/{page.name})" for page in paper.glob("*.md")]
        if pages:
            parts += [f"## {paper.name}", "\n".join(sorted(pages))]
    if len(parts) == 2:
        parts.append("No results are committed yet.")
    return "\n\n".join(parts) + "\n"
