"""Benchmark pages open with a verdict that their tables bear out, then a picture of the numbers."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from bench import pictures, questions, stopping

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
    assert stopping.page(rows("stopping"), 200, 344) == text("stopping")


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
    assert doctest.testmod(pictures).failed == 0
