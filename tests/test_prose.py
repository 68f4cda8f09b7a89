"""The documents about the code agree with it, and are written in plain English."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def table_after(heading: str) -> list[list[str]]:
    """The cells of the first table after a line of CONTRIBUTING, without its header."""
    lines = CONTRIBUTING.partition(heading)[2].splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("|"))
    last = next((i for i in range(first, len(lines)) if not lines[i]), len(lines))
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[first:last][2:]]


def quoted(cell: str) -> list[str]:
    """The names between backticks."""
    return re.findall(r"`(\w+)`", cell)


def test_the_table_of_layers_is_the_one_that_is_enforced():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    enforced = next(each["layers"] for each in contracts if each["type"] == "layers")
    told = [sorted(quoted(row[1])) for row in table_after("## Layers")]
    assert told == [sorted(layer.split(" | ")) for layer in enforced]


def test_the_table_of_sub_folders_is_complete():
    """The commands have folders of their own, which need not be listed."""
    rows = table_after("lives in a sub-folder")
    named = {(quoted(row[0])[0], folder) for row in rows for folder in quoted(row[1])}
    packages = (ROOT / "src" / "lapwing").glob("*/*/__init__.py")
    there = {path.parts[-3:-1] for path in packages if path.parts[-3] != "cli"}
    assert there <= named
    assert named - there == {("reproduce", "studies")}  # data files, no package


STUMBLES = (
    r"parted by",
    r"when one may",
    r"need a word",
    r"who does not want",
    r"answers? \*unknown\* and not something",
    r"(rounds|labels) a second(?! time)",
    r"one (page|file|line|row|column|key|commit|number|vector|solve|panel) an? "
    r"(algorithm|method|node|answer|class|event|edge|pair|point|round|graph|label|column)",
    r"(a|one) (page|file|line|row|key|commit) an? (algorithm|method|node|answer|class|event)",
    r"one a (file|line|node|class|family|learner|problem|row)",
    r"one (may|knows|wants to)",
    r"said to be",
    r"told as such",
    r"whoever",
    r"of everything random",
    r"as they come",
    r"so many (nodes|rounds|labels|classes|columns|candidates|lines|members|guesses)",
    r"(regression|perceptron|arm|sigmoid|solve|panel|expert|coordinates) a "
    r"(class|node|learner|penalty|member|column|step|round|label)",
)
"""Phrases that made readers stop: mostly "one row a node" where English says "per node"."""


def test_no_prose_makes_a_reader_stumble():
    folders = ("src", "docs", "docsite", "bench", "tests")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    files += ROOT.glob("*.md")
    pattern = re.compile(rf"\b({'|'.join(STUMBLES)})\b", re.IGNORECASE)
    found, read = [], 0
    for path in files:
        if path.suffix not in (".md", ".py", ".toml", ".ipynb") or path == Path(__file__):
            continue
        read += 1
        words = path.read_text(encoding="utf-8")
        found += [f"{path.relative_to(ROOT)}: {hit[0]}" for hit in pattern.finditer(words)]
    assert read > 500
    assert found == []
