"""Growing a session from the command line."""

import os
import pty
import re
import select
import signal
import sys
import time

import pytest

pytest.importorskip("typer")
from typer.testing import CliRunner

from lapwing import Session
from lapwing.cli import app
from lapwing.session import Store

LINES = ["source,target", "a,b", "b,c", "c,a", "c,d", "d,e", "e,f", "f,d"]
LABELS = "node,label\na,red\nb,red\nc,red\nd,blue\ne,blue\nf,blue\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LAPWING_DB", str(tmp_path / "s.db"))
    (tmp_path / "e.csv").write_text("\n".join(LINES) + "\n")
    (tmp_path / "l.csv").write_text(LABELS)
    return tmp_path


def run(*words):
    result = CliRunner().invoke(app, list(words))
    said = str(result.exception) if result.exception else ""
    return result.exit_code, re.sub(r"\s+", " ", result.output + said)


def asked(*more):
    return run("label", "e.csv", "--oracle", "l.csv", "--json", *more)


def test_new_files_and_gained_lines_keep_every_answer(folder):
    assert asked("--budget", "3")[0] == 0
    (folder / "new.csv").write_text("source,target\ni,a\ni,b\n")
    (folder / "nodes.csv").write_text("node,title\nj,Jay\n")
    code, said = run("session", "grow", "e", "--edges", "new.csv", "--nodes", "nodes.csv")
    assert code == 0
    assert "session e: 2 nodes added; 2 edges added" in said
    code, said = asked("--budget", "4")
    assert code == 0
    assert '"n_nodes": 8' in said
    with (folder / "e.csv").open("a") as file:
        file.write("f,g\n0a,a\n")
    code, said = asked("--budget", "5")
    assert code != 0
    assert "has grown since session e began: 2 nodes added; 2 edges added." in said
    assert "Add it with: lapwing session grow e" in said
    with Store(folder / "s.db") as store:
        assert len(Session.open(store, "e").labels()) == 4
    assert run("session", "grow", "e")[0] == 0
    assert "nothing changed" in run("session", "grow", "e")[1]
    code, said = asked("--budget", "5")
    assert code == 0
    assert '"n_nodes": 10' in said
    code, said = run("session", "verify", "e")
    assert code == 0
    assert "questions and guesses as recorded" in said
    with Store(folder / "s.db") as store:
        held = Session.open(store, "e")
        assert held.graph.names == ("a", "b", "c", "d", "e", "f", "j", "i", "g", "0a")
        assert len(held.labels()) == 5


def test_a_file_written_anew_begins_another_session(folder):
    assert asked("--budget", "3")[0] == 0
    (folder / "e.csv").write_text("source,target\na,b\nb,c\nc,d\nd,e\ne,f\nf,a\na,d\nb,e\nc,f\n")
    code, said = asked("--budget", "2")
    assert code == 0
    assert '"labels": 2' in said
    assert "no longer begins with the graph of session e: lines were changed or removed" in said
    assert "no longer begins" not in asked("--budget", "3")[1]
    code, said = run("session", "grow", "e")
    assert code != 0
    (folder / "as_it_was.csv").write_text("\n".join(LINES) + "\n")
    code, said = run("session", "labels", "e", "--graph", "as_it_was.csv", "--output", "a.csv")
    assert code == 0
    assert len((folder / "a.csv").read_text().splitlines()) == 4


def test_a_file_that_lost_a_line_says_how_to_go_on(folder):
    assert asked("--budget", "3")[0] == 0
    (folder / "e.csv").write_text("\n".join(LINES[:-1]) + "\n")
    code, said = run("session", "grow", "e")
    assert code != 0
    assert "its file has changed in other ways than by lines added at its end" in said
    (folder / "e.csv").write_text("\n".join([*LINES, "f,g"]) + "\n")
    code, said = run("session", "grow", "e")
    assert code == 0
    assert "1 node added; 1 edge added" in said


def test_at_a_terminal_it_asks(folder):
    assert asked("--budget", "3")[0] == 0
    with (folder / "e.csv").open("a") as file:
        file.write("f,g\n")
    child, terminal = pty.fork()
    if child == 0:
        os.execv(sys.executable, [sys.executable, "-m", "lapwing", "label", "e.csv"])
    shown, end, answered = b"", time.time() + 120, False
    try:
        while time.time() < end:
            if answered and b"Question" in shown:
                os.write(terminal, b"q")  # again and again: keys pressed too early are not read
            if not select.select([terminal], [], [], 1.0)[0]:
                continue
            shown += os.read(terminal, 65536)
            if b"keep every answer" in shown and not answered:
                os.write(terminal, b"y\n")
                answered = True
    except OSError:
        pass  # the command has ended
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert answered
    assert b"1 node added; 1 edge added" in shown
    with Store(folder / "s.db") as store:
        held = Session.open(store, "e")
        assert (held.graph.n_nodes, len(held.labels())) == (7, 3)


def test_a_file_of_events_is_played(folder):
    (folder / "events.csv").write_text(
        "event,node,other,label\nlabel,a,,red\nlabel,f,,blue\nnode,g,,\nedge,g,f,\nlabel,g,,blue\n"
    )
    code, said = run("play", "e.csv", "--events", "events.csv", "--json", "--output", "o.csv",
                     "--learner", "push-lgc", "--set", "half_life=50")  # fmt: skip
    assert code == 0, said
    assert '"judged": 1' in said
    assert '"error": 0.0' in said
    assert (folder / "o.csv").read_text().splitlines()[1] == "push-lgc,3,g,true,blue,blue"
    code, said = run("play", "e.csv", "--events", "events.csv", "--shuffles", "3")
    assert code != 0
    assert "--events takes --learner, --set, --output and --json only" in said
    (folder / "events.csv").write_text("event,node\nlabel,zoe\n")
    code, said = run("play", "e.csv", "--events", "events.csv")
    assert code != 0
    assert "event 1 tells a label, got none" in said
