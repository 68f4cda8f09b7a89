"""Labelling in the terminal: typed as fast as one likes, interrupted, resumed, simulated."""

import csv
import json
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from bench.terminal import Terminal
from lapwing import data
from lapwing.active import error_estimate
from lapwing.session import Dialogue, Store
from lapwing.session.opening.parts import parts

ROOT = Path(__file__).resolve().parents[1]

GRAPH = (
    "source,target\n[/x],ada\nada,bo\nbo,[/x]\nbo,\x1b[31mred\x1b[0m\n"
    "\x1b[31mred\x1b[0m,[link=http://a]cy\n[link=http://a]cy,dee\ndee,\x1b[31mred\x1b[0m\n"
)
"""Names that would be markup, a hyperlink and a colour if they were not shown as text."""


def labelling(database, *options, graph="karate"):
    """`lapwing label` at a terminal of its own."""
    return Terminal("label", graph, "--db", database, *options)


def events(database, name="karate"):
    with Store(database) as store:
        store.verified(name)
        return store.events(name)


def kinds(database, name="karate"):
    return [event.kind.value for event in events(database, name)]


def test_answers_are_echoed_undone_skipped_and_the_session_goes_on(tmp_path):
    database = tmp_path / "s.db"
    with labelling(database, "--classes", "hi,officer", "--audit", "0") as at:
        at.prompted(1)
        at.answer("1212us")
        at.press("?")
        at.until(lambda screen: "take back your last answer" in screen)
        at.press("%")
        at.until(lambda screen: "% does nothing here; ? lists the keys" in screen)
        screen = at.leave()
    assert "3 labels kept in session 'karate'" in screen
    told = [event for event in events(database) if event.kind.value == "told"]
    names = data.karate().graph.names
    for event in told:
        assert f"→ {['hi', 'officer'][event.label]} for {names[event.node]}\n" in screen
    assert f"→ took back the answer for {names[told[-1].node]}\n" in screen
    assert f"→ skipped {names[told[-1].node]}\n" in screen
    assert "Without spot checks the error stays unknown." in screen
    with labelling(database) as at:
        at.prompted(1)
        at.answer("1")
        at.press("+")
        at.until(lambda screen: "Name of the class" in screen)
        at.press("new\n")
        at.prompted(3)
        at.press("\n")
        at.prompted(4)
        screen = at.leave()
    assert "Enter accept" in screen
    assert "6 labels kept" in screen
    assert "\nnew for " in screen
    counts = Counter(kinds(database))
    assert (counts["told"], counts["withdrawn"], counts["skipped"], counts["class"]) == (7, 1, 1, 3)
    asked, told = events(database)[-3:-1]
    assert (asked.node, asked.detail["guess"]) == (told.node, told.label)


def test_a_class_named_by_a_digit_is_answered_with_that_digit(tmp_path):
    database = tmp_path / "s.db"
    with labelling(database, "--classes", "2,1,other", "--audit", "0") as at:
        at.prompted(1)
        assert "2 2   1 1   3 other" in at.screen
        at.answer("12")
        at.leave()
    told = [event.label for event in events(database) if event.kind.value == "told"]
    assert told == [1, 0]


def test_keys_typed_before_a_question_answer_nothing(tmp_path):
    database = tmp_path / "s.db"
    with labelling(database, "--classes", "hi,officer", "--audit", "0") as at:
        at.press("1212")
        at.prompted(1)
        time.sleep(1.0)
        at.press("2")
        at.prompted(2)
        assert "1 labels kept" in at.leave()
    assert [e.label for e in events(database) if e.kind.value == "told"] == [1]


def test_a_spot_check_is_blind_and_enter_does_not_answer_it(tmp_path):
    database = tmp_path / "s.db"
    with labelling(database, "--classes", "hi,officer", "--audit", "1") as at:
        at.prompted(1)
        at.answer("12121")
        shown = at.screen.rpartition("Spot check ─")[2]
        at.press("\n")
        screen = at.until(lambda screen: "does nothing here" in screen)
        screen = at.leave()
    assert screen.count("╭─ Spot check ─") == 6
    assert "╭─ Asked" not in screen
    assert "guess:" not in screen
    assert "% sure" not in screen
    assert not re.search(r"(hi|officer)\?", screen)
    assert "Enter accept" not in screen
    assert "the guess is hidden until you answer" in shown
    assert "(spot check: the guess was right)" in screen or "the guess was wrong, it was" in screen
    assert kinds(database).count("told") == 5
    asked = [e for e in events(database) if e.kind.value == "asked"]
    assert all(event.detail["audit"] for event in asked)


def test_progress_is_told_in_words(tmp_path):
    with labelling(tmp_path / "s.db", "--classes", "hi,officer", "--audit", "1") as at:
        screen = at.prompted(1)
    told = re.search(r"(\d+) more spot checks without an error would bring the bound", screen)
    left = int(told[1])
    assert "would bring the bound below 10%." in screen

    def below(count):
        estimate = error_estimate([False] * count, left=range(34, 33 - count, -1), n_nodes=34)
        return estimate.below(0.1)

    assert below(left)
    assert not below(left - 1)


def test_names_are_shown_as_text_and_never_reach_the_terminal_as_codes(tmp_path):
    (tmp_path / "e.csv").write_text(GRAPH)
    options = ("--classes", "fraud[/b],[link=http://b]fine", "--audit", "0")
    with labelling(tmp_path / "s.db", *options, graph=tmp_path / "e.csv") as at:
        at.prompted(1)
        at.answer("12121")
        screen, raw = at.leave(), at.raw
    assert "→ fraud[/b] for " in screen
    assert "→ [link=http://b]fine for " in screen
    for name in ("[/x]", "[link=http://a]cy", "\\x1b[31mred\\x1b[0m"):
        assert name in screen
    assert b"\x1b[31m" not in raw
    assert b"\x1b]" not in raw


def test_a_class_with_control_characters_is_refused(run, tmp_path):
    wanted = ("--classes", "fraud,\x1b]0;fine\x07", "--oracle", "known")
    code, _, err = run("label", "karate", *wanted, "--db", tmp_path / "s.db")
    assert code == 1
    assert "a label must hold no control character" in " ".join(err.split())
    assert "\x1b" not in err


@pytest.mark.parametrize("output", [subprocess.PIPE, subprocess.DEVNULL])
def test_without_a_terminal_nothing_is_asked_and_nothing_created(tmp_path, output):
    database = tmp_path / "s.db"
    command = [sys.executable, "-m", "lapwing", "label", "karate", "--db", str(database)]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE, text=True
    )
    assert done.returncode == 1
    assert "lapwing label must run in a terminal" in done.stderr
    assert not database.exists()


def test_sixty_quick_answers_are_all_kept(tmp_path):
    database = tmp_path / "s.db"
    with labelling(database, "--classes", "hi,officer", "--audit", "0.3", graph="digits") as at:
        at.prompted(1)
        at.answer("12" * 30)
        assert "60 labels kept" in at.leave()
    told = [event.label for event in events(database, "digits") if event.kind.value == "told"]
    assert told == [0, 1] * 30


def test_killed_at_random_moments_no_echoed_answer_is_lost_or_doubled():
    command = [sys.executable, "-m", "bench.kills", "--kills", "10", "--seed", "1", "--no-record"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No acknowledged answer was lost or doubled in 10 SIGKILLs." in done.stdout
    assert int(re.search(r"answers echoed \| (\d+)", done.stdout)[1]) >= 5


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
    expect = ("--expect", digests[0][:12])
    assert run("session", "verify", "karate", "--db", there, *expect)[0] == 0
    code, _, err = run("session", "verify", "karate", "--db", there, "--expect", "0" * 12)
    assert code == 1
    assert "must have the head 000000000000" in " ".join(err.split())
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
    assert out.read_text().splitlines()[0] == "node,label,confidence,runner_up,asked"


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


def test_costs_may_come_with_the_header_that_the_help_names(run, tmp_path):
    edges, costs, labels = (tmp_path / f"{name}.csv" for name in ("edges", "costs", "labels"))
    edges.write_text("source,target\nada,bo\nbo,cy\ncy,ada\n")
    costs.write_text("node,cost\nada,2\nbo,inf\n")
    labels.write_text("node,label\nada,red\nbo,blue\ncy,red\n")
    options = ("--oracle", labels, "--cost", costs, "--db", tmp_path / "s.db", "--audit", 0)
    assert run("label", edges, *options)[0] == 0
    with Store(tmp_path / "s.db") as store:
        header = store.record("edges").header
    assert (header["forbidden"], header["costs"]) == ([1], {"0": 2.0})


def test_a_session_needs_a_class_to_predict(run, tmp_path):
    database = tmp_path / "s.db"
    with Store(database) as store:
        graph = data.karate().graph
        header = {"graph": "karate", "learner": "auto", "strategy": "auto"}
        Dialogue.create(store, "k", graph, header=header, **parts(header, graph))
    code, _, err = run("session", "replay", "k", "-o", tmp_path / "a.csv", "--db", database)
    assert code == 1
    assert "must have a class to predict" in err


def test_a_session_that_does_not_name_its_parts_is_refused_in_a_sentence(run, tmp_path):
    database, graph = tmp_path / "s.db", data.karate().graph
    with Store(database) as store:
        chosen = parts({"learner": "auto", "strategy": "auto"}, graph)
        Dialogue.create(store, "k", graph, header={"graph": "karate"}, **chosen)
    for command in ("show", "replay", "verify"):
        code, _, err = run("session", command, "k", "--db", database)
        assert code == 1
        assert "must name its learner, this one does not" in " ".join(err.split())


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
        (("session", "show", "nope"), "there is no database s.db"),
        (("session", "import", "gone.jsonl"), "gone.jsonl"),
    ],
)
def test_mistakes_get_one_clear_line(run, tmp_path, monkeypatch, arguments, says):
    monkeypatch.chdir(tmp_path)
    code, _, err = run(*arguments, "--db", "s.db")
    assert code == 1
    assert says in err
    assert "Traceback" not in err
