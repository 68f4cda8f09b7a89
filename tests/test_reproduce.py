"""Studies as data: planned, run, resumed, compared with the printed numbers, reported, checked."""

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace

import duckdb
import numpy as np
import pytest

from lapwing import data
from lapwing.cli.reproduce import command
from lapwing.errors import InputError, MissingDataError
from lapwing.reproduce import Cell, Results, Study, load_study, names, planned, records
from lapwing.reproduce.committed_results import departures, summary_csv
from lapwing.reproduce.comparison import checked, paired_tests, verdict
from lapwing.reproduce.drawings import PICTURE_KINDS
from lapwing.reproduce.parts import Claim
from lapwing.reproduce.report import Circumstances, page_of
from lapwing.reproduce.trials import TRIAL_KINDS

KARATE = {
    "title": "a small one",
    "where": "Nobody 2000, Table 0",
    "trial": "stream",
    "seeds": 3,
    "protocol": "Play the club.",
    "tables": ["error"],
    "tests": [["error", "ollgc", "gpa"]],
    "graphs": {"karate": {}},
    "settings": {"rank": 10, "mu": 0.1},
    "measures": {"error": {"title": "Error", "tolerance": 0.01}},
    "methods": [{"name": "gpa", "learner": "gpa"}, {"name": "ollgc", "learner": "ollgc"}],
    "printed": {"karate": {"gpa": {"error": 0.5}}},
    "quick": {"seeds": 1},
}

NEEDS_PS = pytest.mark.skipif(shutil.which("ps") is None, reason="there is no ps to see processes")


@pytest.fixture(scope="module")
def small():
    return Study.parsed("own/karate", KARATE)


@pytest.fixture(scope="module")
def results(small, tmp_path_factory):
    return Results(small, records(planned(small), tmp_path_factory.mktemp("a") / "trials.jsonl"))


@pytest.mark.parametrize("name", names())
def test_every_study_is_whole(name):
    study = load_study(name)
    assert study.protocol.strip()
    paper, part = name.split("/")
    numbered = re.fullmatch(r"(table|figure)(\d+)", part)
    if numbered:
        assert study.where.endswith(f"{paper[-4:]}, {numbered[1].title()} {numbered[2]}")
    else:
        assert "today" in paper or paper[-4:] in study.where
    assert {study.trial, *(m.options.get("trial", study.trial) for m in study.methods)} <= set(
        TRIAL_KINDS
    )
    assert len({method.name for method in study.methods}) == len(study.methods)
    assert set(study.tables) <= set(study.measures)
    assert all(drawing.kind in PICTURE_KINDS for drawing in study.drawings)
    known = {method.name for method in study.methods}
    for graph, rows in study.printed.items():
        assert graph in study.graphs
        for method, values in rows.items():
            assert method in known
            assert {value.removesuffix("_sd") for value in values} <= set(study.measures)
    for claim in study.claims:
        assert {claim.method, *claim.than} <= known
        assert claim.measure in study.measures
    whole = {trial.key for trial in planned(study)}
    quick = {trial.key for trial in planned(study, quick=True)}
    assert quick
    assert quick <= whole


def test_every_table_and_figure_has_a_study():
    wanted = {
        "gu2013": ("table2", "figure1", "figure2", "figure3"),
        "herbster2005": ("figure1", "figure2"),
        "herbster2006": ("figures", "octopus", "flower", "thick-barbell"),
        "yang2018": ("table1", "figure1", "figure2"),
        "ye2017": (*(f"table{k}" for k in range(1, 7)), "figure1", "figure4", "figure5", "figure6"),
    }
    assert {f"{paper}/{each}" for paper, several in wanted.items() for each in several} <= set(
        names()
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seedz": 3}, "study own/karate: study has no 'seedz'"),
        ({"methods": [{"nam": "gpa"}]}, "method has no 'nam'"),
        ({"claims": [{"says": "x"}]}, "claim: .*missing"),
    ],
)
def test_a_wrong_file_is_told_where(change, said):
    with pytest.raises(InputError, match=said):
        Study.parsed("own/karate", {**KARATE, **change})


def test_a_trial_has_its_order_and_settings(small):
    trials = planned(small)
    assert [(t.method, t.seed) for t in trials] == [
        (m, s) for m in ("gpa", "ollgc") for s in (0, 1, 2)
    ]
    assert trials[0].settings == {"rank": 10, "mu": 0.1}
    assert len({trial.key for trial in trials}) == 6
    assert len(planned(small, quick=True)) == 2


def test_a_journal_cut_short_goes_on(small, tmp_path):
    journal = tmp_path / "trials.jsonl"
    whole = records(planned(small), journal)
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(lines[:3]) + lines[3][:20])
    done = []
    again = records(planned(small), journal, each=done.append)
    assert len(done) == len(again) == len(whole) == 6
    for old in whole[:3]:
        assert old in again
    measured = {record["key"]: record["measured"]["error"] for record in whole}
    assert {record["key"]: record["measured"]["error"] for record in again} == measured
    assert len(records(planned(small), journal)) == 6


def test_processes_find_the_same(small, results, tmp_path):
    apart = records(planned(small), tmp_path / "trials.jsonl", jobs=2)
    assert Results(small, apart).cell("karate", "ollgc", "error") == results.cell(
        "karate", "ollgc", "error"
    )
    assert os.environ.get("NUMBA_NUM_THREADS") is None


def test_a_failure_is_told_and_tried_again(small, tmp_path):
    broken = replace(small, settings={"rank": 1})
    journal = tmp_path / "trials.jsonl"
    for _ in range(2):
        found = records(planned(broken, seeds=1), journal)
        assert all("rank must be at least 2" in record["failed"] for record in found)
    assert journal.read_text() == ""
    assert Results(broken, found).cells() == []


def test_a_number_is_reproduced_within_tolerance_or_two_standard_errors(small):
    def same(*values):
        return verdict(small, Cell("karate", "gpa", None, "error", values)).same

    assert same(0.5) is same(0.509) is True
    assert same(0.511) is False
    assert same(0.3, 0.8) is True
    assert same(0.3, 0.31) is False
    assert verdict(small, Cell("karate", "ollgc", None, "error", (0.5,))).same is None


def test_printed_lists_follow_the_grid():
    told = {
        **KARATE,
        "grid": {"name": "rank", "values": [5, 10]},
        "printed": {"karate": {"gpa": {"error": [0.1, ""]}}},
    }
    study = Study.parsed("a/b", told)
    assert verdict(study, Cell("karate", "gpa", 5, "error", (0.1,))).printed == 0.1
    assert verdict(study, Cell("karate", "gpa", 10, "error", (0.1,))).printed is None


def test_pairs_are_tested_by_seed(results):
    (found,) = paired_tests(results)
    ours, theirs = (results.cell("karate", name, "error").values for name in ("ollgc", "gpa"))
    assert found.difference == pytest.approx(np.mean(ours) - np.mean(theirs))
    assert 0 <= found.p <= 1


@pytest.mark.parametrize(("kind", "holds"), [("below", True), ("above", False)])
def test_claims_are_held_against_results(small, kind, holds):
    def record(method, value):
        measured = {"error": value}
        return {"graph": "karate", "method": method, "at": None, "seed": 0, "measured": measured}

    found = Results(small, [record("gpa", 0.4), record("ollgc", 0.2)])
    outcome = checked(found, Claim("x", "error", "ollgc", kind=kind, than=("gpa",)))
    assert (outcome.holds, outcome.points) == (int(holds), 1)
    assert outcome.fails == (() if holds else ("karate, gpa",))


@pytest.mark.parametrize(
    ("kind", "values", "holds", "fails"),
    [
        ("falls", (4.8, 0.0, 0.1, 0.2), 1, ("karate, from 6 to 7", "karate, from 7 to 8")),
        ("rises", (0.0, 0.5, 0.4, 1.0), 2, ("karate, from 6 to 7",)),
        ("rises", (0.5, 0.5, 0.6, 0.7), 2, ("karate, from 5 to 6",)),
    ],
)
def test_a_claim_along_the_grid_is_held_against_every_step(kind, values, holds, fails):
    study = Study.parsed("a/b", {**KARATE, "grid": {"name": "rank", "values": [5, 6, 7, 8]}})
    told = [
        {"graph": "karate", "method": "gpa", "at": at, "seed": 0, "measured": {"error": value}}
        for at, value in zip(study.grid.values, values, strict=True)
    ]
    outcome = checked(Results(study, told), Claim("x", "error", "gpa", kind=kind))
    assert (outcome.holds, outcome.points, outcome.fails) == (holds, 3, fails)


def test_a_report_shows_both_numbers_and_what_was_left_out(results):
    page = page_of(results, Circumstances("lapwing reproduce x", {"cora": "no <files>"}))
    for told in (page.html(), page.markdown()):
        assert "printed 0.5000 ≠" in told.replace("<small>", "")
        assert "No reading tried explains this; none was tried." in told
        assert "lapwing reproduce x" in told
        assert "Play the club." in told
    assert "cora: no &lt;files&gt;" in page.html()
    rows = list(csv.DictReader(summary_csv(results).splitlines()))
    assert [row["verdict"] for row in rows] == ["not reproduced", ""]
    assert rows[0]["n"] == "3"


def test_a_fresh_run_is_held_against_committed_numbers(small, results, tmp_path):
    path = tmp_path / "own" / "karate.csv"
    with pytest.raises(InputError, match="no committed results"):
        departures(results, tmp_path)
    path.parent.mkdir()
    path.write_text(summary_csv(results))
    quick = Results(small, [record for record in results.records if record["seed"] == 0])
    assert departures(quick, tmp_path) == ([], 2)
    path.write_text(summary_csv(results).replace(",error,0.", ",error,7."))
    wrong, compared = departures(quick, tmp_path)
    assert (len(wrong), compared) == (2, 2)
    assert "committed 7" in str(wrong[0])


def test_the_command_lists_runs_reports_and_checks(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, _ = run("reproduce")
    assert code == 0
    assert "herbster2006/octopus" in out
    code, out, _ = run("reproduce", "herbster2006/octopus", "--quick", "--jobs", 1,
                       "--record", "kept")  # fmt: skip
    assert code == 0
    assert "claims of the paper hold at every point, 44 of 44 points in all." in " ".join(
        out.split()
    )
    folder = tmp_path / "reproduced"
    assert (folder / "herbster2006/octopus/report.html").read_text().startswith("<!doctype html>")
    assert (tmp_path / "kept/herbster2006/octopus.md").exists()
    told = duckdb.execute(f"select count(*) from '{folder / 'results.parquet'}'").fetchall()
    with duckdb.connect(str(folder / "results.duckdb"), read_only=True) as database:
        assert database.execute("select count(*) from results").fetchall() == told
    code, out, _ = run("reproduce", "herbster2006/octopus", "--check", "--results", "kept",
                       "--json", "--jobs", 1)  # fmt: skip
    assert code == 0
    committed = tmp_path / "kept/herbster2006/octopus.csv"
    changed = committed.read_text().replace(",mistakes,2,", ",mistakes,3,")
    assert changed != committed.read_text()
    committed.write_text(changed)
    code, out, err = run("reproduce", "herbster2006/octopus", "--check", "--results", "kept")
    assert code == 1
    assert "differ from the committed" in err


OWN = """
title = "mine"
where = "nobody"
trial = "stream"
seeds = 2
protocol = "Play the club."
tables = ["error"]
measures = { error = { title = "Error" } }
graphs = { karate = {} }
methods = [{ name = "GPA", learner = "gpa" }]
quick = { seeds = 1 }
"""


def test_a_study_of_one_s_own_is_a_file(run, tmp_path):
    path = tmp_path / "own.toml"
    path.write_text(OWN)
    code, _, _ = run("reproduce", path, "-o", tmp_path / "out", "--jobs", 1)
    assert code == 0
    assert "Play the club." in (tmp_path / "out/own/report.md").read_text()
    path.write_text(OWN.replace("seeds = 2", "seeds = = 2"))
    code, _, err = run("reproduce", path, "-o", tmp_path / "out")
    assert code == 1
    assert "study own is not TOML" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere.toml"], "there is no file nowhere.toml"),
        (["gu2013/table9"], "no study is called 'gu2013/table9'"),
        (["herbster2006/octopus", "--graphs", "cora"], "has no graph 'cora'"),
    ],
)
def test_wrong_words_are_errors(run, tmp_path, arguments, said):
    code, _, err = run("reproduce", *arguments, "-o", tmp_path)
    assert code == 1
    assert said in err


def test_missing_files_are_left_out_and_said(run, tmp_path, monkeypatch):
    monkeypatch.setenv("LAPWING_DATA", str(tmp_path))
    monkeypatch.setattr(
        "lapwing.cli.reproduce.command._missing", lambda _study, graph: f"no {graph}"
    )
    code, out, _ = run("reproduce", "gu2013/table2", "--quick", "-o", tmp_path / "out")
    assert code == 0
    assert "left out of gu2013/table2: cora: no cora" in out
    assert "Nothing was run." in out


def test_without_a_network_what_is_missing_is_said_at_once_and_once(run, tmp_path, monkeypatch):
    tried = []

    def offline(name):
        tried.append(name)
        raise MissingDataError(f"{name} could not be downloaded. Put its files into LAPWING_DATA")

    entries = [replace(entry, where="download") for entry in data.catalog()]
    monkeypatch.setattr("lapwing.data.catalog", lambda: entries)
    monkeypatch.setattr("lapwing.data.fetch", offline)
    command._unobtainable.cache_clear()
    code, out, err = run("reproduce", "gu2013/table2", "--graphs", "cora", "-o", tmp_path / "out")
    command._unobtainable.cache_clear()
    assert code == 0
    assert tried == ["cora"]
    assert err.count("cora could not be downloaded. Put its files into LAPWING_DATA") == 1
    assert "Nothing was run." in out


@pytest.fixture
def begun(tmp_path, dataset):
    """A command of 150 trials that has done a few, its words and its journal."""
    dataset("coauthor")
    words = [sys.executable, "-m", "lapwing", "reproduce", "gu2013/figure3", "--graphs", "coauthor",
             "--seeds", "3", "--jobs", "2", "-o", str(tmp_path)]  # fmt: skip
    journal = tmp_path / "gu2013/figure3/trials.jsonl"
    running = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 120
    while time.monotonic() < end and not (journal.exists() and journal.stat().st_size > 500):
        time.sleep(0.05)
    yield running, words, journal
    if running.poll() is None:
        running.kill()
    running.communicate()


def test_ctrl_c_keeps_what_is_done_and_the_same_command_goes_on(begun):
    running, words, journal = begun
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "the same command continues" in " ".join(err.split())
    assert "Traceback" not in err
    kept = [json.loads(line)["key"] for line in journal.read_text().splitlines()]
    assert 0 < len(kept) < 150
    finished = subprocess.run(words, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    keys = [json.loads(line)["key"] for line in journal.read_text().splitlines()]
    assert keys[: len(kept)] == kept
    assert len(keys) == len(set(keys)) == 150


@NEEDS_PS
def test_no_process_outlives_its_parent(begun):
    running, _, _ = begun
    workers = _workers(running)
    running.kill()
    running.wait()
    end = time.monotonic() + 60
    while time.monotonic() < end and any(_runs(pid) for pid in workers):
        time.sleep(0.1)
    assert not any(_runs(pid) for pid in workers)


@NEEDS_PS
def test_a_process_that_dies_is_told_without_a_traceback(begun):
    running, _, journal = begun
    os.kill(_workers(running)[0], signal.SIGKILL)
    _, err = running.communicate(timeout=60)
    assert running.returncode == 1
    assert "the same command continues" in " ".join(err.split())
    assert "Traceback" not in err
    assert journal.read_text().count('"key"') > 0


def _workers(running):
    """The processes that do trials, not the one that only tidies up after them."""
    rows = _listed("-ww", "-o", "pid=", "-o", "args=", "--ppid", str(running.pid)).splitlines()
    found = [int(row.split()[0]) for row in rows if "spawn_main" in row]
    assert len(found) == 2
    return found


def _runs(pid):
    state = _listed("-o", "stat=", "-p", str(pid)).strip()
    return bool(state) and not state.startswith("Z")


def _listed(*options):
    return subprocess.run(["ps", *options], capture_output=True, text=True, check=False).stdout
