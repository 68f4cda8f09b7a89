"""``lapwing label --find`` and ``lapwing session leads``."""

import csv
import json

import pytest


@pytest.fixture
def searched(run, tmp_path):
    database = tmp_path / "s.db"
    code, out, _ = run(
        "label", "karate", "--find", "Officer", "--oracle", "known", "--budget", 18, "--db",
        database, "--json",
    )  # fmt: skip
    assert code == 0
    return database, json.loads(out)


def test_a_class_is_found_and_the_claims_are_printed(run, searched):
    database, told = searched
    assert told["labels"] == 18
    assert told["found"] >= 12
    assert told["recall_at_least"] <= told["recall"] <= told["recall_at_most"]
    assert run("session", "verify", "karate", "--db", database)[0] == 0
    shown = json.loads(run("session", "show", "karate", "--db", database, "--json")[1])
    assert shown["goal"] == "find"
    assert "found" in shown["recall"]
    for summary in (told, shown):
        assert "estimated_error" not in summary
        assert summary["hidden_at_most"] >= summary["estimated_hidden"]
        assert summary["hit_rate"] == summary["found"] / 18


def test_leads_are_listed_and_written(run, searched, tmp_path):
    database, _ = searched
    told = json.loads(run("session", "leads", "karate", "--db", database, "--json")[1])
    chances = [row["probability"] for row in told["leads"]]
    assert len(chances) == 16
    assert chances == sorted(chances, reverse=True)
    code, out, _ = run("session", "leads", "karate", "--db", database, "--count", 3)
    assert code == 0
    assert "probability" in out
    table = tmp_path / "leads.csv"
    assert run("session", "leads", "karate", "--db", database, "-o", table)[0] == 0
    with table.open() as file:
        assert len(list(csv.DictReader(file))) == 16


def test_the_same_command_goes_on_and_stops_at_the_target(run, searched):
    database, _ = searched
    options = ("--oracle", "known", "--db", database, "--json")
    code, out, _ = run("label", "karate", "--recall", 0.9, *options)
    assert code == 0
    told = json.loads(out)
    assert told["recall"] >= 0.9
    assert told["labels"] > 18


def test_two_classes_are_found_by_naming_both(run, tmp_path):
    options = ("--oracle", "known", "--budget", 5, "--db", tmp_path / "s.db", "--json")
    code, out, _ = run("label", "karate", "--find", "Officer", "--find", "Mr. Hi", *options)
    assert code == 0
    assert json.loads(out)["found"] == 5


def test_a_target_recall_needs_a_class_to_find(run, tmp_path):
    database = tmp_path / "s.db"
    options = ("--oracle", "known", "--db", database)
    code, _, err = run("label", "karate", "--recall", 0.9, *options)
    assert code != 0
    assert "--recall goes with --find" in " ".join(err.split())
    assert run("label", "karate", "--budget", 3, *options)[0] == 0
    code, _, err = run("session", "leads", "karate", "--db", database)
    assert code != 0
    assert "has no class to find" in " ".join(err.split())


def test_a_class_that_nobody_knows_of_is_refused_before_a_session_is_begun(run, tmp_path):
    database = tmp_path / "s.db"
    code, _, err = run("label", "karate", "--find", "Nobody", "--oracle", "known", "--db", database)
    assert code != 0
    assert "no node of karate is known to be 'Nobody'" in " ".join(err.split())
    assert "Officer" in err
    assert not database.exists()


def test_second_looks_are_recorded_and_verified(run, tmp_path):
    database = tmp_path / "s.db"
    options = ("--oracle", "known", "--budget", 80, "--db", database, "--json")
    code, out, _ = run("label", "digits", "--second-looks", "--learner", "near-far", *options)
    assert code == 0
    assert json.loads(out)["labels"] == 80
    assert run("session", "verify", "digits", "--db", database)[0] == 0
    log = tmp_path / "log.jsonl"
    assert run("session", "export", "digits", "--db", database, "-o", log)[0] == 0
    assert '"kind":"judged"' in log.read_text().replace(" ", "")
