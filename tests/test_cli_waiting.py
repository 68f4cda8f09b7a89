"""No unexplained waits: what takes long says what it is and how far along it is."""

import io
import json
import re
import time
from types import SimpleNamespace

import numpy as np
import pytest
from numba import njit

from lapwing import Session
from lapwing.cli import output
from lapwing.cli.compiling import compile_time, preparing
from lapwing.cli.output import waiting
from lapwing.cli.session import opening, reports


@pytest.fixture
def said(monkeypatch):
    """What is printed on stderr, with little patience."""
    stream = io.StringIO()
    monkeypatch.setattr(output.errors, "_file", stream)
    monkeypatch.setattr(output, "PATIENCE", 0.05)
    return stream.getvalue


def test_a_short_wait_says_nothing(said, monkeypatch):
    monkeypatch.setattr(output, "PATIENCE", 60.0)
    with waiting("reading edges.csv"):
        pass
    assert said() == ""


def test_a_long_wait_says_what_is_done_and_how_far_it_is(said):
    with waiting("reading edges.csv") as say:
        time.sleep(0.5)
        say("reading edges.csv: 2 of 3 parts")
    assert said() == "reading edges.csv ...\nreading edges.csv: 2 of 3 parts ...\n"


def test_words_said_in_good_time_are_the_ones_shown(said):
    with waiting("part 1") as say:
        say("part 2")
        time.sleep(0.5)
    assert said() == "part 2 ...\n"


def test_names_in_a_wait_cannot_act_on_the_terminal(said):
    with waiting("reading [red]\x1b[31m.csv"):
        time.sleep(0.5)
    assert said() == "reading [red]\\x1b[31m.csv ...\n"


def test_a_wait_ends_with_an_error_inside(said):
    with pytest.raises(KeyError), waiting("working"):
        raise KeyError
    time.sleep(0.2)
    assert said() == ""


def fresh():
    @njit
    def twice(x):
        return x + x

    twice.py_func.__module__ = "lapwing.some_room"
    return twice


def test_compiling_is_told_and_counted(said):
    with preparing("preparing the learner"):
        time.sleep(0.5)
        assert fresh()(np.ones(3)).tolist() == [2.0, 2.0, 2.0]
    *_, last = said().splitlines()
    assert said().startswith("preparing the learner ...\n")
    assert "compiling, only this once, 1 function so far" in said(), last


def test_compile_time_counts_nothing_afterwards():
    with compile_time() as compiled:
        fresh()(1.0)
    before = compiled.seconds
    assert before > 0.0
    fresh()(1)
    assert (compiled.count, compiled.seconds) == (1, before)


def test_play_itemises_what_the_user_waited_for(run):
    code, out, _ = run("play", "karate", "--learner", "perceptron", "--json")
    assert code == 0
    waited = json.loads(out)["waited"]
    assert set(waited) <= {"rows and learner", "compiling, once", "tuning", "rounds"}
    assert list(waited)[-1] == "rounds"
    code, out, _ = run("play", "karate", "--learner", "perceptron")
    assert code == 0
    assert "seconds in all" in out
    assert "rounds" in out


def slowly(act):
    """The same, but it takes longer than anybody's patience here."""

    def acted(*args, **kwargs):
        time.sleep(0.5)
        return act(*args, **kwargs)

    return acted


def test_commands_on_sessions_say_what_they_wait_for(run, said, tmp_path, monkeypatch):
    db = ("--db", tmp_path / "s.db")
    assert run("label", "karate", "--oracle", "known", "--budget", 3, *db)[0] == 0
    monkeypatch.setattr(opening, "Session", SimpleNamespace(open=slowly(Session.open)))
    monkeypatch.setattr(Session, "predictions", slowly(Session.predictions))
    monkeypatch.setattr(reports, "verified", slowly(reports.verified))
    assert run("session", "predictions", "karate", "-o", tmp_path / "p.csv", *db)[0] == 0
    assert run("session", "verify", "karate", *db)[0] == 0
    assert said().count("opening session karate ...") == 2
    assert "predicting the label of every node ..." in said()
    assert re.search(r"replaying \d+ events \.\.\.", said())
