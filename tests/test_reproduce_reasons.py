"""Reasons that were tested: experiments beside printed numbers, gains, tallies, counts."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from lapwing.errors import InputError
from lapwing.reproduce import Results, Study, load_study, names, planned
from lapwing.reproduce.committed_pages import refresh, refreshed
from lapwing.reproduce.committed_results import committed_numbers, summary_csv
from lapwing.reproduce.comparison import verdict
from lapwing.reproduce.counts import counts_page
from lapwing.reproduce.gains import gain_outcomes, tally_counts
from lapwing.reproduce.reasons import EXPLAINED, REPRODUCED, UNEXPLAINED, reasons
from lapwing.reproduce.sections import headline
from lapwing.reproduce.tables import cell_text
from lapwing.reproduce.trials import done

COMMITTED = Path(__file__).parents[1] / "bench" / "results"
TOLD = {
    "title": "a small one",
    "where": "Nobody 2000, Table 0",
    "trial": "stream",
    "seeds": 3,
    "runs": 10,
    "protocol": "Play the club.",
    "tables": ["error"],
    "graphs": {"karate": {}},
    "settings": {"rank": 10},
    "grid": {"name": "rank", "values": [5, 6]},
    "measures": {"error": {"title": "Error", "tolerance": 0.01}},
    "methods": [
        {"name": "gpa", "learner": "gpa", "on": {"karate": {"bias": 3.0}}},
        {"name": "other", "learner": "gpa"},
        {"name": "own", "learner": "ollgc", "beyond": True},
    ],
    "printed": {"karate": {"gpa": {"error": [0.5, 0.6]}, "other": {"error": [0.25, 0.9]}}},
    "known": [{"reason": "they slipped", "methods": ["gpa"]}],
    "variants": [
        {"name": "no bias", "says": "x", "methods": ["gpa"], "settings": {"bias": 0.0}},
        {"name": "as own", "says": "x", "methods": ["gpa"], "row": "own", "fitted": True},
    ],
    "gains": [
        {"says": "twice", "measure": "error", "method": "gpa", "rival": "other", "printed": 100.0,
         "at": 5, "extreme": "least"},
    ],
    "tallies": [{"says": "one each", "measures": ["error"], "printed": {"gpa": 1, "other": 1}}],
}  # fmt: skip


@pytest.fixture
def study():
    return Study.parsed("a/b", TOLD)


def numbers(study, **rows):
    return Results(
        study,
        [
            {"graph": "karate", "method": name.replace("_", " "), "at": at, "seed": 0,
             "measured": {"error": value}, "seconds": 0.0}
            for name, values in rows.items()
            for at, value in zip(study.grid.values, values, strict=True)
        ],
    )  # fmt: skip


def varied(study, *values):
    return numbers(study.experiments(), **{"gpa:_no_bias": values})


def test_an_experiment_that_meets_a_number_explains_it(study):
    own = numbers(study, gpa=(0.1, 0.6))
    first, second = reasons(own, varied(study, 0.505, 0.6))
    assert (first.kind, first.by, second.kind) == (EXPLAINED, "no bias", REPRODUCED)
    assert first.words == 'Met by the experiment "no bias".'
    assert first.remark == "they slipped"


def test_an_experiment_that_loses_more_of_the_row_than_it_meets_explains_nothing():
    printed = {"karate": {"gpa": {"error": [0.5, 0.6, 0.7]}}}
    grid = {"name": "rank", "values": [5, 6, 7]}
    table = Study.parsed("a/b", {**TOLD, "grid": grid, "printed": printed})
    own = numbers(table, gpa=(0.1, 0.6, 0.7))
    lost = numbers(table.experiments(), **{"gpa:_no_bias": (0.5, 0.1, 0.1)})
    assert [each.kind for each in reasons(own, lost)] == [UNEXPLAINED, REPRODUCED, REPRODUCED]
    even = numbers(table.experiments(), **{"gpa:_no_bias": (0.5, 0.6, 0.1)})
    assert reasons(own, even)[0].kind == EXPLAINED


def test_what_was_tried_is_listed_and_what_was_not_run_is_said(study):
    own = numbers(study, gpa=(0.1, 0.1))
    (first, _) = reasons(own, varied(study, 0.2, 0.2))
    assert first.kind == UNEXPLAINED
    assert first.words == ("No reading tried explains this (tried: no bias). Not run here: as own.")
    assert reasons(own)[0].words == (
        "No reading tried explains this; none was tried. Not run here: no bias; as own."
    )


def test_an_experiment_is_not_asked_for_experiments_of_its_own(study):
    missed = reasons(varied(study, 0.2, 0.2))[0]
    assert missed.kind == UNEXPLAINED
    assert missed.words == "This experiment does not meet the number."


def test_a_row_of_the_study_can_be_the_experiment_and_a_fit_is_marked(study):
    own = numbers(study, gpa=(0.1, 0.1), own=(0.5, 0.2))
    first = reasons(own)[0]
    assert (first.by, first.kind) == ("as own", EXPLAINED)
    assert "fitted" in first.words


def test_experiments_are_trials_with_one_thing_changed(study):
    (one, *_) = planned(study.experiments())
    base = next(each for each in planned(study) if each.method == "gpa")
    assert one.method == "gpa: no bias"
    assert dict(base.settings) | {"bias": 0.0} == dict(one.settings)
    assert base.settings["bias"] == 3.0
    assert len(planned(study.experiments())) == 6
    narrow = replace(study, variants=(replace(study.variants[0], at=(6,), seeds=2),))
    assert [each.at for each in planned(narrow.experiments())] == [6, 6]


def test_numbers_printed_for_another_data_set_are_shown_and_not_judged():
    other = Study.parsed("a/b", {**TOLD, "printed_for": {"karate": "the other club"}})
    own = numbers(other, gpa=(0.1, 0.6))
    assert [each.kind for each in reasons(own)] == ["", ""]
    assert cell_text(other, own.cells()[0]) == "0.1000\nprinted for the other club 0.5000"
    assert headline(own) == "There are no printed numbers to compare with."


def test_a_fixed_penalty_is_not_left_behind_in_the_kept_model():
    """The next trial gets the same model from the store, and must choose its own penalty."""
    table = load_study("ye2017/table1")
    plain = next(each for each in planned(table) if (each.method, each.at) == ("SocDim", 2))
    fixed = replace(plain, options={**plain.options, "cost": 1e-6})
    first = done(plain)["micro"]
    assert done(fixed)["micro"] != first
    assert done(plain)["micro"] == first


def test_a_single_printed_run_spreads_as_ours(study):
    cell = numbers(study, gpa=(0.1, 0.1)).cells()[0]
    wide = replace(cell, values=(0.2, 0.3, 0.4, 0.3, 0.2, 0.4, 0.3, 0.35, 0.45, 0.2))
    assert verdict(study, wide).same is False
    one = replace(study, runs=1)
    assert verdict(one, wide).same is True
    assert verdict(one, replace(cell, values=(0.3, 0.31, 0.32))).same is False


def test_gains_and_tallies_are_computed_beside_the_text_s(study):
    own = numbers(study, gpa=(0.4, 0.6), other=(0.1, 0.3))
    (gain,) = gain_outcomes(own)
    assert gain.in_table == pytest.approx(100.0)
    assert gain.ours == pytest.approx(300.0)
    assert gain.rival == "other"
    (tally,) = study.tallies
    assert list(tally_counts(own, tally)) == [("gpa", 1, 1, 2), ("other", 1, 1, 0)]


def test_a_committed_table_reads_back_and_its_page_is_written_again(study, tmp_path):
    own, tried = numbers(study, gpa=(0.1, 0.6)), varied(study, 0.5, 0.6)
    folder = tmp_path / "a"
    folder.mkdir()
    (folder / "b.csv").write_text(summary_csv(own))
    (folder / "b-variants.csv").write_text(summary_csv(tried))
    (folder / "b.md").write_text(
        "# Old\n\nOld lead.\n\n### Protocol\n\nOld.\n\n### Error\n\n![x](x.png)\n\n"
        "### What the paper says of it\n\nOld claims.\n\n### How it was run\n\nOnce.\n"
    )
    back = committed_numbers(study, tmp_path)
    assert [(c.at, c.mean, c.n) for c in back.cells()] == [(5, 0.1, 1), (6, 0.6, 1)]
    refresh(study, tmp_path)
    page = (folder / "b.md").read_text()
    assert page.startswith("# Nobody 2000, Table 0: a small one\n\n1 of 2 printed numbers")
    assert "1 more are met by an experiment" in page
    assert "Old" not in page
    assert "![x](x.png)" in page
    assert page.index("### Experiments") < page.index("### How it was run")
    assert refreshed(page, back, committed_numbers(study.experiments(), tmp_path)) == page
    assert ",no bias," in (folder / "b.csv").read_text()
    with pytest.raises(InputError, match="no committed results"):
        refresh(study, tmp_path / "elsewhere")


@pytest.mark.parametrize("name", names())
def test_experiments_speak_of_rows_there_are(name):
    study = load_study(name)
    methods = {method.name for method in study.methods}
    printed = {row for rows in study.printed.values() for row in rows}
    places = set(study.grid.values if study.grid else ())
    for each in study.variants:
        assert set(each.methods) <= printed
        assert set(each.graphs) <= set(study.graphs)
        assert set(each.at) <= places
        assert not each.row or each.row in methods
    for gain in study.gains:
        assert {gain.method, gain.rival} <= methods
        assert gain.at in (places or {None})
    for tally in study.tallies:
        assert set(tally.printed) <= methods


@pytest.mark.parametrize("name", [name for name in names() if load_study(name).printed])
def test_every_number_that_differs_was_tried_and_every_experiment_is_committed(name):
    """Each number that is not reproduced names an experiment, or lists those that were tried."""
    study = load_study(name)
    own = committed_numbers(study, COMMITTED)
    for each in reasons(own, committed_numbers(study.experiments(), COMMITTED)):
        assert not each.not_run
        assert each.kind in ("", REPRODUCED) or each.experiments, each.verdict
        if each.kind == UNEXPLAINED:
            assert each.words.startswith("No reading tried explains this (tried: ")


def test_the_committed_pages_say_what_the_committed_numbers_say(tmp_path):
    """The pages and counts are those that --refresh writes."""
    shutil.copytree(COMMITTED, tmp_path / "results")
    folder = tmp_path / "results"
    for name in names():
        study = load_study(name)
        own = committed_numbers(study, folder)
        if own is None:
            continue
        tried = committed_numbers(study.experiments(), folder)
        assert headline(own, tried) in (folder / f"{name}.md").read_text()
    assert (folder / "reproduced.md").read_text() == counts_page(folder)


def test_the_command_runs_experiments_and_refreshes(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, _, err = run("reproduce", "herbster2006/octopus", "--variants", "--jobs", 1)
    assert code == 1
    assert "there is no experiment to run" in err
    code, _, _ = run("reproduce", "herbster2005/figure1", "--seeds", 2, "--jobs", 1,
                     "--record", "kept")  # fmt: skip
    assert code == 0
    code, _, _ = run("reproduce", "herbster2005/figure1", "--variants", "--seeds", 2, "--jobs", 1,
                     "--record", "kept")  # fmt: skip
    assert code == 0
    code, _, _ = run("reproduce", "herbster2005/figure1", "--refresh", "--results", "kept")
    assert code == 0
    page = Path("kept/herbster2005/figure1.md").read_text()
    assert "three edges per node" in page
    assert "| herbster2005/figure1 | 3 |" in Path("kept/reproduced.md").read_text()
    table = Path("kept/herbster2005/figure1.csv")
    before = table.read_text().splitlines()
    code, _, _ = run("reproduce", "herbster2005/figure1", "--seeds", 3, "--jobs", 1,
                     "--only", "largest K_pp", "--record", "kept", "--results", "kept")  # fmt: skip
    assert code == 0
    after = table.read_text().splitlines()
    changed = [line for line, old in zip(after, before, strict=True) if line != old]
    assert len(changed) == 1
    assert ",largest K_pp," in changed[0]
    page = Path("kept/herbster2005/figure1.md").read_text()
    assert "| some rows | lapwing reproduce herbster2005/figure1 --seeds 3 --only" in page
    code, _, err = run("reproduce", "herbster2005/figure1", "--only", "nothing", "--jobs", 1)
    assert code == 1
    assert "has no row 'nothing'" in err
