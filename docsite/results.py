"""Committed measurements, read from the tables under ``bench/results``."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from docsite.docstrings import in_cell

FOLDER = Path(__file__).resolve().parents[1] / "bench" / "results"
COLUMNS = (
    "study", "graph", "method", "learner", "at", "measure", "mean", "sd", "n", "printed",
    "verdict", "reason",
)  # fmt: skip
GAP = "\N{NO-BREAK SPACE}"
MOST_PLACES = 10
"""Of a longer grid only some places are shown; the study has all."""
SHOWN = {".md", ".png", ".svg", ".csv", ".html"}


@dataclass(frozen=True)
class Row:
    """One number of one study: ours, and the paper's where it prints one."""

    paper: str
    study: str
    graph: str
    method: str
    learner: str
    at: str
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
        spread = number(self.sd)
        return number(self.mean) + (f"{GAP}±{GAP}{spread}" if spread not in ("", "0") else "")

    @property
    def place(self) -> str:
        """Where on a study's grid, before a value; nothing where there is no grid."""
        return f"{number(self.at)}:{GAP}" if self.at else ""


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
    """The rows as a Markdown table whose studies are links; empty for no rows.

    Rows that differ only in where on a grid they were measured are one line.
    """
    lines: dict[tuple[str, ...], list[Row]] = {}
    for row in found:
        key = (row.paper, row.study, row.graph, row.method, row.measure)
        lines.setdefault(key, []).append(row)
    if not lines:
        return ""
    head = "| study | graph | as | measure | ours | printed | |\n|---|---|---|---|---|---|---|"
    return "\n".join([head, *(_line(together, up) for together in lines.values())])


def _line(together: list[Row], up: str) -> str:
    first = together[0]
    link = f"[{first.paper}/{first.study}]({up}results/{first.paper}/{first.study}.md)"
    shown = together if len(together) <= MOST_PLACES else together[:: -(-len(together) // 5)]
    ours = "<br>".join(row.place + row.value for row in shown)
    printed = "<br>".join(row.place + number(row.printed) for row in shown if row.printed)
    cells = (link, first.graph, first.method, first.measure, ours, printed, _verdict(together))
    return f"| {' | '.join(map(in_cell, cells))} |"


def _verdict(together: list[Row]) -> str:
    """What became of the printed numbers, and why where they were not met."""
    judged = [row for row in together if row.verdict]
    if not judged:
        return ""
    same = sum(row.verdict == "reproduced" for row in judged)
    many = f"{same} of {len(judged)} reproduced"
    reasons = dict.fromkeys(row.reason for row in judged if row.reason)
    return ": ".join([judged[0].verdict if len(judged) == 1 else many, *reasons])


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
    found = sorted(path for path in folder.rglob("*") if path.suffix in SHOWN)
    return [path for path in found if path not in _front(folder)]


def studies(folder: Path = FOLDER) -> dict[str, list[Path]]:
    """The committed pages by paper; those of no paper under the empty name."""
    found: dict[str, list[Path]] = {}
    for path in files(folder):
        if path.suffix == ".md":
            paper = path.parent.relative_to(folder).as_posix()
            found.setdefault("" if paper == "." else paper, []).append(path)
    return dict(sorted(found.items()))


def index(folder: Path = FOLDER) -> str:
    """The list of all studies, by paper; the page that was committed, if there is one."""
    written = next((path for path in _front(folder) if path.exists()), None)
    if written:
        return written.read_text(encoding="utf-8")
    parts = [
        "# Benchmarks",
        "Results of a full run of the benchmarks and of the studies in "
        "[Reproduce a paper](../reproduce-a-paper.md).",
    ]
    for paper, pages in studies(folder).items():
        parts += [f"## {paper}"] if paper else []
        parts.append("\n".join(_listed(page, folder) for page in pages))
    if len(parts) == 2:
        parts.append("No results are committed yet.")
    return "\n\n".join(parts) + "\n"


def title(page: Path) -> str:
    """The heading of a committed page."""
    return page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")


def _listed(page: Path, folder: Path) -> str:
    """A line of the list: a link, and the verdict, which is the page's first paragraph."""
    link = f"- [{title(page)}]({page.relative_to(folder).as_posix()})"
    parts = page.read_text(encoding="utf-8").split("\n\n", 2)
    return f"{link}<br>{' '.join(parts[1].split())}" if len(parts) > 2 else link


def _front(folder: Path) -> tuple[Path, ...]:
    """The pages that may be committed as the list itself."""
    return folder / "index.md", folder / "README.md"
