"""The page of the five texts: every place it names is there, and nothing is claimed twice."""

from collections import Counter

import pytest

from docsite import texts
from lapwing.catalog import ENTRIES
from lapwing.reproduce.study import names

TEXTS = texts.texts()
ITEMS = [item for _, items in TEXTS.values() for item in items]
PLACES = sorted({where for item in ITEMS for where in item.where})


@pytest.mark.parametrize("where", PLACES)
def test_every_place_exists(where):
    assert texts.found(where) is not None


def test_a_place_that_is_not_there_is_an_error():
    for where in ("learner olgc", "study gu2013/table9", "object lapwing.online.Nobody"):
        with pytest.raises((LookupError, AttributeError)):
            texts.found(where)
    with pytest.raises(LookupError, match="has no test_nothing"):
        texts.found("test tests/test_theorems.py::test_nothing")


def test_all_five_texts_are_told_and_every_verdict_has_its_reason():
    assert set(TEXTS) == {"herbster2005", "herbster2006", "gu2013", "yang2018", "ye2017"}
    assert max(Counter((item.paper, item.name) for item in ITEMS).values()) == 1
    for item in ITEMS:
        assert item.verdict in texts.VERDICTS
        assert bool(item.where) == (item.verdict != "absent"), item.name
        if item.verdict in ("reading", "differs", "absent") and "study" not in str(item.where):
            assert item.why, item.name


def test_a_learner_that_departs_from_its_paper_is_never_called_equal():
    for item in ITEMS:
        learners = [name for kind, name in map(texts.parts, item.where) if kind == "learner"]
        if item.verdict == "equal":
            assert not any(ENTRIES[name].departures for name in learners), item


def test_every_study_of_the_papers_is_on_the_page():
    named = {
        name for item in ITEMS for kind, name in map(texts.parts, item.where) if kind == "study"
    }
    own = {"herbster2005/cora"}  # a data set that the text does not have
    assert {name for name in names() if not name.startswith("today/")} - own == named


def test_the_page_has_a_row_for_each_item():
    page = texts.page()
    assert page.count("\n| ") == len(ITEMS) + len(TEXTS)
    assert f"Of {len(ITEMS)} named" in page
