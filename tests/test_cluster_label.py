"""``lapwing label`` on a partitioned graph: from a table, by keys, continued, cut off, refused."""

import json

import pytest
from typer.testing import CliRunner

from bench.terminal import Terminal
from lapwing.cli.app import app
from lapwing.cluster import PartitionedGraph, WholeSession, write_partitioned
from lapwing.data import planted_partition
from lapwing.errors import InputError

pytest.importorskip("pyarrow")
N = 300


@pytest.fixture
def folder(tmp_path):
    found = planted_partition(n=N, mean_degree=8, mixing=0.05, seed=4)
    write_partitioned(found.graph, tmp_path / "g.parts", blocks=3)
    rows = "".join(f"{name},c{label % 2}\n" for name, label in enumerate(found.labels))
    (tmp_path / "known.csv").write_text(f"node,label\n{rows}")
    return tmp_path


def labelled(folder, *options):
    done = CliRunner().invoke(app, ["label", str(folder / "g.parts"), *options])
    assert done.exit_code == 0, done.exception
    return json.loads(done.stdout)


def test_a_table_answers_until_the_budget_and_the_same_command_continues(folder):
    table = ("--oracle", str(folder / "known.csv"), "--target-error", "0.01", "--json")
    found = [labelled(folder, *table, "--budget", str(n)) for n in (30, 50)]
    assert [each["labels"] for each in found] == [30, 50]
    assert found[1]["spot_checks"] >= found[0]["spot_checks"] > 0
    assert found[1]["nodes"] == N
    parts = PartitionedGraph(folder / "g.parts")
    session = WholeSession(parts, folder / "g.session", classes=["c0", "c1"])
    assert session.n_labels == 50
    told = dict(line.split(",") for line in (folder / "known.csv").read_text().split()[1:])
    said = session.predictions([int(node) for node in told])
    right = sum(a == b for a, b in zip(said, told.values(), strict=True))
    assert 1 - right / N <= found[1]["error_at_most"]


def test_keys_answer_skip_and_stop(folder):
    with Terminal("label", folder / "g.parts", "--classes", "red,blue") as terminal:
        terminal.prompted(1)
        terminal.answer("12s")
        assert "the person stopped" in terminal.leave()
    lines = (folder / "g.session" / "session.jsonl").read_text().splitlines()
    events = [json.loads(line) for line in lines[1:]]
    kinds = ["asked", "told"] * 2 + ["asked", "skipped", "asked"]
    assert [event["event"] for event in events] == kinds
    assert [event["label"] for event in events if event["event"] == "told"] == [0, 1]


def test_a_line_that_a_kill_cut_off_is_no_answer(folder):
    parts = PartitionedGraph(folder / "g.parts")
    session = WholeSession(parts, folder / "s", classes=["a", "b"])
    session.tell({0: "a"})
    log = folder / "s" / "session.jsonl"
    whole = log.read_bytes()
    log.write_bytes(whole + b'{"event":"told","no')
    again = WholeSession(parts, folder / "s", classes=["a", "b"])
    again.tell({1: "b"})
    assert again.n_labels == 2
    assert WholeSession(parts, folder / "s", classes=["a", "b"]).n_labels == 2
    log.write_bytes(b"")
    with pytest.raises(InputError, match="is no log of a session"):
        WholeSession(parts, folder / "s", classes=["a", "b"])


def test_what_cannot_be_used_is_said(folder):
    known = str(folder / "known.csv")
    asked = {
        "--find cannot be used with a partitioned": [str(folder / "g.parts"), "--find", "c0"],
        "must be a partitioned graph": ["karate", "--cluster", "local:2"],
    }
    for words, options in asked.items():
        done = CliRunner().invoke(app, ["label", *options, "--oracle", known])
        assert isinstance(done.exception, InputError)
        assert words in str(done.exception)
