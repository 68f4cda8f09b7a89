"""``lapwing label`` with a target error, or with another measure to prove."""

import json

import pytest

from lapwing.session import Store

ORACLE = ("--oracle", "known", "--learner", "near-far", "--json")


def test_a_target_error_is_proven_with_planned_audits(run, tmp_path):
    database = tmp_path / "s.db"
    code, out, _ = run("label", "digits", "--target-error", 0.15, *ORACLE, "--db", database)
    assert code == 0
    told = json.loads(out)
    assert told["labels"] < 250
    assert told["audits"] > told["labels"] / 2
    left = told["n_nodes"] - told["labels"]
    assert told["error_at_most"] * left < 0.15 * told["n_nodes"]
    assert 1.0 - told["accuracy"] < told["error_at_most"]
    with Store(database) as store:
        assert store.record("digits").header["target_error"] == 0.15
        asked = [e.detail for e in store.events("digits") if e.kind.value == "asked"]
    assert all("stake" in detail for detail in asked if detail["audit"])
    assert run("session", "verify", "digits", "--db", database)[0] == 0


def test_the_same_command_goes_on_to_a_smaller_error(run, tmp_path):
    options = (*ORACLE, "--db", tmp_path / "s.db")
    first = json.loads(run("label", "karate", "--target-error", 0.3, *options)[1])
    code, out, _ = run("label", "karate", "--target-error", 0.05, *options)
    assert code == 0
    assert json.loads(out)["labels"] > first["labels"]


def test_the_recall_of_a_class_is_certified(run, tmp_path):
    database = tmp_path / "s.db"
    options = ("--certify", "recall:3>=0.8", *ORACLE, "--db", database)
    code, out, _ = run("label", "digits", *options)
    assert code == 0
    told = json.loads(out)
    assert told["certify"] == "recall of 3"
    assert told["certified"] >= 0.8
    assert told["labels"] < 600
    assert "recall of 3" in told["proven"]
    shown = json.loads(run("session", "show", "digits", "--db", database, "--json")[1])
    assert shown["labels"] == told["labels"]
    assert run("session", "verify", "digits", "--db", database)[0] == 0


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("recall:3", "a claim must be like recall:NAME>=0.9"),
        ("beauty:3>=0.8", "measure must be one of error"),
        ("recall:3>=1.5", "between 0 and 1"),
    ],
)
def test_what_cannot_be_certified_is_refused(run, tmp_path, wanted, said):
    code, _, err = run("label", "digits", "--certify", wanted, *ORACLE, "--db", tmp_path / "s.db")
    assert code != 0
    assert said in " ".join(err.split())
