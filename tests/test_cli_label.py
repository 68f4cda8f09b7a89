"""Labelling in the terminal: typed as fast as one likes, interrupted, resumed, simulated."""

import csv
import json
import os
import pty
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import numpy as np
import pytest

from lapwing import data
from lapwing.cli.session.opening import parts
from lapwing.session import Session, Store


@contextmanager
def terminal(database, *options, graph="karate"):
    """`lapwing label` at a terminal of its own: the process, and the end where one types."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "lapwing", "label", graph, "--db", database, *options]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        try:
            yield process, ours
        finally:
            process.kill()
            os.close(ours)


def shown(ours, until):
    """What the screen shows until some words come, or the end."""
    screen = b""
    while until not in screen:
        try:
            screen += os.read(ours, 4096)
        except OSError:
            break
    return screen


def typed(database, keys, *options):
    """Type keys all at once, then leave with q; what the screen showed."""
    with terminal(database, *options) as (process, ours):
        screen = shown(ours, b"s skip")
        os.write(ours, keys.encode() + b"q")
        screen += shown(ours, b"goes on")
        process.wait(30)
    return screen.decode(errors="replace")


def test_no_key_is_lost_and_the_session_goes_on(tmp_path):
    database = str(tmp_path / "s.db")
    screen = typed(database, "12121212us", "--classes", "hi,officer", "--audit", "0")
    assert "7 labels kept" in screen
    again = typed(database, "1+new\n")
    assert "9 labels kept" in again
    with Store(database) as store:
        kinds = [event.kind.value for event in store.events("karate")]
        assert kinds.count("told") == 10
        assert kinds.count("withdrawn") == 1
        assert kinds.count("skipped") == 1
        assert kinds.count("class") == 3
        store.verified("karate")


def test_twenty_answers_a_second_are_all_kept(tmp_path):
    database = str(tmp_path / "s.db")
    with terminal(database, "--classes", "hi,officer", "--audit", "0.3", graph="digits") as (
        process,
        ours,
    ):
        shown(ours, b"s skip")
        for count in range(60):
            os.write(ours, b"12"[count % 2 : count % 2 + 1])
            time.sleep(0.05)
        os.write(ours, b"q")
        assert b"60 labels kept" in shown(ours, b"goes on")
        process.wait(30)
    with Store(database) as store:
        told = [event.label for event in store.events("digits") if event.kind.value == "told"]
    assert told == [0, 1] * 30


@pytest.mark.parametrize("moment", [0.0, 0.02])
def test_kill_minus_nine_at_the_terminal_loses_no_answer_whose_next_question_came(tmp_path, moment):
    database = str(tmp_path / "s.db")
    with terminal(database, "--classes", "hi,officer") as (process, ours):
        screen = shown(ours, b"s skip")
        os.write(ours, b"12" * 10)
        while screen.count(b"s skip") < 6:
            screen += os.read(ours, 4096)
        time.sleep(moment)
        os.kill(process.pid, signal.SIGKILL)
        process.wait(30)
        answered = screen.count(b"s skip") - 1
    with Store(database) as store:
        told = [event for event in store.events("karate") if event.kind.value == "told"]
        store.verified("karate")
    assert len(told) >= answered
    assert f"{len(told) + 2} labels kept" in typed(database, "12")


def test_an_oracle_answers_and_the_log_can_be_verified_elsewhere(run, tmp_path):
    here, there = tmp_path / "here.db", tmp_path / "there.db"
    code, out, _ = run(
        "label", "karate", "--oracle", "known", "--budget", 8, "--db", here, "--json"
    )
    told = json.loads(out)
    assert code == 0
    assert told["labels"] == 8
    assert told["accuracy"] > 0.8
    assert told["stopped"] == "the budget of 8 labels is used"
    assert run("session", "export", "karate", "-o", tmp_path / "k.jsonl", "--db", here)[0] == 0
    assert run("session", "import", tmp_path / "k.jsonl", "--db", there)[0] == 0
    digests = [
        json.loads(run("session", "verify", "karate", "--db", db, "--json")[1])["digest"]
        for db in (here, there)
    ]
    assert digests[0] == digests[1]
    listed = json.loads(run("session", "list", "--db", there, "--json")[1])["sessions"]
    assert [each["name"] for each in listed] == ["karate"]
    shown = json.loads(run("session", "show", "karate", "--db", there, "--json")[1])
    assert shown["labels"] == 8
    replayed = json.loads(run("session", "replay", "karate", "--db", there, "--json")[1])
    assert sum(replayed["predicted"].values()) + replayed["unknown"] == 34


def test_predictions_of_a_session_come_with_probabilities(run, tmp_path):
    database, out = tmp_path / "s.db", tmp_path / "all.csv"
    options = ("--oracle", "known", "--budget", 8, "--db", database)
    assert run("label", "karate", "--classes", "never", *options)[0] == 0
    assert run("session", "replay", "karate", "-o", out, "--db", database)[0] == 0
    with out.open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 34
    sure = np.array([float(row["confidence"]) for row in rows])
    assert (sure == 1.0).sum() == 8
    assert ((sure > 0.5) & (sure < 1.0)).sum() > 10
    assert {row["label"] for row in rows} <= {"Mr. Hi", "Officer"}
    plain = ("--learner", "perceptron", "--session", "plain")
    assert run("label", "karate", *options, *plain)[0] == 0
    assert run("session", "replay", "plain", "-o", out, "--db", database)[0] == 0
    assert out.read_text().splitlines()[0] == '"node","label"'


def test_costly_nodes_are_spared_and_forbidden_ones_never_asked(run, tmp_path):
    database, table = tmp_path / "s.db", tmp_path / "costs.csv"
    options = ("--oracle", "known", "--budget", 6, "--audit", 0, "--db", database)
    assert run("label", "karate", *options, "--session", "free")[0] == 0
    with Store(database) as store:
        first = [e.node for e in store.events("free") if e.kind.value == "asked"]
    names = [data.karate().graph.names[node] for node in first]
    table.write_text(f"node,cost\n{names[0]},inf\n{names[1]},1000\n{names[2]},2.5\n")
    priced = ("--session", "priced", "--cost", table)
    assert run("label", "karate", *options, *priced)[0] == 0
    with Store(database) as store:
        asked = [e.node for e in store.events("priced") if e.kind.value == "asked"]
        header = store.record("priced").header
    assert not {first[0], first[1]} & set(asked)
    assert header["forbidden"] == [first[0]]
    assert header["costs"] == {str(first[1]): 1000.0, str(first[2]): 2.5}
    assert run("session", "verify", "priced", "--db", database)[0] == 0
    everything = ("--oracle", "known", "--db", database, "--target-error", 0, "--session", "all")
    assert run("label", "karate", *everything, "--cost", table)[0] == 0
    with Store(database) as store:
        asked = [e.node for e in store.events("all") if e.kind.value == "asked"]
    assert sorted(asked) == [node for node in range(34) if node != first[0]]
    table.write_text(f"node,cost\n{names[0]},cheap\n")
    code, _, err = run("label", "karate", *options, "--session", "x", "--cost", table)
    assert code == 1
    assert "must be above 0 or inf, got 'cheap'" in " ".join(err.split())


def test_a_session_needs_a_class_to_predict(run, tmp_path):
    database = tmp_path / "s.db"
    with Store(database) as store:
        graph = data.karate().graph
        header = {"graph": "karate", "learner": "auto", "strategy": "auto"}
        Session.create(store, "k", graph, header=header, **parts(header, graph))
    code, _, err = run("session", "replay", "k", "-o", tmp_path / "a.csv", "--db", database)
    assert code == 1
    assert "must have a class to predict" in err


def test_labels_may_come_from_a_file(run, tmp_path):
    edges, labels = tmp_path / "edges.csv", tmp_path / "labels.csv"
    edges.write_text("a,b\nb,c\nc,a\nc,x\nx,y\ny,z\nz,x\n")
    labels.write_text("node,label\na,red\nb,red\nc,red\nx,blue\ny,blue\n")
    code, out, _ = run("label", edges, "--oracle", labels, "--db", tmp_path / "s.db", "--json")
    told = json.loads(out)
    assert code == 0
    assert told["labels"] == 5
    assert told["accuracy"] is None


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("label", "karate", "--json"), "--json goes with --oracle"),
        (("label", "karate", "--oracle", "gone.csv"), "gone.csv"),
        (("label", "karate", "--oracle", "known", "--learner", "nope"), "no algorithm is called"),
        (("label", "karate", "--oracle", "known", "--strategy", "nope"), "strategy must be one of"),
        (("session", "show", "nope"), "no session named 'nope'"),
        (("session", "import", "gone.jsonl"), "gone.jsonl"),
    ],
)
def test_mistakes_get_one_clear_line(run, tmp_path, monkeypatch, arguments, says):
    monkeypatch.chdir(tmp_path)
    code, _, err = run(*arguments, "--db", "s.db")
    assert code == 1
    assert says in err
    assert "Traceback" not in err
