"""The page of the five texts: every named thing, where it is, and whether it is as the text."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from docsite import results
from docsite.docstrings import in_cell
from lapwing.catalog import ENTRIES

FILE = Path(__file__).with_name("texts.toml")
ROOT = FILE.parents[1]
VERDICTS = {
    "equal": "as the text",
    "reading": "a reading",
    "differs": "differs",
    "absent": "not here",
}
PAGE = "papers.md"


@dataclass(frozen=True)
class Item:
    """One named thing of a text."""

    paper: str
    name: str
    where: tuple[str, ...]
    verdict: str
    note: str = ""

    @property
    def why(self) -> str:
        """The note, what the catalog says of its learners, and what a study's report says first."""
        told = [self.note] if self.note else []
        for kind, name in map(parts, self.where):
            if kind == "learner":
                told += [each for each in ENTRIES[name].departures if each not in told]
            if kind == "study":
                told += list(outcome(name))
        return "; ".join(told)


def parts(where: str) -> tuple[str, str]:
    """Kind and name of a place, as in "learner ollgc"."""
    kind, _, name = where.partition(" ")
    return kind, name


def texts() -> dict[str, tuple[str, list[Item]]]:
    """Title and items of each text."""
    content: dict[str, Any] = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {
        paper: (
            str(told["title"]),
            [
                Item(paper, each["name"], tuple(each["where"]), each["is"], each.get("note", ""))
                for each in told["items"]
            ],
        )
        for paper, told in content.items()
    }


def outcome(study: str) -> Iterator[str]:
    """The first sentence of a study's committed report; nothing before there is one."""
    path = results.FOLDER / f"{study}.md"
    if path.is_file():
        said = path.read_text(encoding="utf-8").split("\n\n", 2)
        if len(said) > 1 and not said[1].startswith(("There are no", "#", "|")):
            yield said[1].replace("*", "").replace("\n", " ").rstrip(".")


def found(where: str) -> Any:
    """What a name stands for; an error where there is nothing of that name."""
    kind, name = parts(where)
    if kind == "learner":
        return ENTRIES[name]
    if kind == "study":
        return _existing(ROOT / "src/lapwing/reproduce/studies" / f"{name}.toml")
    if kind == "test":
        file, _, function = name.partition("::")
        text = _existing(ROOT / file).read_text(encoding="utf-8")
        if f"def {function}(" not in text:
            raise LookupError(f"{file} has no {function}")
        return file
    if kind != "object":
        raise LookupError(f"a place must be a learner, study, test or object, got {where!r}")
    module, _, attribute = name.rpartition(".")
    return getattr(import_module(module), attribute)


def _existing(path: Path) -> Path:
    if not path.is_file():
        raise LookupError(f"there is no {path}")
    return path


def page() -> str:
    """The whole page."""
    told = texts()
    items = [item for _, each in told.values() for item in each]
    counts = {verdict: sum(item.verdict == verdict for item in items) for verdict in VERDICTS}
    lines = [
        "# The five texts",
        "",
        f"Of {len(items)} named algorithms, theorems, tables, figures and remarks, "
        f"{counts['equal']} are as the text has them, {counts['reading']} are documented readings "
        f"where the text leaves something open, {counts['differs']} differ for the reason given, "
        f"and {counts['absent']} are not here.",
        "",
        "A learner's name runs the paper's algorithm with the paper's settings; where it departs "
        "from the text is listed by `lapwing learners NAME` and below.",
        "",
    ]
    for title, each in told.values():
        lines += [f"## {title}", "", "| what | where | is | why |", "|---|---|---|---|"]
        lines += [
            f"| {in_cell(item.name)} | {'<br>'.join(map(_place, item.where))} "
            f"| {VERDICTS[item.verdict]} | {in_cell(item.why)} |"
            for item in each
        ]
        lines.append("")
    return "\n".join(lines)


def _place(where: str) -> str:
    kind, name = parts(where)
    if kind == "study" and (results.FOLDER / f"{name}.md").is_file():
        return f"[{name}](results/{name}.md)"
    shown = name.partition("::")[2] if kind == "test" else name
    return f"{kind} `{shown}`"
