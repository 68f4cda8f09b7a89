"""Benchmark pages open with a verdict that their tables bear out, then a picture of the numbers."""

from __future__ import annotations

import doctest
import re
from argparse import Namespace
from collections import Counter
from pathlib import Path

import pytest

from bench import durability, pictures, questions
from bench.pictures import markdown
from bench.scale import page as scale_page
from bench.stopping.page import page_of
from fuzz import __main__ as fuzz

FOLDER = Path(__file__).resolve().parents[1] / "bench" / "results"
PAGES = list(pictures.PAGES)


def text(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def rows(name: str) -> list[str]:
    return [line for line in text(name).splitlines() if line.startswith("|")][2:]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_with_its_verdict_and_its_picture(name):
    title, verdict, picture, *_ = text(name).split("\n\n")
    assert title.startswith("# ")
    assert re.fullmatch(r"[`A-Z][^|]*\.", verdict), "the verdict must be a sentence"
    assert f"]({name}.png)" in picture
    assert (FOLDER / f"{name}.png").exists()


@pytest.mark.parametrize("name", PAGES)
def test_a_picture_is_drawn_from_the_pages_tables(name, tmp_path):
    (tmp_path / f"{name}.md").write_text(text(name), encoding="utf-8")
    assert pictures.drawn(name, tmp_path).stat().st_size > 5_000


def test_committed_verdicts_are_those_of_their_tables():
    assert questions.page(rows("questions"), 200) == text("questions")


def test_the_verdict_on_stopping_follows_from_its_tables():
    sessions, streams = pictures.tables(text("stopping"))
    lines = [[f"| {' | '.join(row)} |" for row in table[1:]] for table in (sessions, streams)]
    assert page_of(*lines) == text("stopping")
    worse = [re.sub(r"\d+ of (\d+) \|", r"0 of \1 |", line) for line in lines[0]]
    assert "The claim was true in 0 of" in page_of(worse, lines[1])


def test_the_page_of_sizes_follows_from_its_tables():
    lines = [line for line in text("scale").splitlines() if line[2:].startswith(scale_page.GRAPHS)]
    sessions = [line for line in lines if line.count("|") == 10]
    works = [line for line in lines if line.count("|") == 13]
    assert scale_page.page(works, sessions) == text("scale")
    longer = [re.sub(r"\d+ \| \d+ \| [\d.]* \|$", "987 | 999 | 1.00 |", line) for line in sessions]
    assert "takes 987 ms" in scale_page.verdict(works, longer)


def test_the_verdict_on_durability_follows_from_its_tables():
    titles = re.findall(r"^## (.*)$", text("durability"), re.MULTILINE)[:-1]
    bodies = re.findall(r"^(?:\|.*\n)+", text("durability"), re.MULTILINE)
    parts = dict(zip(titles, (body.rstrip() for body in bodies), strict=True))
    assert durability.page(parts) == text("durability")
    parts[titles[0]] = parts[titles[0]].replace("| 0 | 0 | 0 |", "| 2 | 0 | 0 |")
    assert re.search(r"2 of [\d,]+ acknowledged answers were lost", durability.page(parts))


def test_the_verdict_on_damaged_files_follows_from_its_table():
    found = pictures.tables(text("fuzz"))[0][1:]
    counts = {
        row[0]: Counter(
            {
                name: int(pictures.number(cell))
                for name, cell in zip(fuzz.OUTCOMES, row[1:], strict=True)
            }
        )
        for row in found
    }
    whole = "\n".join([fuzz.HEADER, *(fuzz.row(kind, count) for kind, count in counts.items())])
    asked = Namespace(mutants=10_000, seed=int(re.findall(r"--seed (\d+)", text("fuzz"))[0]))
    assert fuzz.report(whole, counts, asked) == text("fuzz")
    counts["csv"]["crash"] = 3
    assert "Readers failed on 3 of 150,000 damaged files." in fuzz.report(whole, counts, asked)


def test_what_is_said_of_the_default_learner_holds_in_its_tables():
    first = {
        row[0]: list(map(pictures.number, row[1:])) for row in pictures.tables(text("push"))[0][1:]
    }
    for rival in ("mixture", "ollgc", "molg-f", "oslg"):
        assert all(ours < other for ours, other in zip(first["auto"], first[rival], strict=True))
    compared = 0
    for table in pictures.tables(text("push")):
        if table[0] != ["", "error", "labels"]:
            continue
        at_random = {
            row[2]: pictures.number(row[1]) for row in table if row[0].startswith("random")
        }
        for row in table:
            if row[0].startswith("auto budget"):
                assert pictures.number(row[1]) < at_random[row[2]]
                compared += 1
    assert compared >= 12


def test_a_cell_without_a_number_is_refused():
    with pytest.raises(ValueError, match="must hold a number, got 'none'"):
        pictures.number("none")


def test_examples_are_true():
    assert doctest.testmod(markdown).failed == 0
